import { sql } from 'kysely'
import {
  rechargeRefusals,
  rechargeUseList,
  rechargeUseStates,
  type RechargeRefusal,
} from '@saddle/contract/marketing/rechargeActivities.ts'
import { rewardsSchema, type Reward } from '@saddle/contract/marketing/rewards.ts'
import { reasonOf } from '@saddle/contract/riding/reasons.ts'
import type { Tx } from '#kit/db/pool.ts'
import { computed, rowOf, rowOfValues, rowsOf, type RowOf } from '#kit/db/rows.ts'
import { spanOf, tableList } from '#kit/list/tableList.ts'

const useColumns = rowsOf(
  rowOf('recharge_use', 'u', [
    'id',
    'agent_id',
    'activity_id',
    'version',
    'rider_id',
    'state',
    'why',
    'cents',
    'gift_cents',
    'asked_at',
    'settled_at',
  ]),
  rowOf('activity', 'a', ['name']),
  rowOf('agent', 'agent', ['company']),
  rowOf('rider', 'r', ['phone_sealed', 'phone_hash']),
).codes({ state: rechargeUseStates, why: rechargeRefusals })

export const useRows = tableList(rechargeUseList, {
  table: 'recharge_use',
  alias: 'u',
  tenant: 'agent',
  columns: useColumns,
  joins: sql`
    join activity a on a.id = u.activity_id join agent on agent.id = u.agent_id join rider r on r.id = u.rider_id`,
  sorts: { asked: ['asked_at', 'instant'] },
  sums: { cents: sql`u.cents`, giftCents: sql`u.gift_cents` },
  find: (
    { states = rechargeUseStates, activityId, ...span },
    { riderIds }: { readonly riderIds: readonly number[] | undefined },
  ) => ({
    runs: { column: 'state', type: 'text', values: states },
    narrowed: [
      riderIds && sql`u.rider_id = any (${riderIds}::bigint[])`,
      activityId !== undefined && sql`u.activity_id = ${activityId}`,
    ],
    where: spanOf('u.asked_at', span),
  }),
})
export const presentUse = useColumns.present

/** Recharges that a rider sees the result of. */
const ownMax = 5

export const selectOwn = ({ agentId, riderId }: { readonly agentId: number; readonly riderId: number }) =>
  useColumns.select`
    from recharge_use u join activity a on a.id = u.activity_id join agent on agent.id = u.agent_id
    join rider r on r.id = u.rider_id
    where u.rider_id = ${riderId} and u.agent_id = ${agentId} and u.state <> 'asked'
    order by u.asked_at desc, u.id desc limit ${ownMax}`

export type NewUse = {
  readonly paymentId: number
  readonly agentId: number
  readonly riderId: number
  readonly activityId: number
  readonly version: number
  readonly cents: number
  readonly giftCents: number
  readonly rewards: readonly Reward[]
  readonly at: Date
}

const keptRow = rowOf('recharge_use', ['activity_id'])

/** Keeps what a payment promises. Told again, it stays; resolves to the activity that it is kept for. */
export async function keepUse(tx: Tx, use: NewUse): Promise<number> {
  await sql`
    insert into recharge_use (id, agent_id, activity_id, version, rider_id, cents, gift_cents, rewards, asked_at)
    values (${use.paymentId}, ${use.agentId}, ${use.activityId}, ${use.version}, ${use.riderId}, ${use.cents},
      ${use.giftCents}, ${JSON.stringify(use.rewards)}::jsonb, ${use.at})
    on conflict (id) do nothing`.execute(tx)
  const { rows } = await keptRow.select`from recharge_use where id = ${use.paymentId}`.execute(tx)
  return rows[0]?.activity_id ?? 0
}

const askedRow = rowsOf(
  rowOf('recharge_use', 'u', ['activity_id', 'version', 'gift_cents', 'rewards']),
  rowOfValues({ first_only: computed('boolean', sql`coalesce((v.terms ->> 'firstOnly')::boolean, false)`) }),
)

/** What a payment that was not settled yet promises, locked; undefined when it promises nothing. */
export async function lockAsked(tx: Tx, { agentId, paymentId }: { agentId: number; paymentId: number }) {
  const { rows } = await askedRow.select`
    from recharge_use u join activity_version v on v.activity_id = u.activity_id and v.version = u.version
    where u.id = ${paymentId} and u.agent_id = ${agentId} and u.state = 'asked' for update of u`.execute(tx)
  const [row] = rows
  return row === undefined ? undefined : { ...row, rewards: rewardsSchema.parse(row.rewards) }
}

export async function settleUse(
  tx: Tx,
  settled: { readonly paymentId: number; readonly why: RechargeRefusal | null; readonly at: Date },
): Promise<void> {
  const { paymentId, why, at } = settled
  await sql`
    update recharge_use set state = ${why === null ? 'given' : 'refused'}, why = ${why}, settled_at = ${at}
    where id = ${paymentId}`.execute(tx)
}

const openGiftRow = rowOfValues({
  payment_id: computed('bigint', sql`r.cause_id`),
  cents: computed('bigint', sql`sum(l.open_cents)`),
})

/** What is open of the gift balance that activities gave for recharges. */
export const selectOpenGifts = (of: { readonly agentId: number; readonly paymentIds: readonly number[] }) =>
  openGiftRow.select`
    from reward r join gift_lot l on l.id = r.gift_lot_id and l.agent_id = r.agent_id
    where r.cause_kind = 'recharge' and r.cause_id = any (${of.paymentIds}::bigint[]) and r.agent_id = ${of.agentId}
    group by r.cause_id`

const revokedRow = rowOf('recharge_use', ['id'])

/** Resolves to those of the recharges that had been given something. */
export async function markRevoked(
  tx: Tx,
  { agentId, paymentIds }: { readonly agentId: number; readonly paymentIds: readonly number[] },
): Promise<number[]> {
  const { rows } = await revokedRow.returning`
    update recharge_use set state = 'revoked'
    where id = any (${paymentIds}::bigint[]) and agent_id = ${agentId} and state = 'given'`.execute(tx)
  return rows.map(({ id }) => id)
}

/**
 * Whether a payment counts as a recharge of its rider. What went back at once because it passed the limit for prepaid money
 * was none; what the rider had and gave back later was one.
 */
export const isRecharge = (payment: string) => sql<boolean>`not exists (
  select from payment_refund c where c.payment_id = ${sql.ref(payment)}.id and c.state <> 'returned'
    and c.reason = ${reasonOf('abovePrepaidCap')})`

const paidRow = rowOfValues({ has_paid: computed('boolean', sql`count(*) > 0`) })

/** Whether a rider has recharged with a company before, by another payment than this one. */
export async function hasRecharged(
  tx: Tx,
  { agentId, riderId, paymentId = 0 }: { agentId: number; riderId: number; paymentId?: number },
): Promise<boolean> {
  const { rows } = await paidRow.select`
    from payment p where p.agent_id = ${agentId} and p.rider_id = ${riderId} and p.purpose = 'recharge'
      and p.state = 'paid' and p.id <> ${paymentId} and ${isRecharge('p')}`.execute(tx)
  return rows[0]?.has_paid === true
}

const pastRow = rowsOf(
  rowOf('payment', 'p', ['rider_id', 'cents', 'paid_at']),
  rowOfValues({
    is_first: computed(
      'boolean',
      sql`not exists (select from payment f where f.agent_id = p.agent_id and f.rider_id = p.rider_id
        and f.purpose = 'recharge' and f.state = 'paid' and f.id < p.id and ${isRecharge('f')})`,
    ),
  }),
).filled('paid_at')
export type PastRecharge = RowOf<typeof pastRow>

/** The recharges of a company since then, the newest first. */
export const selectPast = (asked: { readonly agentId: number; readonly since: Date; readonly limit: number }) =>
  pastRow.select`
    from payment p
    where p.agent_id = ${asked.agentId} and p.purpose = 'recharge' and p.state = 'paid' and p.paid_at >= ${asked.since}
      and ${isRecharge('p')}
    order by p.paid_at desc, p.id desc limit ${asked.limit}`
