import { png } from './pictures.ts'

/** Drawings for slots of the riders' app: hills, a road and a sun in the colours of a campaign. */

const palettes = [
  [
    [232, 246, 242],
    [120, 200, 178],
    [24, 144, 138],
    [12, 92, 96],
    [255, 208, 96],
    [250, 250, 246],
  ],
  [
    [255, 240, 226],
    [255, 190, 138],
    [236, 122, 74],
    [150, 62, 46],
    [255, 232, 160],
    [252, 250, 246],
  ],
  [
    [228, 236, 250],
    [150, 182, 232],
    [66, 112, 196],
    [32, 58, 120],
    [255, 214, 120],
    [248, 250, 254],
  ],
] as const

interface Size {
  readonly width: number
  readonly height: number
}

/** The drawing with this number in a size: the same number is the same drawing. */
export function demoBanner(number: number, { width, height }: Size): Buffer {
  const pixels = Buffer.alloc(width * height)
  const [sunX, sunY] = [width * (0.2 + ((number * 7) % 6) / 10), height * 0.3]
  const radius = Math.min(width, height) * 0.16
  const hill = (x: number, depth: number): number =>
    height * (0.46 + depth * 0.16) + Math.sin(x / (width / (4 + depth * 3)) + number * 1.7 + depth) * height * 0.09
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      let ink = 0
      if ((x - sunX) ** 2 + (y - sunY) ** 2 < radius ** 2) ink = 4
      for (const depth of [0, 1, 2]) if (y > hill(x, depth)) ink = depth + 1
      // A road with a dashed line at the foot.
      const road = y / height
      if (road > 0.86) ink = 3
      if (road > 0.92 && road < 0.94 && x % 60 < 34) ink = 5
      pixels[y * width + x] = ink
    }
  }
  return png({ width, height, pixels, palette: palettes[number % palettes.length] ?? palettes[0] })
}
