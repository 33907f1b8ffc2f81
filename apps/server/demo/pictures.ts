import { crc32, deflateSync } from 'node:zlib'

/**
 * Drawings that stand for photos in the demo: a vehicle at a kerb, beside or inside a marked place, by day or at dusk.
 * PNG with a palette, because a few lines write it.
 */

const width = 480
const height = 360

type Ink = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7
/** Sky, wall, window, pavement, road, paint, frame, tyre. */
const days: readonly (readonly (readonly [number, number, number])[])[] = [
  [
    [201, 222, 240],
    [214, 205, 190],
    [146, 176, 196],
    [186, 184, 178],
    [112, 116, 122],
    [240, 240, 236],
    [24, 144, 138],
    [38, 42, 48],
  ],
  [
    [74, 84, 122],
    [92, 84, 92],
    [238, 200, 122],
    [98, 96, 100],
    [58, 60, 68],
    [206, 204, 192],
    [28, 112, 120],
    [20, 22, 28],
  ],
]

/** The drawing with this number: the same number is the same drawing. */
export function demoPicture(number: number): Buffer {
  const pixels = Buffer.alloc(width * height)
  const rect = (ink: Ink, x: number, y: number, w: number, h: number): void => {
    for (let row = Math.max(0, y); row < Math.min(height, y + h); row += 1) {
      pixels.fill(ink, row * width + Math.max(0, x), row * width + Math.min(width, x + w))
    }
  }
  const kerb = 250 + (number % 3) * 12
  rect(0, 0, 0, width, height)
  rect(1, 0, 60 - (number % 4) * 12, width, 200)
  for (let x = 24 + (number % 5) * 6; x < width; x += 84) rect(2, x, 96, 44, 62)
  rect(3, 0, 190, width, kerb - 190)
  rect(4, 0, kerb, width, height - kerb)
  rect(5, 0, kerb, width, 5)
  const isInPlace = number % 3 === 0
  const place = isInPlace ? 120 : 320
  for (const x of [place, place + 130]) rect(5, x, kerb - 52, 5, 52)
  rect(5, place, kerb - 52, 135, 5)
  drawVehicle(pixels, 110 + (number % 4) * 14, kerb - (number % 2) * 16)
  return png({ width, height, pixels, palette: days[Math.floor(number / 4) % days.length] ?? [] })
}

/** Two wheels, a frame, a seat and a handlebar, standing on a line. */
function drawVehicle(pixels: Buffer, left: number, ground: number): void {
  const radius = 30
  const [rear, front] = [left + radius, left + 130]
  const axle = ground - radius
  const dot = (ink: Ink, x: number, y: number, r: number): void => {
    for (let dy = -r; dy <= r; dy += 1) {
      for (let dx = -r; dx <= r; dx += 1) {
        const [px, py] = [Math.round(x + dx), Math.round(y + dy)]
        if (dx * dx + dy * dy <= r * r && px >= 0 && px < width && py >= 0 && py < height) pixels[py * width + px] = ink
      }
    }
  }
  const line = (ink: Ink, from: readonly [number, number], to: readonly [number, number], r: number): void => {
    const steps = Math.hypot(to[0] - from[0], to[1] - from[1])
    for (let step = 0; step <= steps; step += 1) {
      dot(ink, from[0] + ((to[0] - from[0]) * step) / steps, from[1] + ((to[1] - from[1]) * step) / steps, r)
    }
  }
  for (const x of [rear, front]) {
    for (let degree = 0; degree < 360; degree += 4) {
      const angle = (degree * Math.PI) / 180
      dot(7, x + Math.cos(angle) * (radius - 4), axle + Math.sin(angle) * (radius - 4), 4)
    }
  }
  line(6, [rear, axle], [rear + 34, axle - 6], 5)
  line(6, [rear + 34, axle - 6], [front - 22, axle - 12], 7)
  line(6, [rear + 34, axle - 6], [rear + 18, axle - 52], 5)
  line(6, [front, axle], [front - 26, axle - 74], 5)
  line(7, [rear + 4, axle - 54], [rear + 34, axle - 54], 6)
  line(7, [front - 44, axle - 78], [front - 20, axle - 74], 4)
}

interface Drawing {
  readonly width: number
  readonly height: number
  /** The number of a colour for each pixel, row by row. */
  readonly pixels: Buffer
  readonly palette: readonly (readonly number[])[]
}

/** A drawing as a file. */
export function png({ width, height, pixels, palette }: Drawing): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, 3, 0, 0, 0], 8)
  const rows = Buffer.alloc((width + 1) * height)
  for (let row = 0; row < height; row += 1) pixels.copy(rows, row * (width + 1) + 1, row * width, (row + 1) * width)
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', head),
    chunk('PLTE', Buffer.from(palette.flat())),
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
