import { accessTokenLifetimeMs } from '@saddle/contract/constants.ts'
import { AppError, type ErrorCode } from '@saddle/contract/errors.ts'
import { loginCookies } from '@saddle/contract/identity/limits.ts'
import type { LoginData } from '@saddle/contract/identity/login.ts'
import type { Audit } from '#audit/public.ts'
import { assertDevice, type DeviceAuthorisation } from '#identity/devices/authorisation.ts'
import { findOperatorByPhone, type LoginOperator } from '#identity/operator/store.ts'
import { cookieHash, type IdentitySecrets } from '#identity/secrets.ts'
import type { SessionDirectory } from '#identity/session/directory.ts'
import { endSessions, insertSession, type NewSession } from '#identity/session/store.ts'
import type { Call } from '#kit/call.ts'
import type { Clock } from '#kit/clock.ts'
import { randomToken } from '#kit/crypto.ts'
import type { Database, Tx } from '#kit/db/pool.ts'
import type { Log } from '#kit/log.ts'
import type { Random } from '#kit/random.ts'

/** Maximum sessions of one operator; the oldest is ended. */
const sessionsPerOperatorMax = 20
const userAgentMax = 300
const addressMax = 64

export interface OpenDeps {
  readonly db: Database
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  readonly secrets: IdentitySecrets
  readonly audit: Audit
  readonly directory: SessionDirectory
  readonly authorisation: DeviceAuthorisation
}

export interface OpenRequest {
  readonly call: Call
  /** The number whose holder has been verified. */
  readonly phone: string
  readonly kind: NewSession['loginKind']
  /** The operator whom the client names; absent where the call names none. */
  readonly opManId?: string
  /** Of a browser that has got its cookie with this very call; absent: that of the call's cookie. */
  readonly deviceHash?: string
  /** Spends what the login is paid with; false refuses the login. Runs in the transaction that opens the session. */
  readonly spend?: (tx: Tx) => Promise<boolean>
}

type Opened = { readonly operator: LoginOperator; readonly handle: string; readonly sid: string; readonly csrf: string }

/**
 * The one place where sessions begin. Throws `login_failed` for a number without operator, a ticket that is spent and
 * a foreign opManId alike, `operator_disabled`, and the refusals of the device check.
 */
export async function openSession(deps: OpenDeps, request: OpenRequest): Promise<LoginData> {
  const { secrets, random, db, directory } = deps
  const { call, phone } = request
  await checkDevice(deps, request)
  const cookies = { handle: randomToken(random), sid: randomToken(random), csrf: randomToken(random) }
  const ended: string[] = []
  // Refusals are returned and not thrown: the spent ticket and the audit line have to be kept.
  const outcome = await db.system(async (tx): Promise<Opened | ErrorCode> => {
    const isSpent = request.spend === undefined || (await request.spend(tx))
    const operator = await findOperatorByPhone(tx, secrets.phoneHash(phone))
    const isNamedOperator = request.opManId === undefined || request.opManId === operator?.opManId
    if (operator === null) return 'login_failed'
    const refusal = !isSpent || !isNamedOperator ? 'login_failed' : operator.isEnabled ? null : 'operator_disabled'
    if (refusal !== null) {
      await writeLine(deps, { tx, request, operator, refusal })
      return refusal
    }
    ended.push(...(await admit(deps, { tx, request, operator, cookies })))
    return { operator, ...cookies }
  })
  for (const handle of ended) directory.changed(handle)
  if (typeof outcome === 'string') throw new AppError(outcome)
  call.setCookie(loginCookies.session, outcome.sid, { maxAgeMs: accessTokenLifetimeMs })
  call.setCookie(loginCookies.csrf, outcome.csrf, { maxAgeMs: accessTokenLifetimeMs, readable: true })
  call.clearCookie(loginCookies.presession)
  return {
    agentId: outcome.operator.agentId,
    roleId: outcome.operator.roleId,
    accessToken: outcome.handle,
    objectId: secrets.objectId(phone),
    phone,
  }
}

async function checkDevice(deps: OpenDeps, { call, phone, deviceHash }: OpenRequest): Promise<void> {
  const { db, secrets, authorisation, log } = deps
  const [operator] = await db.systemRead((kysely) =>
    kysely
      .selectFrom('operator')
      .select(['id', 'agent_id'])
      .where('phone_hash', '=', secrets.phoneHash(phone))
      .compile(),
  )
  if (operator === undefined) return
  const check = {
    operator: { id: operator.id, agentId: operator.agent_id },
    deviceHash: deviceHash ?? deviceHashOf(call),
  }
  await assertDevice({ authorisation, check, log })
}

/** What a browser is known by; null for one that has no device cookie. */
export function deviceHashOf(call: Call): string | null {
  const cookie = call.cookie(loginCookies.device)
  return cookie === undefined ? null : cookieHash(cookie)
}

/** Writes the session, ends what it takes the place of, and returns the handles of the ended ones. */
async function admit(
  deps: OpenDeps,
  options: {
    tx: Tx
    request: OpenRequest
    operator: LoginOperator
    cookies: { handle: string; sid: string; csrf: string }
  },
): Promise<string[]> {
  const { tx, request, operator, cookies } = options
  const { call } = request
  const nowMs = deps.clock.now()
  const at = new Date(nowMs)
  // The browser's previous session loses its cookie to this one, so it has to end.
  const previousSid = call.cookie(loginCookies.session)
  const replaced =
    previousSid === undefined ? [] : await endSessions({ tx, ending: { sidHash: cookieHash(previousSid) }, at })
  await insertSession(tx, {
    handle: cookies.handle,
    sidHash: cookieHash(cookies.sid),
    csrfHash: cookieHash(cookies.csrf),
    operatorId: operator.id,
    loginKind: request.kind,
    createdAt: at,
    expiresAt: new Date(nowMs + accessTokenLifetimeMs),
    previousLoginAt: operator.lastLoginAt,
    userAgent: call.userAgent.slice(0, userAgentMax),
    address: call.address.slice(0, addressMax),
    deviceHash: request.deviceHash ?? deviceHashOf(call),
  })
  const excess = await endSessions({
    tx,
    ending: { operatorId: operator.id, excess: sessionsPerOperatorMax },
    at,
  })
  await tx.updateTable('operator').set({ last_login_at: at }).where('id', '=', operator.id).execute()
  await writeLine(deps, { tx, request, operator, refusal: null })
  return [...replaced, ...excess]
}

function writeLine(
  deps: OpenDeps,
  options: { tx: Tx; request: OpenRequest; operator: LoginOperator; refusal: ErrorCode | null },
): Promise<void> {
  const { tx, request, operator, refusal } = options
  return deps.audit.write(tx, {
    agentId: operator.agentId,
    operatorId: refusal === null ? operator.id : null,
    action: refusal === null ? 'session.login' : 'session.login_refused',
    subjectKind: 'operator',
    subjectId: operator.id,
    after: { kind: request.kind, ...(refusal === null ? {} : { refusal }) },
    address: request.call.address,
    requestId: request.call.requestId,
  })
}
