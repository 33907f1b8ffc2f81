import { at, BrokenPicture, part, type Cleaned, type Size } from './bytes.ts'

const soi = 0xd8
const eoi = 0xd9
const sos = 0xda
const app0 = 0xe0
const app1 = 0xe1
const app2 = 0xe2
const app14 = 0xee
const app15 = 0xef
const comment = 0xfe
/** Frames that browsers show: baseline, extended and progressive. */
const frames = new Set([0xc0, 0xc1, 0xc2])
const otherFrames = new Set([0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf])

const iccMark = 'ICC_PROFILE\0'
const exifMark = 'Exif\0\0'

/**
 * A JPEG without camera metadata (position, device, thumbnail, trailing data). What is
 * needed to show it correctly stays: colour profile and orientation.
 */
export function cleanJpeg(bytes: Buffer): Cleaned {
  const kept: Buffer[] = [part(bytes, 0, 2)]
  let size: Size | null = null
  let orientation = 1
  let place = 2
  for (;;) {
    const marker = markerAt(bytes, place)
    place += 2
    if (marker === eoi) break
    if (marker === soi || otherFrames.has(marker)) throw new BrokenPicture('an unknown kind of JPEG')
    const length = at(bytes, place, 2)
    const body = part(bytes, place + 2, length - 2)
    if (frames.has(marker)) {
      if (size !== null) throw new BrokenPicture('two frames')
      size = { height: at(body, 1, 2), width: at(body, 3, 2) }
    }
    if (marker === app1) orientation = orientationOf(body) ?? orientation
    if (isKept(marker, body)) kept.push(bytes.subarray(place - 2, place + length))
    place += length
    if (marker === sos) {
      const end = endOfScan(bytes, place)
      kept.push(bytes.subarray(place, end))
      place = end
    }
  }
  if (size === null) throw new BrokenPicture('no frame')
  kept.push(Buffer.from([0xff, eoi]))
  if (orientation !== 1) kept.splice(1, 0, orientationOnly(orientation))
  return { ...size, bytes: Buffer.concat(kept) }
}

function isKept(marker: number, body: Buffer): boolean {
  if (marker === comment) return false
  if (marker < app0 || marker > app15) return true
  if (marker === app2) return body.toString('latin1', 0, iccMark.length) === iccMark
  return marker === app0 || marker === app14
}

function markerAt(bytes: Buffer, place: number): number {
  if (at(bytes, place, 1) !== 0xff) throw new BrokenPicture('no marker where one must be')
  return at(bytes, place + 1, 1)
}

/** Offset of the next marker after the coded picture. */
function endOfScan(bytes: Buffer, start: number): number {
  let place = start
  for (;;) {
    place = bytes.indexOf(0xff, place)
    if (place === -1) throw new BrokenPicture('it ends too early')
    const next = at(bytes, place + 1, 1)
    const isPicture = next === 0 || (next >= 0xd0 && next <= 0xd7)
    if (!isPicture && next !== 0xff) return place
    place += next === 0xff ? 1 : 2
  }
}

const orientationTag = 0x0112

/** The orientation from the EXIF data; null when it has none. */
function orientationOf(body: Buffer): number | null {
  if (body.toString('latin1', 0, exifMark.length) !== exifMark) return null
  const tiff = body.subarray(exifMark.length)
  const order = tiff.toString('latin1', 0, 2) === 'II' ? 'le' : 'be'
  try {
    const directory = at(tiff, 4, 4, order)
    const count = Math.min(at(tiff, directory, 2, order), 100)
    for (let index = 0; index < count; index += 1) {
      const entry = directory + 2 + index * 12
      if (at(tiff, entry, 2, order) !== orientationTag) continue
      const value = at(tiff, entry + 8, 2, order)
      return value >= 1 && value <= 8 ? value : null
    }
    return null
  } catch (error) {
    // Malformed metadata is removed as well.
    if (error instanceof BrokenPicture) return null
    throw error
  }
}

function orientationOnly(orientation: number): Buffer {
  const tiff = Buffer.from('MM\0\x2a\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\0\0\0\0\0\0\0', 'latin1')
  tiff.writeUInt16BE(orientation, 18)
  const body = Buffer.concat([Buffer.from(exifMark, 'latin1'), tiff])
  const head = Buffer.from([0xff, app1, 0, 0])
  head.writeUInt16BE(body.length + 2, 2)
  return Buffer.concat([head, body])
}
