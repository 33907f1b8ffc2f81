import { sql, type RawBuilder } from 'kysely'
import {
  operatorDeviceList,
  operatorDeviceStates,
  type OperatorDeviceState,
} from '@saddle/contract/identity/devices.ts'
import { devicesPerOperatorMax } from '@saddle/contract/identity/limits.ts'
import type { Database, Tx } from '#kit/db/pool.ts'
import { computed, rowOf, rowOfValues, rowsOf, type RowOf } from '#kit/db/rows.ts'
import { startsWith } from '#kit/db/startsWith.ts'
import { tableList } from '#kit/list/tableList.ts'

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
export const deviceRow = rowsOf(
  rowOf('operator_device', 'f', [
    'id',
    'operator_id',
    'agent_id',
    'user_agent',
    'first_seen_at',
    'last_seen_at',
    'requested_at',
    'decided_at',
    'decided_by',
  ]),
  rowOfValues({
    state: computed(
      'text',
      sql`case when f.approved then 'approved' when f.requested_at is null then 'unknown' else 'requested' end`,
    ),
  }).codes({ state: operatorDeviceStates }),
  rowOf('operator', 'operator', ['name as operator_name', 'phone_sealed']).filled('phone_sealed'),
  rowOf('agent', 'agent', ['company']),
)
export type DeviceRow = RowOf<typeof deviceRow>

const people = sql`join operator on operator.id = f.operator_id join agent on agent.id = f.agent_id`

const stateConditions: Readonly<Record<OperatorDeviceState, RawBuilder<unknown>>> = {
  approved: sql`f.approved`,
  requested: sql`f.requested_at is not null`,
  unknown: sql`(not f.approved and f.requested_at is null)`,
}

/** Browsers of people of the scope's companies. */
export const deviceRows = tableList(operatorDeviceList, {
  table: 'operator_device',
  alias: 'f',
  tenant: 'agent',
  columns: deviceRow,
  joins: people,
  sorts: { lastSeen: ['last_seen_at', 'instant'] },
  find: ({ states, keyword, agentIds }, _params: unknown, { scope }) => ({
    narrowed: [
      keyword !== undefined &&
        keyword !== '' &&
        sql`f.operator_id in (select o.id from operator o
          where o.agent_id = any (${scope.agentIds}::bigint[]) and ${startsWith(sql`o.name`, keyword)})`,
    ],
    where: [
      states &&
        sql`(${sql.join(
          states.map((state) => stateConditions[state]),
          sql` or `,
        )})`,
      agentIds && sql`f.agent_id = any (${agentIds}::bigint[])`,
    ],
  }),
})

/** Browsers of one person, the latest first. */
export function devicesOf({ agentIds, operatorId }: { agentIds: readonly number[]; operatorId: number }) {
  return deviceRow.select`
    from operator_device f ${people}
    where f.operator_id = ${operatorId} and f.agent_id = any (${agentIds}::bigint[])
    order by f.requested_at desc nulls last, f.last_seen_at desc, f.id desc limit ${devicesPerOperatorMax * 2}`
}

export const stateOf = (row: { readonly approved: boolean; readonly requestedAt: Date | null }): OperatorDeviceState =>
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
