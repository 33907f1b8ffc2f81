import { sql } from 'kysely'
import { activityKinds } from '@saddle/contract/marketing/activities.ts'
import { rewardCauses, rewardKinds, rewardStates } from '@saddle/contract/marketing/rewards.ts'
import { rewardChoicesMax, userRewardList } from '@saddle/contract/marketing/userRewards.ts'
import { couponStates } from '@saddle/contract/marketing/coupons.ts'
import { computed, rowOf, rowOfValues, rowsOf, type RowOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import { spanOf, tableList } from '#kit/list/tableList.ts'
import { numberOf, placedAtOf } from '../orderNumbers.ts'

const rewardColumns = rowsOf(
  rowOf('reward', 'w', [
    'id',
    'agent_id',
    'rider_id',
    'activity_id',
    'cause_kind as cause',
    'kind',
    'name',
    'cents',
    'state',
    'granted_at',
    'granted_by',
    'note',
    'due_at',
    'given_at',
    'ended_at',
    'ended_by',
    'end_reason',
    'kept_cents',
  ]),
  rowOf('agent', 'agent', ['company']),
  rowOf('rider', 'r', ['phone_sealed', 'phone_hash']),
  rowOf('activity', 'a', ['name as activity', 'kind as activity_kind']).optional(),
  rowOfValues({
    order_id: computed('bigint?', sql`case when w.cause_kind = 'ride' then w.cause_id end`),
    placed_at: computed(
      'timestamptz?',
      sql`case when w.cause_kind = 'ride' then ${placedAtOf(sql`w.cause_id`, sql`w.agent_id`)} end`,
    ),
    count: computed('integer', sql`coalesce((w.what ->> 'count')::int, 1)`),
  }),
).codes({ cause: rewardCauses, kind: rewardKinds, state: rewardStates, activity_kind: activityKinds })
type UserRewardRow = RowOf<typeof rewardColumns>

export const userRewardRows = tableList(userRewardList, {
  table: 'reward',
  alias: 'w',
  tenant: 'agent',
  columns: rewardColumns,
  joins: sql`
    join agent on agent.id = w.agent_id join rider r on r.id = w.rider_id
    left join activity a on a.id = w.activity_id`,
  sorts: { granted: ['granted_at', 'instant'] },
  sums: { cents: sql`w.cents` },
  find: (
    { id, activityId, kinds, states = rewardStates, causes, ...span },
    { riderIds }: { readonly riderIds: readonly number[] | undefined },
  ) => ({
    runs: { column: 'state', type: 'text', values: states },
    narrowed: [
      id !== undefined && sql`w.id = ${id}`,
      riderIds && sql`w.rider_id = any (${riderIds}::bigint[])`,
      activityId !== undefined && sql`w.activity_id = ${activityId}`,
    ],
    where: [
      ...spanOf('w.granted_at', span),
      kinds && sql`w.kind = any (${kinds}::text[])`,
      causes && sql`w.cause_kind = any (${causes}::text[])`,
    ],
  }),
})
export function presentUserReward(row: UserRewardRow) {
  const { placedAt, ...shown } = rewardColumns.present(row)
  return { ...shown, orderNumber: numberOf(shown.orderId, placedAt) }
}

const detailRow = rowOf('reward', 'w', ['what', 'coupon_ids', 'gift_lot_id', 'card_id'])
const couponRow = rowsOf(
  rowOf('coupon', 'c', ['id', 'state', 'ends_at', 'used_at', 'order_id', 'saved_cents']),
  rowOfValues({ placed_at: computed('timestamptz?', placedAtOf(sql`c.order_id`, sql`c.agent_id`)) }),
).codes({
  state: couponStates,
})
const cardRow = rowOf('rider_card', 'c', ['id', 'state', 'begins_on', 'ends_on'])

type OfScope = { readonly scope: Pick<Scope, 'agentIds'> }

/** What a reward of the scope gave. */
export const selectDetail = ({ id, scope }: OfScope & { readonly id: number }) =>
  detailRow.select`from reward w where w.id = ${id} and w.agent_id = any (${scope.agentIds}::bigint[])`

export const selectCoupons = ({ ids, scope }: OfScope & { readonly ids: readonly number[] }) =>
  couponRow.select`
    from coupon c where c.id = any (${ids}::bigint[]) and c.agent_id = any (${scope.agentIds}::bigint[]) order by c.id`
export function presentCoupon(row: RowOf<typeof couponRow>) {
  const { placedAt, ...shown } = couponRow.present(row)
  return { ...shown, orderNumber: numberOf(shown.orderId, placedAt) }
}

export const selectCard = ({ id, scope }: OfScope & { readonly id: number | null }) =>
  cardRow.select`from rider_card c where c.id = ${id} and c.agent_id = any (${scope.agentIds}::bigint[])`

const templateRow = rowsOf(
  rowOf('coupon_template', 't', ['id', 'agent_id', 'name']),
  rowOf('coupon_template_version', 'v', ['terms']),
  rowOf('agent', 'agent', ['company']),
)
/** Kinds of coupons that are issued. */
export const selectTemplates = ({ scope }: OfScope) => templateRow.select`
  from coupon_template t join coupon_template_version v on v.template_id = t.id and v.version = t.version
  join agent on agent.id = t.agent_id
  where t.agent_id = any (${scope.agentIds}::bigint[]) and t.state = 'on' order by t.agent_id, t.id desc
  limit ${rewardChoicesMax}`

const activityRow = rowsOf(rowOf('activity', 'a', ['id', 'agent_id', 'name']), rowOf('agent', 'agent', ['company']))
/** Activities that give rewards, the newest first. */
export const selectActivities = ({ scope }: OfScope) => activityRow.select`
  from activity a join agent on agent.id = a.agent_id
  where a.agent_id = any (${scope.agentIds}::bigint[]) and a.kind <> 'riding' order by a.id desc
  limit ${rewardChoicesMax}`
export const presentActivity = activityRow.present

const productRow = rowsOf(
  rowOf('card_product', 'p', ['id', 'agent_id', 'name', 'price_cents']),
  rowOf('agent', 'agent', ['company']),
)
/** Cards that are on sale. */
export const selectProducts = ({ scope }: OfScope) => productRow.select`
  from card_product p join agent on agent.id = p.agent_id
  where p.agent_id = any (${scope.agentIds}::bigint[]) and p.state = 'on' order by p.agent_id, p.id desc
  limit ${rewardChoicesMax}`
