/** The file is malformed. */
export class BrokenPicture extends Error {
  override readonly name = 'BrokenPicture'
}

/** Reads a byte or word at an offset. Throws BrokenPicture past the end. */
export function at(bytes: Buffer, place: number, length: 1 | 2 | 3 | 4, order: 'le' | 'be' = 'be'): number {
  if (place < 0 || place + length > bytes.length) throw new BrokenPicture('it ends too early')
  return order === 'be' ? bytes.readUIntBE(place, length) : bytes.readUIntLE(place, length)
}

/** A complete part of a file; throws when it is truncated. */
export function part(bytes: Buffer, start: number, length: number): Buffer {
  if (length < 0 || start + length > bytes.length) throw new BrokenPicture('it ends too early')
  return bytes.subarray(start, start + length)
}

export type Size = { readonly width: number; readonly height: number }
/** A file that contains only the picture. */
export type Cleaned = Size & { readonly bytes: Buffer }
