import { isSameText } from '#kit/crypto.ts'
import type { Kit } from '#kit/kit.ts'
import { addressValidMs } from './rules.ts'

/** Short-lived addresses of artefacts, for devices that fetch by HTTP: whoever has one has this upgrade's bytes and no more. */
export type Addresses = {
  /** Null while nobody can reach the platform by HTTP. */
  make(actionId: number, artefactId: number): { readonly url: string; readonly expiresAt: number } | null
  /** What a path names; null where it is forged or its time is over. */
  open(token: string): { readonly actionId: number; readonly artefactId: number } | null
  /** Whether the platform can be reached by HTTP yet. */
  isServed(): boolean
  /** Where the platform answers, unless the configuration says it. */
  servedAt(url: string): void
}

const purpose = 'artefact-address'
export const artefactPath = '/device/artefact'

export function createAddresses(kit: Pick<Kit, 'clock' | 'secrets' | 'config'>): Addresses {
  let served = kit.config.publicUrl
  const sign = (text: string): string => kit.secrets.hmac({ purpose, text })
  return {
    servedAt: (url) => (served = kit.config.publicUrl ?? url),
    isServed: () => served !== undefined,
    make(actionId, artefactId) {
      if (served === undefined) return null
      const expiresAt = kit.clock.now() + addressValidMs
      const said = `${actionId}.${artefactId}.${expiresAt}`
      return { url: `${served}${artefactPath}/${said}.${sign(said)}`, expiresAt }
    },
    open(token) {
      const parts = /^(\d{1,15})\.(\d{1,15})\.(\d{13})\.([\w-]{43})$/.exec(token)
      if (parts === null) return null
      const [, actionId = '', artefactId = '', expiresAt = '', signature = ''] = parts
      const isOurs = isSameText(signature, sign(`${actionId}.${artefactId}.${expiresAt}`))
      if (!isOurs || Number(expiresAt) < kit.clock.now()) return null
      return { actionId: Number(actionId), artefactId: Number(artefactId) }
    },
  }
}
