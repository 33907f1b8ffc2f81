import type { FastifyRequest } from 'fastify'
import { isWriting, type Endpoint } from '@saddle/contract/endpoint.ts'
import { AppError } from '@saddle/contract/errors.ts'
import { callsOfScreens } from '@saddle/contract/identity/screens.ts'
import { callsBeforeSecondFactor } from '@saddle/contract/identity/self.ts'
import { applyFinancialStatus } from '@saddle/contract/permissions.ts'
import type { SessionKeys } from '@saddle/contract/wire/crypto.ts'
import { checkTokenFits, sessionHandleOf, verifyCallToken, type CallToken } from '@saddle/contract/wire/token.ts'
import type { AppCall, Call, CookieCall, PresessionCall, SessionCall } from '#kit/call.ts'
import type { Clock } from '#kit/clock.ts'
import { nodeWireCrypto } from '#kit/wireCrypto.ts'
import type { Identity, Session } from '#identity/public.ts'
import { checkPermission, effectiveScope } from './scope.ts'

interface GuardOptions {
  /** The application of riders that holds a key; null when there is none. */
  readonly appOfKey: (key: string) => Promise<AppCall['app'] | null>
  readonly identity: Pick<Identity, 'sessions' | 'tickets'>
  readonly clock: Clock
  /** The financial account of a company; null: none was opened. */
  readonly accountOf: (agentId: number) => Promise<AccountStatus | null>
}

type AccountStatus = Exclude<Parameters<typeof applyFinancialStatus>[1], null>

export interface SealedCall {
  readonly call: SessionCall
  readonly token: CallToken
  readonly encryptionKey: Uint8Array
}

/** What a token is checked against before the body is read; the socket fills it by hand. */
interface TokenUse {
  readonly token: string
  readonly method: string
  readonly path: string
}

/** What is known of a call once its body is read. */
export interface CallContent {
  readonly params: string | undefined
  /** Of a call that is answered once. */
  readonly idempotencyKey: string | undefined
}

/** A token that was signed by its session for this method and path, within its time. */
export interface CheckedToken {
  readonly session: Session
  readonly token: CallToken
  readonly keys: SessionKeys
}

export type Guards = ReturnType<typeof createGuards>

/** The checks that stand before every handler. Each throws an AppError and lets nothing through half-checked. */
export function createGuards({ identity, clock, appOfKey, accountOf }: GuardOptions) {
  const { sessions, tickets } = identity
  const startedAt = Math.floor(clock.now() / 1000)

  const liveSession = async (handle: string | null, call: Call): Promise<Session> => {
    if (handle === null) throw new AppError('unauthorized')
    const session = sessions.cached(handle) ?? (await sessions.find(handle))
    if (session === null) throw new AppError('unauthorized')
    if (!sessions.checkCookies(session, call.cookie('sid'), call.cookie('_t'))) throw new AppError('unauthorized')
    return session
  }

  /** Session, cookies, signature, clock, binding to method and path, and whose it is: all before the body. */
  const checkToken = async (use: TokenUse, call: Call): Promise<CheckedToken> => {
    const session = await liveSession(sessionHandleOf(use.token), call)
    if (session.keys === null) throw new AppError('unauthorized')
    const token = verifyCallToken({
      crypto: nodeWireCrypto,
      signingKey: session.keys.signingKey,
      token: use.token,
      nowMs: clock.now(),
      method: use.method,
      path: use.path,
    })
    const { operator } = session
    const isOwn =
      token.userId === operator.objectId && token.phone === operator.phone && token.agentId === operator.agentId
    if (!isOwn) throw new AppError('unauthorized')
    return { session, token, keys: session.keys }
  }

  /** Takes a token, once. Calls that write are remembered by all servers, the others by this one. */
  const takeToken = async (checked: CheckedToken, content: CallContent, writes: boolean): Promise<void> => {
    const { session, token } = checked
    checkTokenFits(token, { crypto: nodeWireCrypto, ...content })
    // Calls seen by an earlier process are not remembered: honest clients sign again.
    if (!writes && token.iat < startedAt) throw new AppError('clock_skew')
    const isNew = writes
      ? await sessions.rememberWritingCall(session, token.jti)
      : sessions.rememberCall(session, token.jti)
    if (!isNew) throw new AppError('unauthorized')
  }

  return {
    checkToken,
    takeToken,

    sessionCall: async (
      endpoint: Endpoint,
      checked: CheckedToken,
      content: CallContent,
      call: Call,
    ): Promise<SealedCall> => {
      await takeToken(checked, content, isWriting(endpoint))
      const { session, token, keys } = checked
      const { caller } = session
      if (session.screen !== null && !callsOfScreens.has(endpoint)) throw new AppError('forbidden')
      if (!callsBeforeSecondFactor.has(endpoint)) checkSecondFactor(session)
      checkPermission(endpoint, session.permissions)
      if (dependsOnAccount(endpoint)) {
        const account = await accountOf(caller.agentId)
        checkPermission(endpoint, new Set(applyFinancialStatus([...session.permissions], account)))
      }
      const scope = effectiveScope(session.grant, token)
      const sessionCall = {
        ...call,
        caller,
        grant: session.grant,
        scope,
        token,
        isNarrowed: session.screen?.isNarrowed ?? false,
      }
      return { call: sessionCall, token, encryptionKey: keys.encryptionKey }
    },

    cookieCall: async (call: Call): Promise<CookieCall> => {
      const session = await sessions.findByCookie(call.cookie('sid') ?? '')
      if (session === null || !sessions.checkCookies(session, call.cookie('sid'), call.cookie('_t'))) {
        throw new AppError('unauthorized')
      }
      return { ...call, caller: session.caller }
    },

    appCall: async (call: Call, key: string | undefined): Promise<AppCall> => {
      const app = key === undefined || !appKeyPattern.test(key) ? null : await appOfKey(key)
      if (app === null) throw new AppError('unauthorized')
      return { ...call, app }
    },

    presessionCall: async (call: Call): Promise<PresessionCall> => {
      const ticket = await tickets.find(call.cookie('pre') ?? '')
      // Not a 401: after a double click the late call must not end the login that just worked.
      if (ticket === null) throw new AppError('login_failed')
      return { ...call, ticket }
    },
  }
}

/** Whether a code of the call can be dropped by the state of the financial account (specification, section 4). */
function dependsOnAccount({ permission }: Endpoint): boolean {
  return typeof permission !== 'string' && permission.some((code) => code.startsWith('financial_'))
}

/** Throws while the session has still to show its second factor, or its person to set one up. */
export function checkSecondFactor({ secondFactor }: Session): void {
  if (secondFactor === 'asked') throw new AppError('totp_required')
  if (secondFactor === 'missing') throw new AppError('totp_missing')
}

const appKeyPattern = /^[\w-]{20,100}$/
const financeTrace = /^[A-Za-z0-9-]{8,64}$/

/** The trace of a finance call, by which its caller finds it in the log and in the answer; null: none, or none that is one. */
export function traceOf({ headers }: Pick<FastifyRequest, 'headers'>): string | null {
  const { traceid } = headers
  return typeof traceid === 'string' && financeTrace.test(traceid) ? traceid : null
}

/** Finance calls repeat who calls in headers; they must be the session's own. Throws and names the header that is missing. */
export function checkFinanceHeaders(
  request: Pick<FastifyRequest, 'headers'>,
  { caller }: Pick<SessionCall, 'caller'>,
): void {
  const { phone, agentid } = request.headers
  const missing = (name: string): AppError => new AppError('bad_request', { values: { detail: name } })
  if (typeof phone !== 'string' || phone === '') throw missing('phone')
  if (typeof agentid !== 'string' || agentid === '') throw missing('agentId')
  if (phone !== caller.phone || agentid !== String(caller.agentId)) throw new AppError('unauthorized')
  if (traceOf(request) === null) throw missing('traceId')
}
