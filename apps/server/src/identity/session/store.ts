import { type RawBuilder, sql } from 'kysely'
import { keyExchangeWindowMs } from '@saddle/contract/identity/limits.ts'
import type { Database, Tx } from '#kit/db/pool.ts'
import { computed, rowOf, rowOfValues, rowsOf, type RowOf } from '#kit/db/rows.ts'
import { recordChanges } from '#identity/access/changes.ts'

/** What an operator may do and see, in a statement with `operator` and `granted`. */
const access = {
  operatorId: computed('bigint', sql`operator.id`),
  agentId: computed('bigint', sql`operator.agent_id`),
  phoneSealed: computed('text', sql`operator.phone_sealed`),
  name: computed('text', sql`operator.name`),
  codes: computed(
    'text[]',
    sql`array(
          select role_permission.code from role join role_permission on role_permission.role_id = role.id
          where role.id = operator.role_id and role.state = 'enabled'
        )`,
  ),
  agentIds: computed('bigint[]', sql`granted.agents`),
  areaIds: computed(
    'bigint[]',
    sql`array(
          select service_area.id from service_area
          where service_area.agent_id = any (granted.agents) and (
            operator.all_areas or exists (
              select from operator_area
              where operator_area.operator_id = operator.id and operator_area.area_id = service_area.id
            )
          )
          order by 1
        )`,
  ),
}
const granted = sql`cross join lateral (select array(select agent_and_below(operator.agent_id)) as agents) as granted`

/** A live session with everything that the guards of a call need, in one statement. */
const sessionRow = rowsOf(
  rowOf('session', 'session', [
    'id',
    'handle',
    'sid_hash as sidHash',
    'csrf_hash as csrfHash',
    'keys_sealed as keysSealed',
    'created_at as createdAt',
    'last_seen_at as lastSeenAt',
    'expires_at as expiresAt',
    'device_id as deviceId',
    'second_factor_at as secondFactorAt',
    'login_kind as loginKind',
  ]),
  rowOf('agent', 'agent', ['finance_totp_from as financeTotpFrom']),
  rowOf('wall_screen', 'screen', [
    'id as screenId',
    'name as screenName',
    'pages as screenPages',
    'area_ids as screenAreaIds',
  ]).optional(),
  rowOfValues({
    ...access,
    opManId: computed('text', sql`operator.op_man_id`),
    level: computed('bigint', sql`operator.level`),
    totpEnabledAt: computed('timestamptz?', sql`operator.totp_enabled_at`),
  }),
)
export type SessionRow = RowOf<typeof sessionRow>

export function readSessionByHandle(db: Database, handle: string): Promise<SessionRow | null> {
  return readSession(db, sql`session.handle = ${handle}`)
}

export function readSessionBySid(db: Database, sidHash: string): Promise<SessionRow | null> {
  return readSession(db, sql`session.sid_hash = ${sidHash}`)
}

async function readSession(db: Database, condition: RawBuilder<unknown>): Promise<SessionRow | null> {
  const rows = await db.systemRead((kysely) =>
    sessionRow.select`
      from session
      join operator on operator.id = session.operator_id
      join agent on agent.id = operator.agent_id
      left join wall_screen screen on screen.id = session.screen_id and screen.removed_at is null
      ${granted}
      where ${condition} and session.revoked_at is null and (session.screen_id is null or screen.id is not null)
        and operator.state = 'enabled' and agent.state = 'enabled'`.compile(kysely),
  )
  return rows[0] ?? null
}

const accessRow = rowOfValues(access)

/** The same of an operator, for work that goes on without their session; null when they may not log in. */
export async function readAccess(db: Database, operatorId: number): Promise<RowOf<typeof accessRow> | null> {
  const rows = await db.systemRead((kysely) =>
    accessRow.select`
      from operator
      join agent on agent.id = operator.agent_id
      ${granted}
      where operator.id = ${operatorId} and operator.state = 'enabled' and agent.state = 'enabled'`.compile(kysely),
  )
  return rows[0] ?? null
}

export interface NewSession {
  readonly handle: string
  readonly sidHash: string
  readonly csrfHash: string
  readonly operatorId: number
  readonly loginKind: 'sms' | 'phone' | 'quick' | 'passkey' | 'screen'
  /** Of a screen on a wall. */
  readonly screenId?: number
  readonly createdAt: Date
  readonly expiresAt: Date
  readonly previousLoginAt: Date | null
  readonly userAgent: string
  readonly address: string
  /** Hash of the device cookie; null for a browser that has none. */
  readonly deviceHash: string | null
}

export async function insertSession(tx: Tx, session: NewSession): Promise<number> {
  const { id } = await tx
    .insertInto('session')
    .values({
      handle: session.handle,
      sid_hash: session.sidHash,
      csrf_hash: session.csrfHash,
      operator_id: session.operatorId,
      login_kind: session.loginKind,
      screen_id: session.screenId ?? null,
      created_at: session.createdAt,
      last_seen_at: session.createdAt,
      expires_at: session.expiresAt,
      previous_login_at: session.previousLoginAt,
      user_agent: session.userAgent,
      address: session.address,
      device_id: (eb) =>
        eb
          .selectFrom('operator_device')
          .select('operator_device.id')
          .where('operator_device.operator_id', '=', session.operatorId)
          .where('operator_device.device_hash', '=', session.deviceHash ?? ''),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/**
 * Which sessions to end. `excess`: an operator's sessions beyond this number, oldest first. Screens on walls are none of the
 * sessions that a person counts, lists or ends; they end with all of the person's.
 */
export type Ending =
  | { readonly sessionId: number }
  /** That session, if it is the operator's. */
  | { readonly sessionId: number; readonly operatorId: number }
  | { readonly sidHash: string }
  | { readonly operatorId: number }
  | { readonly operatorId: number; readonly excess: number }
  /** The other sessions of the operator. */
  | { readonly operatorId: number; readonly exceptId: number }
  | { readonly deviceIds: readonly number[] }
  | { readonly screenId: number }

const sessionRow2 = rowOf('session', ['id', 'handle'])

/** Ends live sessions and destroys their keys; returns their handles. */
export async function endSessions(options: { tx: Tx; ending: Ending; at: Date }): Promise<string[]> {
  const { tx, ending, at } = options
  const { rows } = await sessionRow2.returning`
    update session set revoked_at = ${at}, keys_sealed = null
    where revoked_at is null and ${endingCondition(ending)}
    `.execute(tx)
  await recordChanges(
    tx,
    rows.map((row) => ({ kind: 'session', subjectId: row.id })),
  )
  return rows.map((row) => row.handle)
}

function endingCondition(ending: Ending): RawBuilder<unknown> {
  if ('sessionId' in ending) {
    return 'operatorId' in ending
      ? sql`id = ${ending.sessionId} and operator_id = ${ending.operatorId} and screen_id is null`
      : sql`id = ${ending.sessionId}`
  }
  if ('sidHash' in ending) return sql`sid_hash = ${ending.sidHash}`
  if ('deviceIds' in ending) return sql`device_id = any (${ending.deviceIds}::bigint[])`
  if ('screenId' in ending) return sql`screen_id = ${ending.screenId}`
  if ('exceptId' in ending)
    return sql`operator_id = ${ending.operatorId} and id <> ${ending.exceptId} and screen_id is null`
  if (!('excess' in ending)) return sql`operator_id = ${ending.operatorId}`
  return sql`id in (
    select id from session where operator_id = ${ending.operatorId} and revoked_at is null and screen_id is null
    order by created_at desc, id desc offset ${ending.excess}
  )`
}

/**
 * Stores a session's keys, once, and only soon after the login. Returns whether it did: of two concurrent exchanges
 * one is rejected.
 */
export async function storeKeys(options: {
  tx: Tx
  sessionId: number
  keysSealed: string
  nowMs: number
}): Promise<boolean> {
  const { tx, sessionId, keysSealed, nowMs } = options
  const result = await tx
    .updateTable('session')
    .set({ keys_sealed: keysSealed })
    .where('id', '=', sessionId)
    .where('keys_sealed', 'is', null)
    .where('revoked_at', 'is', null)
    .where('created_at', '>=', new Date(nowMs - keyExchangeWindowMs))
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

export async function touchSession(options: { db: Database; sessionId: number; at: Date }): Promise<void> {
  const { db, sessionId, at } = options
  await db.systemRead((kysely) =>
    kysely
      .updateTable('session')
      .set({ last_seen_at: at })
      .where('id', '=', sessionId)
      .where('last_seen_at', '<', at)
      .compile(),
  )
}

/** True when the call is new on all nodes; records it for all of them. */
export async function insertNonce(options: {
  db: Database
  sessionId: number
  jti: string
  at: Date
}): Promise<boolean> {
  const { db, sessionId, jti, at } = options
  const rows = await db.systemRead((kysely) =>
    kysely
      .insertInto('call_nonce')
      .values({ session_id: sessionId, jti, seen_at: at })
      .onConflict((conflict) => conflict.doNothing())
      .returning('jti')
      .compile(),
  )
  return rows.length === 1
}
