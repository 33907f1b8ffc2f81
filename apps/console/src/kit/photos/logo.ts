import { brandLimits } from '@saddle/contract/organisation/appearance.ts'
import { fitted } from './shrink.ts'

/** Four times the size at which a logo is shown: sharp on every screen. */
const sideMaxPx = 256
const webpQualities = [0.92, 0.8, 0.6] as const

/** A logo that was picked, as a data address: small, and with its transparency. Throws where it cannot be read. */
export async function pickLogo(file: File): Promise<string> {
  const bitmap = await createImageBitmap(file)
  try {
    const { width, height } = fitted(bitmap.width, bitmap.height, sideMaxPx)
    const canvas = document.createElement('canvas')
    canvas.width = width
    canvas.height = height
    const context = canvas.getContext('2d')
    if (context === null) throw new Error('no canvas')
    context.drawImage(bitmap, 0, 0, width, height)
    const tries = [
      () => canvas.toDataURL('image/png'),
      ...webpQualities.map((q) => () => canvas.toDataURL('image/webp', q)),
    ]
    for (const attempt of tries) {
      const address = attempt()
      if ((base64Of(address).length * 3) / 4 <= brandLimits.logoBytes) return address
    }
    throw new Error('it stays too large')
  } finally {
    bitmap.close()
  }
}

/** The part of a data address that is sent. */
export const base64Of = (address: string): string => address.split(',')[1] ?? ''
