import { crc32, deflateSync } from 'node:zlib'

/** A white picture of a size. */
export function blankPng(width: number, height: number): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  // Eight bits of grey a pixel.
  head.set([8, 0, 0, 0, 0], 8)
  const rows = Buffer.alloc((width + 1) * height, 0xff)
  for (let row = 0; row < height; row += 1) rows[row * (width + 1)] = 0
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(kind: string, body: Buffer): Buffer {
  const whole = Buffer.alloc(body.length + 12)
  whole.writeUInt32BE(body.length, 0)
  whole.write(kind, 4, 'latin1')
  body.copy(whole, 8)
  whole.writeUInt32BE(crc32(whole.subarray(4, 8 + body.length)), 8 + body.length)
  return whole
}
