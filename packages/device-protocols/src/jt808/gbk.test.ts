import { describe, expect, it } from 'vitest'
import { decodeGbk, encodeGbk } from './gbk.ts'

describe('encodeGbk', () => {
  it('gives the bytes of known characters', () => {
    expect(encodeGbk('粤B88888').toString('hex')).toBe('d4c1423838383838')
    expect(encodeGbk('€').toString('hex')).toBe('80')
    expect(encodeGbk('a😀b').toString()).toBe('a?b')
  })

  it('gives every character of the standard plane back', () => {
    let characters = 0
    for (let code = 0; code < 0x10000; code++) {
      const character = String.fromCharCode(code)
      const bytes = encodeGbk(character)
      if (bytes.equals(Buffer.from('?'))) continue
      characters++
      if (decodeGbk(bytes) !== character) throw new Error(`U+${code.toString(16)} came back as another character`)
    }
    expect(characters).toBeGreaterThan(21_000)
  })
})
