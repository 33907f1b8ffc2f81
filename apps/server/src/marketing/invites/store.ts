import { sql, type RawBuilder } from 'kysely'
import { activityCommonSchema } from '@saddle/contract/marketing/activities.ts'
import { inviteTermsSchema, type InviteTerms } from '@saddle/contract/marketing/inviteActivities.ts'
import {
  inviteFactsSchema,
  inviteList,
  inviteReasons,
  inviteStates,
  type Invite,
  type InviteFacts,
} from '@saddle/contract/marketing/invites.ts'
import type { Tx } from '#kit/db/pool.ts'
import { computed, rowOf, rowOfValues, rowsOf, type RowOf } from '#kit/db/rows.ts'
import { spanOf, tableList } from '#kit/list/tableList.ts'
import { numberOf, placedAtOf } from '../orderNumbers.ts'
import type { InviteCore, StepTerms } from './rules.ts'

const coreRow = rowsOf(
  rowOf('invite', 'i', [
    'id',
    'agent_id',
    'activity_id',
    'version',
    'inviter_id',
    'invited_id',
    'state',
    'reason',
    'is_cleared',
    'bound_at',
    'ride_by',
    'counted_at',
    'order_id',
    'due_at',
    'ended_at',
    'grant_id',
  ]),
  rowOf('activity', 'a', ['state as activity_state']),
  rowOf('activity_version', 'v', ['common', 'terms']),
).codes({ state: inviteStates, reason: inviteReasons })

/** An invite with what its rules need. */
export type StoredInvite = InviteCore & {
  readonly id: number
  readonly agentId: number
  readonly activityId: number
  readonly version: number
  readonly inviterId: number
  readonly invitedId: number
  readonly grantId: number | null
  readonly activityState: string
  readonly terms: InviteTerms
  readonly stepTerms: StepTerms
}

/** The invites that a condition selects, locked until the end of the transaction, in the order of their ids. */
export async function lockInvites(tx: Tx, condition: RawBuilder<unknown>, limit = 1_000): Promise<StoredInvite[]> {
  const { rows } = await coreRow.select`
    from invite i
    join activity_version v on v.activity_id = i.activity_id and v.version = i.version
    join activity a on a.id = i.activity_id
    where ${condition} order by i.id limit ${limit} for no key update of i`.execute(tx)
  return rows.map((row) => {
    const { common, terms: stored, ...core } = row
    const terms = inviteTermsSchema.parse(stored)
    const { areaIds } = activityCommonSchema.parse(common)
    return Object.assign(coreRow.present({ common, terms: stored, ...core }), {
      terms,
      stepTerms: { ...terms, areaIds },
    })
  })
}

const touchedRow = rowOf('invite', 'i', ['inviter_id', 'invited_id'])

/** The riders of invites that wait for a ride of these riders or counted by these orders; the invites are locked. */
export async function touchedInvites(
  tx: Tx,
  { riderIds, orderIds }: { readonly riderIds: readonly number[]; readonly orderIds: readonly number[] },
): Promise<{ inviterId: number; invitedId: number }[]> {
  const { rows } = await touchedRow.select`
    from invite i
    where (i.invited_id = any (${riderIds}::bigint[]) and i.state = 'registered') or i.order_id = any (${orderIds}::bigint[])
    order by i.id for no key update`.execute(tx)
  return rows.map((row) => touchedRow.present(row))
}

/** Writes what the rules have changed. */
export async function storeStep(
  tx: Tx,
  before: StoredInvite,
  after: InviteCore & { readonly grantId: number | null },
  also: { readonly facts?: InviteFacts; readonly note?: string } = {},
): Promise<void> {
  const instant = (ms: number | null): Date | null => (ms === null ? null : new Date(ms))
  const { facts, note } = also
  await tx
    .updateTable('invite')
    .set({
      state: after.state,
      reason: after.reason,
      is_cleared: after.isCleared,
      ride_by: new Date(after.rideBy),
      counted_at: instant(after.countedAt),
      order_id: after.orderId,
      due_at: instant(after.dueAt),
      ended_at: instant(after.endedAt),
      grant_id: after.grantId,
      ...(facts !== undefined && { facts: JSON.stringify(facts) }),
      ...(note !== undefined && { note }),
    })
    .where('id', '=', before.id)
    .execute()
}

const nextIdRow = rowOfValues({
  id: computed('bigint', sql`nextval(pg_get_serial_sequence('invite', 'id'))`),
})

/** A number that no invite and no grant has. */
export async function nextGrantId(tx: Tx): Promise<number> {
  const { rows } = await nextIdRow.select``.execute(tx)
  const [row] = rows
  if (row === undefined) throw new Error('a sequence has no next number')
  return row.id
}

/** A refused circle is no part of the tree: who follows the others comes to an end. */
export const isEdge = sql`i.reason is distinct from 'cycle'`
/** More than any tree has: an inviter may be this far below the top. */
const walkedMax = 1_000

const ancestorRow = rowOfValues({ rider_id: computed('bigint', sql`u.rider_id`) })

/** The inviter of a rider, the inviter's inviter and so on, the nearest first. */
export async function ancestorsOf(
  tx: Tx,
  { agentId, riderId }: { readonly agentId: number; readonly riderId: number },
): Promise<number[]> {
  const { rows } = await ancestorRow
    .query(
      (list) => sql`
      with recursive up as (
        select i.inviter_id as rider_id, 1 as n
        from invite i where i.invited_id = ${riderId} and i.agent_id = ${agentId} and ${isEdge}
        union all
        select i.inviter_id, up.n + 1
        from up join invite i on i.invited_id = up.rider_id and i.agent_id = ${agentId} and ${isEdge}
        where up.n < ${walkedMax}
      )
      select ${list} from up u order by u.n`,
    )
    .execute(tx)
  return rows.map((row) => row.rider_id)
}

const listColumns = rowsOf(
  rowOf('invite', 'i', [
    'id',
    'agent_id',
    'activity_id',
    'version',
    'inviter_id',
    'invited_id',
    'depth',
    'state',
    'reason',
    'note',
    'facts',
    'bound_at',
    'ride_by',
    'counted_at',
    'order_id',
    'due_at',
    'ended_at',
    'cost_cents',
    'is_cleared',
    'decided_by',
    'decided_at',
  ]),
  rowOf('activity', 'a', ['name as activity']),
  rowOf('agent', 'agent', ['company']),
  rowOf('rider', 'b', ['phone_sealed as inviter_sealed', 'phone_hash as inviter_hash']),
  rowOf('rider', 'r', ['phone_sealed as invited_sealed', 'phone_hash as invited_hash']),
  rowOfValues({ placed_at: computed('timestamptz?', placedAtOf(sql`i.order_id`, sql`i.agent_id`)) }),
).codes({ state: inviteStates, reason: inviteReasons })

export const inviteRows = tableList(inviteList, {
  table: 'invite',
  alias: 'i',
  tenant: 'agent',
  columns: listColumns,
  joins: sql`
    join activity a on a.id = i.activity_id join agent on agent.id = i.agent_id
    join rider b on b.id = i.inviter_id join rider r on r.id = i.invited_id`,
  sorts: { bound: ['bound_at', 'instant'] },
  sums: { costCents: sql`i.cost_cents` },
  find: (
    { activityId, id, states = inviteStates, reasons, inviterId, ...span },
    { riderIds }: { readonly riderIds: readonly number[] | undefined },
  ) => ({
    runs: { column: 'state', type: 'text', values: states },
    narrowed: [
      id !== undefined && sql`i.id = ${id}`,
      riderIds && sql`(i.inviter_id = any (${riderIds}::bigint[]) or i.invited_id = any (${riderIds}::bigint[]))`,
      inviterId !== undefined && sql`i.inviter_id = ${inviterId}`,
    ],
    where: [
      ...spanOf('i.bound_at', span),
      activityId !== undefined && sql`i.activity_id = ${activityId}`,
      reasons !== undefined && sql`i.reason = any (${reasons}::text[])`,
    ],
  }),
})

/** A row of the list; phones are opened by whoever may. */
export function presentInvite(
  row: RowOf<typeof listColumns>,
  maskedPhone: (row: { readonly phone_sealed: string; readonly phone_hash: string }) => string,
): Invite {
  const { inviterSealed, inviterHash, invitedSealed, invitedHash, placedAt, ...shown } = listColumns.present(row)
  return {
    ...shown,
    orderNumber: numberOf(shown.orderId, placedAt),
    facts: inviteFactsSchema.parse(row.facts),
    inviterPhone: maskedPhone({ phone_sealed: inviterSealed, phone_hash: inviterHash }),
    invitedPhone: maskedPhone({ phone_sealed: invitedSealed, phone_hash: invitedHash }),
  }
}
