import type { LoginData } from '@saddle/contract/identity/login.ts'
import { chatEndpoints } from '@saddle/contract/support/chat.ts'
import { call } from '#kit/api/client.ts'
import { serverNow } from '#kit/clock.ts'
import { clientConfig } from '#kit/config.ts'
import { keepKeys } from '#kit/session/keys.ts'
import { currentSession, endSession, startSession } from '#kit/session/store.ts'
import { loadPermissions } from '#kit/session/permissions.ts'
import { LoginError } from './error.ts'

/** Turns what login returned into a session with keys. Throws `LoginError` 获取签名失败, and then there is no session. */
export async function establishSession(data: LoginData, opManId: string): Promise<void> {
  const { accessToken, objectId, phone, agentId, roleId } = data
  try {
    // Ciphers and curves are fetched now and not with the page.
    const { exchangeKeys } = await import('@saddle/client/login.ts')
    const keys = await exchangeKeys({
      client: { call: (endpoint, input) => call(endpoint, input, { quiet: true }) },
      serverKey: clientConfig().serverKey,
      sessionHandle: accessToken,
      issuedAtMs: serverNow(),
    })
    await keepKeys(accessToken, keys)
  } catch (cause) {
    endSession()
    throw new LoginError('获取签名失败', { cause })
  }
  startSession({ accessToken, objectId, phone, agentId, roleId, opManId })
}

/** Registers the user with the support service; a failure does not block the login. */
export async function registerForSupport(): Promise<void> {
  const session = currentSession()
  if (session === null) return
  const name = session.me?.name ?? ''
  const company = session.me?.company ?? ''
  const { phone, objectId } = session
  await call(chatEndpoints.registerForSupport, { name, phone, company, objectId }, { quiet: true }).catch(() => null)
}

/** Steps after a login: codes, person and financial account, then the support service. Returns the codes held. */
export async function afterLogin(): Promise<ReadonlySet<string>> {
  const permissions = await loadPermissions()
  await registerForSupport()
  return permissions.held
}
