/** Reads codes from a picture: some browsers have it built in, and TypeScript has no types for it yet. */
export interface Detector {
  detect(source: HTMLVideoElement): Promise<readonly { readonly rawValue: string }[]>
}
interface DetectorClass {
  new (options: { formats: string[] }): Detector
  getSupportedFormats(): Promise<readonly string[]>
}

/** Browsers hide cameras from addresses without https. */
export const hasCamera = (): boolean => typeof navigator.mediaDevices?.getUserMedia === 'function'

const barFormats = ['data_matrix', 'code_128', 'code_39']

/**
 * The browser's own reader if it supports this kind of code; otherwise ours, loaded on the first scan. Ours reads squares
 * only; makers print bars on the labels of parts, too.
 */
export async function openDetector({ hasBars = false }: { readonly hasBars?: boolean } = {}): Promise<Detector> {
  const own = await ownClass()
  if (own !== null) {
    const known = hasBars ? await own.getSupportedFormats() : []
    return new own({ formats: ['qr_code', ...barFormats.filter((format) => known.includes(format))] })
  }
  const { BarcodeDetector } = await import('qr/decode.js')
  return new BarcodeDetector({ formats: ['qr_code'] })
}

async function ownClass(): Promise<DetectorClass | null> {
  const found: unknown = Reflect.get(globalThis, 'BarcodeDetector')
  if (typeof found !== 'function') return null
  const own = found as unknown as DetectorClass
  // Present but without any format: on phones without the maker's services, and on desktops.
  const formats = await own.getSupportedFormats().catch((): readonly string[] => [])
  return formats.includes('qr_code') ? own : null
}
