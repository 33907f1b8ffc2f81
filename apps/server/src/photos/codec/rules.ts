import { AppError } from '@saddle/contract/errors.ts'
import { photoBytesMax, photoPixelsMax, type PhotoKind } from '@saddle/contract/photos/photo.ts'
import { BrokenPicture, type Cleaned } from './bytes.ts'
import { cleanJpeg } from './jpeg.ts'
import { cleanPng, pngStart } from './png.ts'
import { cleanWebp, isWebp } from './webp.ts'

export type Picture = Cleaned & { readonly kind: PhotoKind }

/**
 * Detects the type of a file by its bytes and strips its metadata. Throws photo_too_large and photo_invalid.
 */
export function pictureOf(given: Uint8Array): Picture {
  const bytes = Buffer.from(given.buffer, given.byteOffset, given.byteLength)
  if (bytes.length > photoBytesMax) throw new AppError('photo_too_large')
  try {
    const picture = cleaned(bytes)
    const { width, height } = picture
    if (width * height > photoPixelsMax) throw new AppError('photo_too_large')
    if (width === 0 || height === 0) throw new BrokenPicture('it has no size')
    return picture
  } catch (error) {
    if (error instanceof BrokenPicture) throw new AppError('photo_invalid', { cause: error })
    throw error
  }
}

function cleaned(bytes: Buffer): Picture {
  if (bytes[0] === 0xff && bytes[1] === 0xd8) return { kind: 'jpeg', ...cleanJpeg(bytes) }
  if (bytes.subarray(0, pngStart.length).equals(pngStart)) return { kind: 'png', ...cleanPng(bytes) }
  if (isWebp(bytes)) return { kind: 'webp', ...cleanWebp(bytes) }
  throw new BrokenPicture('none of the kinds that are taken')
}
