import { crc32, deflateSync } from 'node:zlib'

const width = 320
const height = 200

/** A drawing of a card without any writing: what the demo's riders send in as their certificate. A PNG. */
export function drawCard(hue: number): Buffer {
  const bands: readonly (readonly [number, number, number])[] = [
    [38, 92, 168],
    [24, 128, 92],
    [148, 52, 64],
    [92, 68, 150],
  ]
  const band = bands[hue % bands.length] ?? [38, 92, 168]
  const rows = Buffer.alloc(height * (1 + width * 3))
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const at = y * (1 + width * 3) + 1 + x * 3
      const [red, green, blue] = colourAt(x, y, band)
      rows[at] = red
      rows[at + 1] = green
      rows[at + 2] = blue
    }
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  // Eight bits of each colour, no transparency, not interlaced.
  header.set([8, 2, 0, 0, 0], 8)
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

type Colour = readonly [number, number, number]

/** A coloured head, a grey portrait, and lines where the words would be. */
function colourAt(x: number, y: number, band: Colour): Colour {
  if (x < 4 || y < 4 || x >= width - 4 || y >= height - 4) return [214, 218, 224]
  if (y < 46) return band
  const isPortrait = x > 24 && x < 110 && y > 66 && y < 176
  if (isPortrait)
    return Math.hypot(x - 67, (y - 108) * 0.9) < 24 || (y > 140 && Math.abs(x - 67) < 34)
      ? [120, 128, 140]
      : [206, 212, 220]
  const line = [78, 104, 130, 156].find((top) => y >= top && y < top + 10)
  if (line !== undefined && x > 136 && x < (line === 156 ? 230 : 290)) return [176, 184, 196]
  return [247, 248, 250]
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name), data])
  const framed = Buffer.alloc(body.length + 8)
  framed.writeUInt32BE(data.length, 0)
  body.copy(framed, 4)
  framed.writeUInt32BE(crc32(body), framed.length - 4)
  return framed
}
