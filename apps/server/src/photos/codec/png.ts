import { crc32 } from 'node:zlib'
import { at, BrokenPicture, part, type Cleaned, type Size } from './bytes.ts'

export const pngStart = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** Chunks of a still picture; all others hold text, times, positions or animation. */
const keptChunks = new Set(['IHDR', 'PLTE', 'IDAT', 'IEND', 'tRNS', 'gAMA', 'cHRM', 'sRGB', 'sBIT', 'bKGD', 'pHYs'])

export function cleanPng(bytes: Buffer): Cleaned {
  const kept: Buffer[] = [pngStart]
  let size: Size | null = null
  let hasPicture = false
  let place = pngStart.length
  for (;;) {
    const length = at(bytes, place, 4)
    const chunk = part(bytes, place, length + 12)
    const kind = chunk.toString('latin1', 4, 8)
    if (crc32(chunk.subarray(4, 8 + length)) !== at(chunk, 8 + length, 4)) throw new BrokenPicture('a sum is wrong')
    if ((kind === 'IHDR') !== (size === null)) throw new BrokenPicture('no head where one must be')
    if (kind === 'IHDR') size = { width: at(chunk, 8, 4), height: at(chunk, 12, 4) }
    hasPicture ||= kind === 'IDAT'
    if (keptChunks.has(kind)) kept.push(chunk)
    if (kind === 'IEND') break
    place += chunk.length
  }
  if (size === null || !hasPicture) throw new BrokenPicture('no picture')
  return { ...size, bytes: Buffer.concat(kept) }
}
