import type { Kit } from '#kit/kit.ts'
import { moveOn } from './fetched.ts'
import type { createImages } from './images.ts'
import type { Addresses } from './addresses.ts'

/** Bytes that count as one package where a device fetches by HTTP. */
export const mqttPackageBytes = 16_384

export type Files = {
  /** A part of an artefact, when the address is good and its upgrade may go on; null where it is not. */
  read(token: string, range: { from: number; to: number }): Promise<{ bytes: Buffer; size: number } | null>
}

/** What devices fetch by HTTP. The progress is stored before the bytes leave. */
export function createFiles(
  kit: Pick<Kit, 'db' | 'clock'>,
  { addresses, images }: { addresses: Addresses; images: ReturnType<typeof createImages> },
): Files {
  return {
    async read(token, { from, to }) {
      const named = addresses.open(token)
      if (named === null) return null
      const image = await images.find(named.artefactId)
      if (image === null) return null
      const { content } = image
      const isAllowed = await moveOn(kit, { ...named, next: Math.floor(from / mqttPackageBytes) })
      return isAllowed ? { bytes: content.subarray(from, to + 1), size: content.length } : null
    },
  }
}
