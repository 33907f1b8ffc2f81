import { at, BrokenPicture, part, type Cleaned, type Size } from './bytes.ts'

const headLength = 12
const exifFlag = 0x08
const xmpFlag = 0x04
const animationFlag = 0x02
const keptChunks = new Set(['VP8X', 'VP8 ', 'VP8L', 'ALPH', 'ICCP'])

export function isWebp(bytes: Buffer): boolean {
  return bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, headLength) === 'WEBP'
}

export function cleanWebp(bytes: Buffer): Cleaned {
  const end = at(bytes, 4, 4, 'le') + 8
  if (end > bytes.length) throw new BrokenPicture('it ends too early')
  const kept: Buffer[] = []
  let size: Size | null = null
  let hasPicture = false
  for (let place = headLength; place < end;) {
    const length = at(bytes, place + 4, 4, 'le')
    const chunk = Buffer.from(part(bytes, place, 8 + length + (length % 2)))
    const kind = chunk.toString('latin1', 0, 4)
    if (kind === 'VP8X') forgetMetadata(chunk)
    const told = sizeOf(kind, chunk)
    if (told !== null) size = larger(told, size)
    hasPicture ||= kind === 'VP8 ' || kind === 'VP8L'
    if (keptChunks.has(kind)) kept.push(chunk)
    place += chunk.length
  }
  if (size === null || !hasPicture) throw new BrokenPicture('no picture')
  const body = Buffer.concat(kept)
  const head = Buffer.from('RIFF\0\0\0\0WEBP', 'latin1')
  head.writeUInt32LE(body.length + 4, 4)
  return { ...size, bytes: Buffer.concat([head, body]) }
}

/** The canvas and the picture on it both ask for memory. */
function larger(one: Size, other: Size | null): Size {
  if (other === null) return one
  return { width: Math.max(one.width, other.width), height: Math.max(one.height, other.height) }
}

function forgetMetadata(chunk: Buffer): void {
  const flags = at(chunk, 8, 1)
  if ((flags & animationFlag) !== 0) throw new BrokenPicture('it moves')
  chunk[8] = flags & ~(exifFlag | xmpFlag)
}

function sizeOf(kind: string, chunk: Buffer): Size | null {
  if (kind === 'VP8X') return { width: at(chunk, 12, 3, 'le') + 1, height: at(chunk, 15, 3, 'le') + 1 }
  if (kind === 'VP8 ') {
    if (at(chunk, 11, 3) !== 0x9d012a) throw new BrokenPicture('no frame')
    return { width: at(chunk, 14, 2, 'le') & 0x3fff, height: at(chunk, 16, 2, 'le') & 0x3fff }
  }
  if (kind !== 'VP8L') return null
  if (at(chunk, 8, 1) !== 0x2f) throw new BrokenPicture('no frame')
  const bits = at(chunk, 9, 4, 'le')
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
}
