import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { encode } from 'uqr'

const picturesDir = fileURLToPath(new URL('../.cache/e2e/camera', import.meta.url))
const size = { width: 640, height: 480 } as const
const modulePx = 8
const quietModules = 4

/** A film of a sticker with a code, as a camera would see it; the path of the file. */
export function filmOf(text: string): string {
  const { data } = encode(text)
  const side = (data.length + 2 * quietModules) * modulePx
  const [left, top] = [(size.width - side) >> 1, (size.height - side) >> 1]
  // Grey street around a white sticker.
  const luma = new Uint8Array(size.width * size.height).fill(120)
  for (let y = 0; y < side; y += 1) {
    for (let x = 0; x < side; x += 1) {
      const row = data[Math.floor(y / modulePx) - quietModules]
      const isDark = row?.[Math.floor(x / modulePx) - quietModules] === true
      luma[(top + y) * size.width + left + x] = isDark ? 30 : 230
    }
  }
  const chroma = new Uint8Array((size.width * size.height) / 2).fill(128)
  const frame = Buffer.concat([Buffer.from('FRAME\n'), luma, chroma])
  mkdirSync(picturesDir, { recursive: true })
  const path = join(picturesDir, `${text.replaceAll(/\W/g, '_')}.y4m`)
  const head = Buffer.from(`YUV4MPEG2 W${size.width} H${size.height} F10:1 Ip A1:1 C420jpeg\n`)
  writeFileSync(path, Buffer.concat([head, frame, frame]))
  return path
}
