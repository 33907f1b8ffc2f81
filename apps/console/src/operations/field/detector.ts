/** What reads codes out of a picture: some browsers bring it, and TypeScript does not know it yet. */
export interface Detector {
  detect(source: HTMLVideoElement): Promise<readonly { readonly rawValue: string }[]>
}
interface DetectorClass {
  new (options: { formats: ['qr_code'] }): Detector
  getSupportedFormats(): Promise<readonly string[]>
}

/** Browsers hide cameras from addresses without https. */
export const hasCamera = (): boolean => typeof navigator.mediaDevices?.getUserMedia === 'function'

/** The browser's own reader where it reads this kind of code; else ours, which is fetched when somebody scans. */
export async function openDetector(): Promise<Detector> {
  const own = await ownClass()
  if (own !== null) return new own({ formats: ['qr_code'] })
  const { BarcodeDetector } = await import('qr/decode.js')
  return new BarcodeDetector({ formats: ['qr_code'] })
}

async function ownClass(): Promise<DetectorClass | null> {
  const found: unknown = Reflect.get(globalThis, 'BarcodeDetector')
  if (typeof found !== 'function') return null
  const own = found as unknown as DetectorClass
  // There, and yet without any format: phones without the maker's services, desktops.
  const formats = await own.getSupportedFormats().catch((): readonly string[] => [])
  return formats.includes('qr_code') ? own : null
}
