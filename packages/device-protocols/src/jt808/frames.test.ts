import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { closeJt808Frame, createJt808Splitter, jt808MaxContentLength, jt808MaxPendingLength } from './frames.ts'
import { jt808Vectors } from './vectors.fixture.ts'

const content = Buffer.from('00020000043048325465007e', 'hex')
const frame = closeJt808Frame(content)
const hexes = (contents: readonly Buffer[]) => contents.map((one) => one.toString('hex'))
const expected = content.toString('hex')

describe('createJt808Splitter', () => {
  it('finds the same frames however the stream is cut, with one flag or two between them', () => {
    const bodies = fc.array(fc.uint8Array({ minLength: 12, maxLength: jt808MaxContentLength - 1 }), {
      minLength: 1,
      maxLength: 6,
    })
    const sizes = fc.infiniteStream(fc.integer({ min: 1, max: 900 }))
    fc.assert(
      fc.property(bodies, fc.boolean(), sizes, (contents, shared, size) => {
        const frames = contents.map((one, at) => closeJt808Frame(one).subarray(shared && at > 0 ? 1 : 0))
        const stream = Buffer.concat(frames)
        const splitter = createJt808Splitter()
        const found: string[] = []
        for (let at = 0; at < stream.length;) {
          const length = size.next().value
          found.push(...hexes(splitter.push(stream.subarray(at, at + length))))
          at += length
        }
        expect(found).toEqual(contents.map((one) => Buffer.from(one).toString('hex')))
        expect([splitter.discardedBytes, splitter.refusedFrames, splitter.pendingBytes]).toEqual([0, 0, 0])
      }),
      { numRuns: 300 },
    )
  })

  it('is back in step after any garbage', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 4000 }), fc.nat(), (garbage, cut) => {
        const splitter = createJt808Splitter()
        const stream = Buffer.concat([garbage, frame, frame])
        const at = cut % stream.length
        const found = [...splitter.push(stream.subarray(0, at)), ...splitter.push(stream.subarray(at))]
        expect(found.at(-1)?.toString('hex')).toBe(expected)
        expect(splitter.pendingBytes).toBe(0)
      }),
      { numRuns: 1000 },
    )
  })

  it('drops a frame that lost its end, keeps the next one and counts', () => {
    const splitter = createJt808Splitter()
    const cut = frame.subarray(0, 9)
    expect(hexes(splitter.push(Buffer.concat([Buffer.from('noise'), cut, frame])))).toEqual([expected])
    expect(splitter.refusedFrames).toBe(1)
    expect(splitter.discardedBytes).toBe('noise'.length + cut.length - 1)
  })

  it('reads captured frames whose sender did not escape, between others, however they are cut', () => {
    const unescaped = jt808Vectors.filter(({ frame }) => /^7e.*(?:7e|7d(?!0[12])).*7e$/.test(frame))
    const plain = unescaped.map(({ frame }) => Buffer.from(frame, 'hex'))
    expect(plain.length).toBeGreaterThanOrEqual(3)
    const stream = Buffer.concat(plain.flatMap((one) => [frame, one, one, frame]))
    for (const size of [1, 7, 64, stream.length]) {
      const splitter = createJt808Splitter()
      const found: string[] = []
      for (let at = 0; at < stream.length; at += size) {
        found.push(...hexes(splitter.push(stream.subarray(at, at + size))))
      }
      const inside = plain.map((one) => one.toString('hex', 1, one.length - 2))
      expect(found).toEqual(inside.flatMap((one) => [expected, one, one, expected]))
      expect([splitter.refusedFrames, splitter.pendingBytes]).toEqual([0, 0])
    }
  })

  it('does not hold on to the chunk that a frame began in', () => {
    const splitter = createJt808Splitter()
    const chunk = Buffer.from(frame.subarray(0, 10))
    splitter.push(chunk)
    chunk.fill(0)
    expect(hexes(splitter.push(frame.subarray(10)))).toEqual([expected])
  })

  it('never keeps more than a frame, however long the run', () => {
    const splitter = createJt808Splitter()
    splitter.push(Buffer.of(0x7e))
    let most = 0
    for (let at = 0; at < 200; at++) {
      splitter.push(Buffer.alloc(997, 0x33))
      most = Math.max(most, splitter.pendingBytes)
    }
    expect(most).toBeGreaterThan(0)
    expect(most).toBeLessThanOrEqual(jt808MaxPendingLength)
    expect(hexes(splitter.push(frame))).toEqual([expected])
    expect(splitter.refusedFrames).toBe(1)
  })
})
