import { sessionIdleMs } from '@saddle/contract/constants.ts'
import { minuteMs } from '@saddle/contract/time.ts'
import { equalBytes, utf8 } from '@saddle/contract/wire/bytes.ts'
import type { SessionKeys } from '@saddle/contract/wire/crypto.ts'
import type { Background } from '#identity/background.ts'
import { cookieHash, type IdentitySecrets } from '#identity/secrets.ts'
import { localTopic, topic, type Bus } from '#kit/bus.ts'
import type { Caller } from '#kit/call.ts'
import type { Clock } from '#kit/clock.ts'
import type { Database } from '#kit/db/pool.ts'
import type { Scope } from '#kit/db/scope.ts'
import type { Log } from '#kit/log.ts'
import { screenCodes } from '#identity/screens/rules.ts'
import { createReplayGuard } from './replay.ts'
import { isSecondFactorRequired, type SecondFactor, secondFactorOf } from './rules.ts'
import {
  endSessions,
  type Ending,
  insertNonce,
  readSessionByHandle,
  readSessionBySid,
  type SessionRow,
  touchSession,
} from './store.ts'

/** Topics that make a node drop cached sessions; an absent field means all sessions or operators. */
export const identityTopics = {
  sessionChanged: topic<{ readonly handle?: string }>('session.changed'),
  /** A code went out to somebody of a company. */
  smsSent: localTopic<{ readonly agentId: number }>('sms.sent'),
  /** State, role or areas of one operator; without an id also roles, areas and franchisees. */
  operatorChanged: topic<{ readonly operatorId?: number }>('operator.changed'),
} as const

const cachedMax = 50_000
/** How long an entry is used when no topic invalidates it; bounds the effect of a missed message. */
const cacheMs = 2_000
const touchEveryMs = minuteMs
const handlePattern = /^[A-Za-z0-9_-]{43}$/
/** About 13,000 calls a second for the whole window. */
const rememberedCallsMax = 1_000_000

export interface Session {
  readonly id: number
  readonly handle: string
  /** Null until the key exchange. */
  readonly keys: SessionKeys | null
  readonly sidHash: string
  readonly csrfHash: string
  readonly createdAt: Date
  readonly operator: {
    readonly id: number
    readonly opManId: string
    readonly objectId: string
    readonly agentId: number
    readonly phone: string
    readonly name: string
    readonly level: number
  }
  /** Codes of the operator's enabled role, and `all`. */
  readonly permissions: ReadonlySet<string>
  /** Own franchisee and all sub-franchisees; their areas, or those that the operator is limited to. */
  readonly grant: Scope
  readonly caller: Caller
  /** The screen on a wall that it belongs to; null: it is a person's. */
  readonly screen: { readonly id: number; readonly name: string; readonly isNarrowed: boolean } | null
  /** While it is not `clear`, the session may only make the calls that clear it. */
  readonly secondFactor: SecondFactor
}

export interface SessionDirectory {
  /** The live session of an access token. Null: unknown, ended, idle too long, or its operator is disabled. */
  find(handle: string): Promise<Session | null>
  /** Like `find`, from the cache alone; undefined when there is no fresh entry. */
  cached(handle: string): Session | undefined
  /** The live session of a `sid` cookie, for the one call that carries no access token yet; the caller has to check `_t`. */
  findByCookie(sid: string): Promise<Session | null>
  /** Whether both cookies belong to this session. */
  checkCookies(session: Session, sid: string | undefined, csrf: string | undefined): boolean
  /**
   * The last check of a read call, after signature and cookies: false for a repeated call. Counts as
   * activity of the session, so a session cannot be kept alive without its key.
   */
  rememberCall(session: Session, jti: string): boolean
  /** The same for a write call, recorded in the database so that all nodes see it. */
  rememberWritingCall(session: Session, jti: string): Promise<boolean>
  /** Ends sessions at once on this node, within moments on the others. */
  revoke(sessionId: number): Promise<void>
  revokeAllOf(operatorId: number): Promise<void>
  /** Drops a session from the cache and publishes it on this server. Call it after the commit. */
  changed(handle: string): void
  /** Drops cached sessions of these handles and operators; null operators: all. */
  forget(affected: { readonly operatorIds: readonly number[] | null; readonly handles: readonly string[] }): void
  close(): void
}

interface Entry {
  readonly session: Session
  readonly cachedUntilMs: number
  touchedAtMs: number
}

export interface DirectoryDeps {
  readonly db: Database
  readonly clock: Clock
  readonly bus: Bus
  readonly log: Log
  readonly secrets: IdentitySecrets
  readonly background: Background
}

export function createSessionDirectory(deps: DirectoryDeps): SessionDirectory {
  const { db, clock, bus, background } = deps
  const replay = createReplayGuard({ clock, callsMax: rememberedCallsMax })
  const cache = createSessionCache(deps)

  const stops = [
    bus.subscribe(identityTopics.sessionChanged, ({ handle }) => {
      if (handle === undefined) cache.forgetAll()
      else cache.forget(handle)
    }),
    bus.subscribe(identityTopics.operatorChanged, ({ operatorId }) => {
      if (operatorId === undefined) cache.forgetAll()
      else cache.forgetOperators(new Set([operatorId]))
    }),
    bus.onGap(() => cache.forgetAll()),
  ]

  const changed = (handle: string): void => {
    cache.forget(handle)
    bus.publish(identityTopics.sessionChanged, { handle })
  }
  const end = async (ending: Ending): Promise<void> => {
    const handles = await db.system((tx) => endSessions({ tx, ending, at: new Date(clock.now()) }))
    for (const handle of handles) changed(handle)
  }

  const rememberCall = (session: Session, jti: string): boolean => {
    if (!replay.isNew(session.id, jti)) return false
    const nowMs = clock.now()
    if (cache.isTouchDue(session.handle, nowMs)) {
      const at = new Date(nowMs)
      background.run('session activity', () => touchSession({ db, sessionId: session.id, at }))
    }
    return true
  }

  return {
    find: cache.find,
    cached: cache.cached,
    findByCookie: async (sid) => {
      if (!handlePattern.test(sid)) return null
      const row = await readSessionBySid(db, cookieHash(sid))
      return row === null ? null : cache.liveSession(row)
    },
    checkCookies: (session, sid, csrf) => {
      if (sid === undefined || csrf === undefined) return false
      const isSid = equalBytes(utf8(cookieHash(sid)), utf8(session.sidHash))
      return equalBytes(utf8(cookieHash(csrf)), utf8(session.csrfHash)) && isSid
    },
    rememberCall,
    rememberWritingCall: async (session, jti) =>
      rememberCall(session, jti) && insertNonce({ db, sessionId: session.id, jti, at: new Date(clock.now()) }),
    revoke: (sessionId) => end({ sessionId }),
    revokeAllOf: (operatorId) => end({ operatorId }),
    changed,
    forget: ({ operatorIds, handles }) => {
      for (const handle of handles) cache.forget(handle)
      if (operatorIds === null) cache.forgetAll()
      else if (operatorIds.length > 0) cache.forgetOperators(new Set(operatorIds))
    },
    close: () => {
      for (const stop of stops) stop()
    },
  }
}

/** Session cache; evicts the least recently read. */
function createSessionCache({ db, clock, log, secrets }: DirectoryDeps) {
  const entries = new Map<string, Entry>()
  /** Reads in progress, shared by calls that arrive meanwhile. */
  const reads = new Map<string, Promise<Session | null>>()

  const liveSession = (row: SessionRow): Session | null => {
    const nowMs = clock.now()
    const isIdle = row.screenId === null && nowMs - row.lastSeenAt.getTime() >= sessionIdleMs
    if (row.expiresAt.getTime() <= nowMs || isIdle) return null
    try {
      return toSession({ row, secrets, nowMs })
    } catch (err) {
      // Sealed under a removed master secret: the operator has to log in again.
      log.warn({ err, sessionId: row.id }, 'the keys of a session could not be decrypted')
      return null
    }
  }
  const cached = (handle: string): Session | undefined => {
    const entry = entries.get(handle)
    return entry !== undefined && clock.now() < entry.cachedUntilMs ? entry.session : undefined
  }
  const read = (handle: string): Promise<Session | null> => {
    const requestedAtMs = clock.now()
    const reading: Promise<Session | null> = readSessionByHandle(db, handle)
      .then((row) => {
        const session = row === null ? null : liveSession(row)
        // Invalidated during the read: the row may be older than the change.
        if (reads.get(handle) !== reading) return session
        const known = entries.get(handle)
        entries.delete(handle)
        if (row === null || session === null) return null
        const touchedAtMs = Math.max(row.lastSeenAt.getTime(), known?.touchedAtMs ?? 0)
        entries.set(handle, { session, cachedUntilMs: requestedAtMs + cacheMs, touchedAtMs })
        const oldest = entries.size > cachedMax ? entries.keys().next().value : undefined
        if (oldest !== undefined) entries.delete(oldest)
        return session
      })
      .finally(() => {
        if (reads.get(handle) === reading) reads.delete(handle)
      })
    reads.set(handle, reading)
    return reading
  }

  return {
    liveSession,
    cached,
    find: async (handle: string): Promise<Session | null> => {
      if (!handlePattern.test(handle)) return null
      return cached(handle) ?? (await (reads.get(handle) ?? read(handle)))
    },
    isTouchDue: (handle: string, nowMs: number): boolean => {
      const entry = entries.get(handle)
      if (entry === undefined || nowMs - entry.touchedAtMs < touchEveryMs) return false
      entry.touchedAtMs = nowMs
      return true
    },
    forget: (handle: string): void => {
      entries.delete(handle)
      reads.delete(handle)
    },
    forgetOperators: (operatorIds: ReadonlySet<number>): void => {
      for (const [handle, entry] of entries) if (operatorIds.has(entry.session.operator.id)) entries.delete(handle)
      // The operators of running reads are not known yet.
      reads.clear()
    },
    forgetAll: (): void => {
      entries.clear()
      reads.clear()
    },
  }
}

function toSession(options: { row: SessionRow; secrets: IdentitySecrets; nowMs: number }): Session | null {
  const { row, secrets, nowMs } = options
  const person = toPersonalSession({ row, secrets, nowMs })
  return row.screenId === null ? person : toScreenSession(row, person, secrets)
}

/** The session of a screen: a part of the person's rights, and nothing that says who that is. Null: no right is left. */
function toScreenSession(row: SessionRow, person: Session, secrets: IdentitySecrets): Session | null {
  const { screenId, screenName, screenPages, screenAreaIds } = row
  if (screenId === null || screenName === null || screenPages === null) return null
  const permissions = screenCodes({ pages: screenPages, held: person.permissions })
  if (permissions.size === 0) return null
  const areas = screenAreaIds === null ? null : new Set(screenAreaIds)
  const areaIds = person.grant.areaIds.filter((id) => areas === null || areas.has(id))
  return {
    ...person,
    operator: { ...person.operator, phone: '', name: screenName, objectId: secrets.screenObjectId(screenId) },
    permissions,
    grant: { ...person.grant, areaIds },
    caller: { ...person.caller, phone: '', name: screenName, permissions },
    screen: { id: screenId, name: screenName, isNarrowed: areas !== null },
    secondFactor: 'clear',
  }
}

function toPersonalSession(options: { row: SessionRow; secrets: IdentitySecrets; nowMs: number }): Session {
  const { row, secrets, nowMs } = options
  const phone = secrets.openPhone(row.phoneSealed)
  const permissions = new Set([...row.codes, 'all'])
  const { id, handle, operatorId, agentId, name } = row
  return {
    id,
    handle,
    keys: row.keysSealed === null ? null : secrets.openKeys(handle, row.keysSealed),
    sidHash: row.sidHash,
    csrfHash: row.csrfHash,
    createdAt: row.createdAt,
    operator: {
      id: operatorId,
      opManId: row.opManId,
      objectId: secrets.objectId(phone),
      agentId,
      phone,
      name,
      level: row.level,
    },
    permissions,
    grant: { agentIds: row.agentIds, areaIds: row.areaIds, operatorId },
    caller: { sessionId: id, operatorId, agentId, phone, name, permissions },
    screen: null,
    secondFactor: secondFactorOf({
      isPasskey: row.loginKind === 'passkey',
      isEnabled: row.totpEnabledAt !== null,
      isShown: row.secondFactorAt !== null,
      isRequired: isSecondFactorRequired({ from: row.financeTotpFrom, codes: permissions, nowMs }),
    }),
  }
}
