/** What a file says of itself does not hold together. */
export class BrokenPicture extends Error {
  override readonly name = 'BrokenPicture'
}

/** The byte or word at a place. Throws BrokenPicture behind the end. */
export function at(bytes: Buffer, place: number, length: 1 | 2 | 3 | 4, order: 'le' | 'be' = 'be'): number {
  if (place < 0 || place + length > bytes.length) throw new BrokenPicture('it ends too early')
  return order === 'be' ? bytes.readUIntBE(place, length) : bytes.readUIntLE(place, length)
}

/** A part of a file, which must be there whole. */
export function part(bytes: Buffer, start: number, length: number): Buffer {
  if (length < 0 || start + length > bytes.length) throw new BrokenPicture('it ends too early')
  return bytes.subarray(start, start + length)
}

export type Size = { readonly width: number; readonly height: number }
/** A file with nothing in it but the picture. */
export type Cleaned = Size & { readonly bytes: Buffer }
