import { sql } from 'kysely'
import {
  rewardCauses,
  rewardKinds,
  rewardSchema,
  rewardStates,
  type Reward,
} from '@saddle/contract/marketing/rewards.ts'
import type { Tx } from '#kit/db/pool.ts'
import { computed, rowOf, rowOfValues, rowsOf, type RowOf } from '#kit/db/rows.ts'
import type { PricedReward } from './price.ts'
import type { Grant } from './ports.ts'

export const rewardRow = rowOf('reward', 'r', [
  'id',
  'agent_id',
  'rider_id',
  'activity_id',
  'cause_kind',
  'cause_id',
  'n',
  'kind',
  'what',
  'cents',
  'state',
  'due_at',
  'note',
  'kept_cents',
  'coupon_ids',
  'gift_lot_id',
  'card_id',
]).codes({ kind: rewardKinds, state: rewardStates, cause_kind: rewardCauses })
export type RewardRow = RowOf<typeof rewardRow>

/** A reward that is stored; what has no value yet gets its default. */
export const rewardOf = (stored: unknown): Reward => rewardSchema.parse(stored)

const grantedRow = rowOf('reward', 'r', ['id', 'state', 'ended_by'])

/** What an occasion has given before, and whether a rule took all of it back: then it can be given again. */
export async function grantedBefore(
  tx: Tx,
  { activityId, riderId, cause }: Grant,
): Promise<{ readonly ids: readonly number[]; readonly isTakenBack: boolean }> {
  const { rows } = await grantedRow.select`
    from reward r
    where r.activity_id is not distinct from ${activityId}::bigint and r.rider_id = ${riderId}
      and r.cause_kind = ${cause.kind} and r.cause_id = ${cause.id}
    order by r.id for update`.execute(tx)
  const isTakenBack = rows.length > 0 && rows.every((row) => row.state === 'revoked' && row.ended_by === null)
  return { ids: rows.map(({ id }) => id), isTakenBack }
}

/** Makes rewards that were taken back pending again. */
export async function reopen(tx: Tx, ids: readonly number[], dueAt: Date): Promise<void> {
  await sql`
    update reward set state = 'pending', due_at = ${dueAt}, given_at = null, ended_at = null, ended_by_id = null,
      ended_by = null, end_reason = '', kept_cents = null, coupon_ids = '{}', gift_lot_id = null, card_id = null
    where id = any (${ids}::bigint[]) and state in ('revoked', 'refused')`.execute(tx)
}

const newRow = rowsOf(rowOf('reward', ['id', 'n']))

/** Rewards that are due at a moment, or refused at once with a reason. */
export async function insertRewards(
  tx: Tx,
  grant: Grant,
  rewards: readonly PricedReward[],
  refusal: string | null,
): Promise<number[]> {
  const { agentId, riderId, activityId, version, cause, at, dueAt = at, by = null, note = '' } = grant
  const rows = rewards.map(({ reward, name, cents }, index) => ({
    n: index + 1,
    kind: reward.kind,
    what: JSON.stringify(reward),
    name,
    cents,
  }))
  const { rows: added } = await newRow.returning`
    insert into reward (agent_id, rider_id, activity_id, version, cause_kind, cause_id, n, kind, what, name, cents, state,
      granted_at, granted_by_id, granted_by, note, due_at, ended_at, end_reason)
    select ${agentId}, ${riderId}, ${activityId}, ${version}, ${cause.kind}, ${cause.id}, w.n, w.kind, w.what::jsonb, w.name,
      w.cents, ${refusal === null ? 'pending' : 'refused'}, ${at}, ${by?.id ?? null}, ${by?.name ?? null}, ${note}, ${dueAt},
      ${refusal === null ? null : at}::timestamptz, ${refusal ?? ''}
    from unnest(${rows.map(({ n }) => n)}::smallint[], ${rows.map(({ kind }) => kind)}::text[],
      ${rows.map(({ what }) => what)}::text[], ${rows.map(({ name }) => name)}::text[],
      ${rows.map(({ cents }) => cents)}::bigint[]) as w (n, kind, what, name, cents)`.execute(tx)
  return added.toSorted((a, b) => a.n - b.n).map(({ id }) => id)
}

/** Rewards by their ids, locked until the end of the transaction, in the order of the ids. */
export async function lockRewards(
  tx: Tx,
  { agentIds, ids }: { readonly agentIds: readonly number[] | null; readonly ids: readonly number[] },
): Promise<RewardRow[]> {
  const { rows } = await rewardRow.select`
    from reward r
    where r.id = any (${ids}::bigint[]) and (${agentIds}::bigint[] is null or r.agent_id = any (${agentIds}::bigint[]))
    order by r.id for update`.execute(tx)
  return rows
}

/** The rewards that an occasion gave, or several of a kind. */
export async function idsOfCause(
  tx: Tx,
  {
    agentId,
    riderId,
    cause,
  }: {
    readonly agentId: number
    readonly riderId: number
    readonly cause: { readonly kind: Grant['cause']['kind']; readonly id: number | readonly number[] }
  },
): Promise<number[]> {
  const { rows } = await rewardRow.select`
    from reward r where r.cause_kind = ${cause.kind} and r.cause_id = any (${[cause.id].flat()}::bigint[]) and r.agent_id = ${agentId}
      and r.rider_id = ${riderId}
    order by r.id limit 1000`.execute(tx)
  return rows.map(({ id }) => id)
}

type Given = { readonly couponIds?: readonly number[]; readonly giftLotId?: number; readonly cardId?: number }

export async function markGiven(tx: Tx, id: number, at: Date, { couponIds, giftLotId, cardId }: Given): Promise<void> {
  await sql`
    update reward set state = 'given', given_at = ${at}, coupon_ids = ${couponIds ?? []}::bigint[],
      gift_lot_id = ${giftLotId ?? null}, card_id = ${cardId ?? null}, ended_at = null, ended_by = null,
      ended_by_id = null, end_reason = '', kept_cents = null
    where id = ${id}`.execute(tx)
}

export type Ending = {
  readonly state: 'revoked' | 'refused'
  readonly at: Date
  readonly by: { readonly id: number | null; readonly name: string } | null
  readonly reason: string
  readonly keptCents: number | null
}

export async function markEnded(tx: Tx, id: number, { state, at, by, reason, keptCents }: Ending): Promise<void> {
  await sql`
    update reward set state = ${state}, ended_at = ${at}, ended_by_id = ${by?.id ?? null}, ended_by = ${by?.name ?? null},
      end_reason = ${reason}, kept_cents = ${keptCents}
    where id = ${id}`.execute(tx)
}

const openRow = rowOfValues({ count: computed('bigint', sql`count(*)`) })

/** Whether nothing is left of what an occasion gave to a rider. */
export async function isAllTakenBack(tx: Tx, row: RewardRow): Promise<boolean> {
  const { rows } = await openRow.select`
    from reward r
    where r.activity_id = ${row.activity_id} and r.rider_id = ${row.rider_id} and r.cause_kind = ${row.cause_kind}
      and r.cause_id = ${row.cause_id} and (r.state in ('pending', 'given') or r.kept_cents > 0)`.execute(tx)
  return (rows[0]?.count ?? 0) === 0
}

/** Locks the rider of a reward: whoever gives rewards locks riders first. */
export async function lockRiderOf(tx: Tx, id: number): Promise<void> {
  await sql`
    select from rider where id = (select r.rider_id from reward r where r.id = ${id}) for no key update`.execute(tx)
}
