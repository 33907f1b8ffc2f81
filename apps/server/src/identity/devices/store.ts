import { type RawBuilder, sql } from 'kysely'
import type { OperatorDeviceState } from '@saddle/contract/identity/devices.ts'
import { devicesPerOperatorMax } from '@saddle/contract/identity/limits.ts'
import type { Database, Tx } from '#kit/db/pool.ts'
import { computed, rowOf, rowOfValues, rowsOf, type RowOf } from '#kit/db/rows.ts'

export interface SeenDevice {
  readonly operatorId: number
  readonly agentId: number
  readonly deviceHash: string
  readonly name: string
  readonly userAgent: string
  readonly at: Date
}

/** Records that the operator used this browser; does not change its approval. */
export async function rememberDevice(tx: Tx, device: SeenDevice): Promise<void> {
  const { operatorId, agentId, deviceHash, name, userAgent, at } = device
  await tx
    .insertInto('operator_device')
    .values({
      operator_id: operatorId,
      agent_id: agentId,
      device_hash: deviceHash,
      name,
      user_agent: userAgent,
      first_seen_at: at,
      last_seen_at: at,
    })
    .onConflict((conflict) =>
      conflict.columns(['operator_id', 'device_hash']).doUpdateSet({ name, user_agent: userAgent, last_seen_at: at }),
    )
    .execute()
  await sql`
    delete from operator_device where id in (
      select id from operator_device where operator_id = ${operatorId} and not approved
      order by last_seen_at desc, id desc offset ${devicesPerOperatorMax}
    )`.execute(tx)
}

/** A browser as an administrator or its owner sees it. */
const deviceRow = rowsOf(
  rowOf('operator_device', 'device', [
    'id',
    'operator_id as operatorId',
    'agent_id as agentId',
    'name',
    'user_agent as userAgent',
    'approved',
    'first_seen_at as firstSeenAt',
    'last_seen_at as lastSeenAt',
    'requested_at as requestedAt',
    'decided_at as decidedAt',
    'decided_by as decidedBy',
  ]),
  rowOf('operator', 'operator', ['name as operatorName', 'phone_sealed as phoneSealed']),
  rowOf('agent', 'agent', ['company']),
  rowOfValues({ count: computed('bigint', sql`count(*) over ()`) }),
).filled('phoneSealed')
export type DeviceRow = RowOf<typeof deviceRow>

export interface DeviceQuery {
  readonly agentIds: readonly number[]
  readonly operatorId?: number | undefined
  readonly state?: OperatorDeviceState | undefined
  readonly limit: number
  readonly offset: number
}

/** Browsers of users of these companies: pending ones first, then by last use. */
export function deviceList(query: DeviceQuery): RawBuilder<DeviceRow> {
  const { agentIds, operatorId, state, limit, offset } = query
  const isState =
    state === undefined
      ? sql`true`
      : state === 'approved'
        ? sql`device.approved`
        : state === 'requested'
          ? sql`device.requested_at is not null`
          : sql`not device.approved and device.requested_at is null`
  return deviceRow.select`
    from operator_device device
    join operator on operator.id = device.operator_id
    join agent on agent.id = device.agent_id
    where device.agent_id = any (${agentIds}::bigint[])
      and (${operatorId ?? null}::bigint is null or device.operator_id = ${operatorId ?? null}) and ${isState}
    order by device.requested_at desc nulls last, device.last_seen_at desc, device.id desc
    limit ${limit} offset ${offset}`
}

export const stateOf = (row: Pick<DeviceRow, 'approved' | 'requestedAt'>): OperatorDeviceState =>
  row.approved ? 'approved' : row.requestedAt === null ? 'unknown' : 'requested'

export interface Decision {
  readonly ids: readonly number[]
  readonly agentIds: readonly number[]
  readonly by: string
  readonly at: Date
}

export interface DecidedDevice {
  readonly id: number
  readonly operatorId: number
  readonly agentId: number
}

/** Approves or revokes all of these browsers or none: null when an id does not belong to these companies. */
export async function decideDevices(
  tx: Tx,
  { ids, agentIds, by, at, approved }: Decision & { approved: boolean },
): Promise<DecidedDevice[] | null> {
  const wanted = [...new Set(ids)]
  const known = await tx
    .selectFrom('operator_device')
    .select(['id', 'operator_id as operatorId', 'agent_id as agentId'])
    .where('id', 'in', wanted)
    .where('agent_id', 'in', agentIds.length === 0 ? [0] : agentIds)
    .orderBy('agent_id')
    .orderBy('id')
    .forUpdate()
    .execute()
  if (known.length !== wanted.length) return null
  await tx
    .updateTable('operator_device')
    .set({ approved, requested_at: null, decided_at: at, decided_by: by })
    .where('id', 'in', wanted)
    .execute()
  return known
}

/**
 * Approves the browsers of a company used since then, and that of the session; returns how many are newly approved.
 * A rejected browser stays rejected until an administrator decides about it again.
 */
export async function approveRecent(
  tx: Tx,
  options: { agentId: number; since: Date | null; sessionDeviceId: number | null; by: string; at: Date },
): Promise<number> {
  const { agentId, since, sessionDeviceId, by, at } = options
  const { numAffectedRows } = await sql`
    update operator_device set approved = true, requested_at = null, decided_at = ${at}, decided_by = ${by}
    where agent_id = ${agentId} and not approved
      and ((last_seen_at >= ${since}::timestamptz and decided_at is null) or id = ${sessionDeviceId}::bigint)`.execute(
    tx,
  )
  return Number(numAffectedRows ?? 0n)
}

/** Browsers of a company that are not approved: all of them, and those that `approveRecent` would approve since then. */
export function countUnapproved({ agentId, since }: { agentId: number; since: Date | null }) {
  return rowOfValues({
    devices: computed('bigint', sql`count(*)`),
    people: computed('bigint', sql`count(distinct d.operator_id)`),
  }).select`
    from operator_device d
    where d.agent_id = ${agentId} and not d.approved
      and (${since}::timestamptz is null or (d.last_seen_at >= ${since}::timestamptz and d.decided_at is null))`
}

/** The browser of a session; request transactions cannot read sessions. */
export async function readSessionDevice(db: Database, sessionId: number): Promise<number | null> {
  const [row] = await db.systemRead((kysely) =>
    kysely.selectFrom('session').select('device_id').where('id', '=', sessionId).compile(),
  )
  return row?.device_id ?? null
}
