import { createClient, type SendOptions } from '@saddle/client/client.ts'
import type { AnswerOf, Endpoint, RequestOf } from '@saddle/contract/endpoint.ts'
import { learnServerTime, serverNow } from '#kit/clock.ts'
import { clientConfig } from '#kit/config.ts'
import { readKeys } from '#kit/session/keys.ts'
import { currentSelection } from '#kit/session/scope.ts'
import { currentSession } from '#kit/session/store.ts'
import { deviceId } from './device.ts'
import { ApiError } from './error.ts'

export type { AnswerOf } from '@saddle/contract/endpoint.ts'
export { ApiError, isApiError, wordsOf } from './error.ts'

/** `scope` instead of the header's selection: the selectors themselves list everything. */
export interface CallOptions extends SendOptions {
  /** The caller shows the failure itself: there is no global message. */
  readonly quiet?: boolean
}

type FailureListener = (error: ApiError) => void
const failureListeners = new Set<FailureListener>()

/** Listens to every failed call that is not quiet and to `tellFailure`; returns the unsubscribe function. */
export function onFailure(listener: FailureListener): () => void {
  failureListeners.add(listener)
  return () => failureListeners.delete(listener)
}

/** Reports a failure to all listeners: for a quiet call whose failure concerns the whole page. */
export function tellFailure(error: ApiError): void {
  for (const listener of failureListeners) listener(error)
}

/** The console's session, its keys in IndexedDB, the header's selection and the server's clock. */
const client = createClient({
  fetch: (url, init) => fetch(url, { ...init, credentials: url.startsWith('/') ? 'same-origin' : 'include' }),
  hostOf: (endpoint) => clientConfig().hosts[endpoint.host],
  now: serverNow,
  learnServerTime,
  session: async () => {
    const session = currentSession()
    const keys = session && (await readKeys(session.accessToken))
    if (session === null || keys === null) return null
    // The login page needs no ciphers before it is submitted.
    const { cipherOf } = await import('@saddle/client/cipher.ts')
    return { identity: session, cipher: await cipherOf(keys) }
  },
  sender: () => ({ build: clientConfig().build, devId: deviceId(), package: 'saddle-console' }),
  selection: currentSelection,
})

/** A token for the live socket; null while nobody is logged in. */
export const { tokenFor } = client

/**
 * Calls the server and returns the whole answer as the contract declares it. Throws `ApiError`, or an `AbortError` when
 * the signal was aborted.
 */
export async function call<E extends Endpoint>(
  endpoint: E,
  input: RequestOf<E>,
  options: CallOptions = {},
): Promise<AnswerOf<E>> {
  try {
    return await client.call(endpoint, input, options)
  } catch (error) {
    if (error instanceof ApiError && options.quiet !== true) tellFailure(error)
    throw error
  }
}
