import type { wallScreenEndpoints } from '@saddle/contract/identity/screens.ts'
import { screenSessionLifetimeMs } from '@saddle/contract/identity/screens.ts'
import { loginCookies } from '@saddle/contract/identity/limits.ts'
import type { OutputOf } from '@saddle/contract/endpoint.ts'
import type { Audit } from '#audit/public.ts'
import { findOperatorById } from '#identity/operator/store.ts'
import { cookieHash, type IdentitySecrets } from '#identity/secrets.ts'
import type { SessionDirectory } from '#identity/session/directory.ts'
import { endSessions, insertSession } from '#identity/session/store.ts'
import type { Call } from '#kit/call.ts'
import { randomToken } from '#kit/crypto.ts'
import type { Clock } from '#kit/clock.ts'
import type { Database, Tx } from '#kit/db/pool.ts'
import type { Random } from '#kit/random.ts'
import { knownPages } from './rules.ts'
import { findPairing, type PairingRow } from './store.ts'

export interface ScreenDeps {
  readonly db: Database
  readonly clock: Clock
  readonly random: Random
  readonly secrets: IdentitySecrets
  readonly audit: Audit
  readonly directory: SessionDirectory
}

type Answer = OutputOf<(typeof wallScreenEndpoints)['collectScreenSession']>

interface Collected {
  readonly answer: Answer['data']
  readonly cookies?: { readonly sid: string; readonly csrf: string }
  readonly ended?: readonly string[]
}

/** What the wall whose cookie it is may have: its session, once, when somebody has entered its code. */
export async function collectSession(deps: ScreenDeps, call: Call): Promise<Answer> {
  const { db, directory } = deps
  const collect = call.cookie(loginCookies.screen)
  if (collect === undefined) return { suc: true, data: { state: 'expired' } }
  const { answer, cookies, ended = [] } = await db.system((tx) => collectIn(deps, tx, { call, collect }))
  for (const handle of ended) directory.changed(handle)
  if (cookies !== undefined) {
    call.setCookie(loginCookies.session, cookies.sid, { maxAgeMs: screenSessionLifetimeMs })
    call.setCookie(loginCookies.csrf, cookies.csrf, { maxAgeMs: screenSessionLifetimeMs, readable: true })
    call.clearCookie(loginCookies.screen)
  }
  return { suc: true, data: answer }
}

async function collectIn(
  deps: ScreenDeps,
  tx: Tx,
  { call, collect }: { readonly call: Call; readonly collect: string },
): Promise<Collected> {
  const { clock } = deps
  const pairing = await findPairing(tx, cookieHash(collect))
  const at = new Date(clock.now())
  if (pairing === null || pairing.collectedAt !== null || pairing.expiresAt <= at)
    return { answer: { state: 'expired' } }
  if (pairing.screenId === null) return { answer: { state: 'waiting' } }
  return openScreenSession(deps, tx, { call, pairing, at })
}

/** Opens the session of the pairing's screen, unless the screen was removed or its person may not log in any more. */
async function openScreenSession(
  { random, secrets, audit }: ScreenDeps,
  tx: Tx,
  { call, pairing, at }: { readonly call: Call; readonly pairing: PairingRow; readonly at: Date },
): Promise<Collected> {
  const { screenId, agentId, operatorId, name, pages, removedAt } = pairing
  const operator = operatorId === null ? null : await findOperatorById(tx, operatorId)
  const isGone = removedAt !== null || operator === null || !operator.isEnabled
  if (isGone || screenId === null || agentId === null || name === null || pages === null)
    return { answer: { state: 'expired' } }
  const [handle, sid, csrf] = [randomToken(random), randomToken(random), randomToken(random)]
  // The browser's previous session loses its cookie to this one, so it has to end.
  const previous = call.cookie(loginCookies.session)
  const ended = previous === undefined ? [] : await endSessions({ tx, ending: { sidHash: cookieHash(previous) }, at })
  await insertSession(tx, {
    handle,
    sidHash: cookieHash(sid),
    csrfHash: cookieHash(csrf),
    operatorId: operator.id,
    loginKind: 'screen',
    screenId,
    createdAt: at,
    expiresAt: new Date(at.getTime() + screenSessionLifetimeMs),
    previousLoginAt: null,
    userAgent: call.userAgent.slice(0, 300),
    address: call.address.slice(0, 64),
    deviceHash: null,
  })
  await tx.updateTable('screen_pairing').set({ collected_at: at }).where('id', '=', pairing.id).execute()
  const { address, requestId } = call
  await audit.write(tx, {
    agentId,
    operatorId: operator.id,
    action: 'session.login',
    subjectKind: 'screen',
    subjectId: screenId,
    after: { kind: 'screen' },
    address,
    requestId,
  })
  return {
    answer: {
      state: 'paired',
      accessToken: handle,
      objectId: secrets.screenObjectId(screenId),
      // That of the session, which may have moved to another company since.
      agentId: operator.agentId,
      name,
      pages: knownPages(pages),
    },
    cookies: { sid, csrf },
    ended,
  }
}
