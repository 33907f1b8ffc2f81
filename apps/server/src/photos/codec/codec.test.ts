import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AppError } from '@saddle/contract/errors.ts'
import { pictureOf } from './rules.ts'
import { samples } from './samples.fixture.ts'

const secret = 'GPS 31.2990N 120.5853E'
const { jpeg, png, webp, losslessWebp } = samples

const segment = (marker: number, body: Buffer): Buffer => {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(body.length + 2, 2)
  return Buffer.concat([head, body])
}
const afterStart = (...parts: Buffer[]): Buffer => Buffer.concat([jpeg.subarray(0, 2), ...parts, jpeg.subarray(2)])
const exif = (orientation: number): Buffer => {
  const tiff = Buffer.alloc(26)
  tiff.write('II*\0', 'latin1')
  tiff.writeUInt32LE(8, 4)
  tiff.writeUInt16LE(1, 8)
  tiff.writeUInt16LE(0x0112, 10)
  tiff.writeUInt16LE(3, 12)
  tiff.writeUInt32LE(1, 14)
  tiff.writeUInt16LE(orientation, 18)
  return segment(0xe1, Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), tiff, Buffer.from(secret)]))
}
const chunk = (kind: string, body: Buffer): Buffer => {
  const out = Buffer.alloc(body.length + 12)
  out.writeUInt32BE(body.length, 0)
  out.write(kind, 4, 'latin1')
  body.copy(out, 8)
  out.writeUInt32BE(crc32(out.subarray(4, 8 + body.length)), 8 + body.length)
  return out
}
const riffChunk = (kind: string, text: string): Buffer => {
  const head = Buffer.alloc(8)
  head.write(kind, 'latin1')
  head.writeUInt32LE(text.length, 4)
  return Buffer.concat([head, Buffer.from(text), Buffer.alloc(text.length % 2)])
}
const riff = (...parts: Buffer[]): Buffer => {
  const whole = Buffer.concat([losslessWebp, ...parts])
  whole.writeUInt32LE(whole.length - 8, 4)
  whole[20] = (whole[20] ?? 0) | 0x0c
  return whole
}
const codeOf = (bytes: Uint8Array): string => {
  try {
    pictureOf(bytes)
    return 'taken'
  } catch (error) {
    if (error instanceof AppError) return error.code
    throw error
  }
}

describe('what a file is', () => {
  it.each([
    ['jpeg', jpeg],
    ['png', png],
    ['webp', webp],
    ['webp', losslessWebp],
  ])('%s by its own bytes, whole and unchanged', (kind, bytes) => {
    expect(pictureOf(bytes)).toEqual({ kind, width: 24, height: 16, bytes })
  })

  it.each([
    ['no picture', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['nothing', Buffer.alloc(0)],
    ['a picture that ends too early', jpeg.subarray(0, -40)],
    ['a PNG with a wrong sum', Buffer.concat([png.subarray(0, 20), Buffer.from([1]), png.subarray(21)])],
    ['a PNG without a picture', Buffer.concat([png.subarray(0, 33), png.subarray(-12)])],
    ['a WebP that moves', Buffer.concat([webp.subarray(0, 20), Buffer.from([0x22]), webp.subarray(21)])],
  ])('%s is refused', (_, bytes) => {
    expect(codeOf(bytes)).toBe('photo_invalid')
  })

  it('is refused when it is too heavy, or would be too large once it is unpacked', () => {
    expect(codeOf(Buffer.concat([jpeg, Buffer.alloc(400_000)]))).toBe('photo_too_large')
    const head = Buffer.alloc(13)
    png.copy(head, 0, 16, 29)
    head.writeUInt32BE(12_001, 0)
    head.writeUInt32BE(1_000, 4)
    const bomb = Buffer.concat([png.subarray(0, 8), chunk('IHDR', head), png.subarray(33)])
    expect(codeOf(bomb)).toBe('photo_too_large')
  })

  it('is decided without ever failing otherwise, whatever is changed in it', () => {
    const changed = fc
      .tuple(fc.constantFrom(jpeg, png, webp, losslessWebp), fc.nat(), fc.integer({ min: 0, max: 255 }), fc.nat())
      .map(([bytes, place, value, end]) => {
        const copy = Buffer.from(bytes.subarray(0, end % 4 === 0 ? end % bytes.length : bytes.length))
        if (copy.length > 0) copy[place % copy.length] = value
        return copy
      })
    fc.assert(
      fc.property(changed, (bytes) => {
        expect(['taken', 'photo_invalid', 'photo_too_large']).toContain(codeOf(bytes))
      }),
      { numRuns: 2_000 },
    )
  })
})

describe('what cameras write beside the picture', () => {
  it.each([
    ['a JPEG', afterStart(exif(1), segment(0xed, Buffer.from(secret)), segment(0xfe, Buffer.from(secret))), jpeg],
    ['a JPEG, behind its end', Buffer.concat([jpeg, Buffer.from(secret)]), jpeg],
    [
      'a PNG',
      Buffer.concat([
        png.subarray(0, 33),
        chunk('tEXt', Buffer.from(secret)),
        chunk('eXIf', Buffer.from(secret)),
        png.subarray(33),
      ]),
      png,
    ],
    ['a WebP', riff(riffChunk('EXIF', secret), riffChunk('XMP ', secret)), losslessWebp],
  ])('is taken out of %s', (_, given, expected) => {
    expect(given.includes(secret)).toBe(true)
    expect(pictureOf(given).bytes).toEqual(expected)
  })

  it('keeps which side is up', () => {
    const { bytes } = pictureOf(afterStart(exif(6)))
    expect(bytes.includes(secret)).toBe(false)
    expect(bytes.toString('latin1', 6, 12)).toBe('Exif\0\0')
    expect(pictureOf(bytes).bytes).toEqual(bytes)
  })
})
