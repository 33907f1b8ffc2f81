import { AppError } from '@saddle/contract/errors.ts'
import { keyExchangeWindowMs } from '@saddle/contract/identity/limits.ts'
import type { IdentitySecrets } from '#identity/secrets.ts'
import type { SessionDirectory } from '#identity/session/directory.ts'
import { storeKeys } from '#identity/session/store.ts'
import type { Clock } from '#kit/clock.ts'
import type { Database } from '#kit/db/pool.ts'
import type { Log } from '#kit/log.ts'
import type { Random } from '#kit/random.ts'
import type { KeyExchange } from './exchange.ts'

const keyLength = 32

/**
 * Creates the session's two keys and seals them to the client: once, soon after the login, for the session whose handle
 * the sealed request names. Every failure is answered with `signature_failed`.
 */
export async function issueKeys(
  deps: {
    db: Database
    clock: Clock
    random: Random
    log: Log
    secrets: IdentitySecrets
    directory: SessionDirectory
    exchange: KeyExchange
  },
  options: { params: string; sessionId: number },
): Promise<string> {
  const { db, clock, random, log, secrets, directory, exchange } = deps
  const { params, sessionId } = options
  const refuse = (reason: string, cause?: unknown): never => {
    log.warn({ sessionId, reason, err: cause }, 'a key exchange was rejected')
    throw new AppError('signature_failed', { cause })
  }
  const [session] = await db.systemRead((kysely) =>
    kysely.selectFrom('session').select('handle').where('id', '=', sessionId).compile(),
  )
  if (session === undefined) return refuse('no session')
  const { handle } = session
  const nowMs = clock.now()
  const keys = { encryptionKey: random.bytes(keyLength), signingKey: random.bytes(keyLength) }
  let answer: string
  try {
    const request = await exchange.openRequest(params)
    if (request.sessionHandle !== handle) throw new Error('sealed for another session')
    if (Math.abs(nowMs - request.issuedAt) > keyExchangeWindowMs) throw new Error('sealed at another time')
    answer = await exchange.sealAnswer({ keys, clientPublicKey: request.publicKey })
  } catch (cause) {
    return refuse('bad request', cause)
  }
  const isStored = await db.system((tx) =>
    storeKeys({ tx, sessionId, keysSealed: secrets.sealKeys(handle, keys), nowMs }),
  )
  if (!isStored) return refuse('not the first exchange, or too late')
  directory.changed(handle)
  return answer
}
