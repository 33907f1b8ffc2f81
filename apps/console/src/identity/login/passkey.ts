import { startAuthentication } from '@simplewebauthn/browser'
import { passkeyEndpoints } from '@saddle/contract/identity/passkeys.ts'
import { call, isApiError } from '#kit/api/client.ts'
import { LoginError } from './error.ts'
import { establishSession } from './session.ts'

/** Logs in with a passkey of this device. False when the user cancelled; throws `LoginError` otherwise. */
export async function passkeyLogin(): Promise<boolean> {
  try {
    const { data: optionsJSON } = await call(passkeyEndpoints.beginPasskeyLogin, {}, { quiet: true })
    const { id, rawId, type, response } = await startAuthentication({ optionsJSON })
    const { clientDataJSON, authenticatorData, signature } = response
    const proof = { id, rawId, type, response: { clientDataJSON, authenticatorData, signature } } as const
    const { data } = await call(passkeyEndpoints.passkeyLogin, proof, { quiet: true })
    await establishSession(data, data.opManId)
    return true
  } catch (error) {
    if (isCalledOff(error)) return false
    if (error instanceof LoginError) throw error
    throw new LoginError(isApiError(error) ? error.promot : '登录异常', { cause: error })
  }
}

/** The browser reports the same error for a closed dialog and for a timeout. */
const isCalledOff = (error: unknown): boolean =>
  error instanceof Error && (error.name === 'NotAllowedError' || error.name === 'AbortError')
