import { crc32 } from 'node:zlib'
import { expect, it } from 'vitest'
import { createSeededRandom } from '#kit/random.ts'
import { crc32Of } from './checksum.ts'

it('is that of zlib, of any part', () => {
  const random = createSeededRandom(20_261_129)
  const bytes = Buffer.from(Array.from({ length: 700 }, () => Math.floor(random.fraction() * 256)))
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  for (let start = 0; start < 20; start += 1) {
    for (let end = start; end <= bytes.length; end += 1)
      expect(crc32Of({ view, start, end })).toBe(crc32(bytes.subarray(start, end)) | 0)
  }
})
