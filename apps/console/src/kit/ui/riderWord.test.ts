import { expect, it } from 'vitest'
import { readWord, wordOf } from './riderWord.ts'

it('knows a phone, a certificate, a number and a name apart', () => {
  expect(readWord(' 13800138000 ')).toEqual({ phone: '13800138000' })
  expect(readWord('11010119900307001x')).toEqual({ certNumber: '11010119900307001X' })
  expect(readWord('E1234567')).toEqual({ certNumber: 'E1234567' })
  expect(readWord('1042')).toEqual({ riderId: 1042 })
  expect(readWord('ALEXANDER')).toEqual({ name: 'ALEXANDER' })
  expect(readWord('王小明')).toEqual({ name: '王小明' })
  expect(readWord('  ')).toEqual({})
  for (const word of ['13800138000', 'E1234567', '1042', '王小明', '']) expect(wordOf(readWord(word))).toBe(word)
})
