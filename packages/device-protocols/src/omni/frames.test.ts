import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyOmniMessage } from './arbitrary.fixture.ts'
import { encodeOmniToPlatform, formatOmni } from './codec.ts'
import { createOmniSplitter, omniMaxFrameLength } from './frames.ts'

const bytes = (text: string) => Buffer.from(text, 'latin1')
const frame = '*SCOR,OM,123456789123456,W0,1#'

describe('createOmniSplitter', () => {
  it('finds frames with and without prefix and line end', () => {
    const splitter = createOmniSplitter()
    expect(splitter.push(bytes(`${frame}\u00ff\u00ff${frame}\r\n${frame}\n`))).toEqual([frame, frame, frame])
    expect(splitter.discardedBytes).toBe(0)
  })

  it('finds the same frames however the stream is cut', () => {
    fc.assert(
      fc.property(
        fc.array(anyOmniMessage, { minLength: 1, maxLength: 6 }),
        fc.infiniteStream(fc.integer({ min: 1, max: 50 })),
        (messages, sizes) => {
          const stream = Buffer.concat(messages.map((message) => encodeOmniToPlatform(message)))
          const splitter = createOmniSplitter()
          const found: string[] = []
          for (let at = 0; at < stream.length;) {
            const size = sizes.next().value
            found.push(...splitter.push(stream.subarray(at, at + size)))
            at += size
          }
          expect(found).toEqual(messages.map((message) => formatOmni(message)))
        },
      ),
      { numRuns: 300 },
    )
  })

  it('is back in step after any garbage', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.nat(), (garbage, cut) => {
        const splitter = createOmniSplitter()
        const stream = Buffer.concat([garbage, bytes(`\n${frame}`)])
        const at = cut % stream.length
        const found = [...splitter.push(stream.subarray(0, at)), ...splitter.push(stream.subarray(at))]
        expect(found.at(-1)).toBe(frame)
        expect(splitter.pendingBytes).toBe(0)
      }),
    )
  })

  it('drops a frame that was cut off, keeps the next one', () => {
    const splitter = createOmniSplitter()
    expect(splitter.push(bytes(`*SCOR,OM,1234${frame}`))).toEqual([frame])
    expect(splitter.discardedBytes).toBe('*SCOR,OM,1234'.length)
    expect(splitter.push(bytes(`*SCOR,OM,12\n34#${frame}`))).toEqual([frame])
  })

  it('never keeps more than a frame, however long the run', () => {
    const splitter = createOmniSplitter()
    const run = bytes('*'.padEnd(700, 'a'))
    splitter.push(run)
    for (let i = 0; i < 100; i++) {
      splitter.push(run.subarray(1))
      expect(splitter.pendingBytes).toBeLessThanOrEqual(omniMaxFrameLength)
    }
    expect(splitter.push(bytes(`#${frame}`)).at(-1)).toBe(frame)
  })
})
