import { photoBytesMax } from '@saddle/contract/photos/photo.ts'

/** The longer side of what is sent: enough to read a number plate, little enough for a weak network. */
const sideMaxPx = 1_280
const qualities = [0.82, 0.7, 0.55, 0.4] as const

/** A photo that was picked: what is sent, and what is shown meanwhile. */
export interface PickedPhoto {
  readonly key: string
  readonly name: string
  readonly base64: string
}

/** The size at which a picture fits the longest side; never larger than it is. */
export function fitted(width: number, height: number, sideMax: number = sideMaxPx): { width: number; height: number } {
  const factor = Math.min(1, sideMax / Math.max(width, height, 1))
  return { width: Math.max(1, Math.round(width * factor)), height: Math.max(1, Math.round(height * factor)) }
}

let lastKey = 0

/** A picture file as a JPEG that the server takes, right side up. Throws where the browser cannot read the file. */
export async function shrink(file: File): Promise<PickedPhoto> {
  const bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' })
  try {
    const { width, height } = fitted(bitmap.width, bitmap.height)
    const canvas = document.createElement('canvas')
    canvas.width = width
    canvas.height = height
    const context = canvas.getContext('2d')
    if (context === null) throw new Error('no canvas')
    // Transparent parts of a PNG would become black.
    context.fillStyle = '#ffffff'
    context.fillRect(0, 0, width, height)
    context.drawImage(bitmap, 0, 0, width, height)
    for (const quality of qualities) {
      const base64 = canvas.toDataURL('image/jpeg', quality).split(',')[1] ?? ''
      if ((base64.length * 3) / 4 <= photoBytesMax) return { key: String((lastKey += 1)), name: file.name, base64 }
    }
    throw new Error('it stays too large')
  } finally {
    bitmap.close()
  }
}
