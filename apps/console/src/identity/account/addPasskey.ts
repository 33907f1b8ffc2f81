import { startRegistration } from '@simplewebauthn/browser'
import { passkeyEndpoints } from '@saddle/contract/identity/passkeys.ts'
import { call } from '#kit/api/client.ts'
import { t } from '#kit/i18n/index.ts'

/** Creates a passkey on this device and adds it. False when the user cancelled; throws other errors. */
export async function addPasskey(name: string): Promise<boolean> {
  const { data: optionsJSON } = await call(passkeyEndpoints.beginPasskey, {}, { quiet: true })
  try {
    const { id, rawId, type, response } = await startRegistration({ optionsJSON })
    const { clientDataJSON, attestationObject, transports } = response
    const created = { clientDataJSON, attestationObject, ...(transports && { transports }) }
    const credential = { id, rawId, type, response: created } as const
    await call(passkeyEndpoints.addPasskey, { name, credential }, { quiet: true })
    return true
  } catch (error) {
    const kind = error instanceof Error ? error.name : ''
    if (kind === 'NotAllowedError' || kind === 'AbortError') return false
    // The device has one of this person's already.
    if (kind === 'InvalidStateError') throw new Error(t('该设备上已有您的通行密钥'), { cause: error })
    throw error
  }
}
