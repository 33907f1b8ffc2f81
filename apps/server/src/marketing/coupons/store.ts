import { sql } from 'kysely'
import { activityKinds, activityWarnPercent } from '@saddle/contract/marketing/activities.ts'
import { couponBatchList, couponIssuersMax, couponSources } from '@saddle/contract/marketing/couponBatches.ts'
import {
  couponList,
  couponStates,
  couponTemplateList,
  couponTemplateStates,
} from '@saddle/contract/marketing/coupons.ts'
import { couponTermsSchema, type CouponTerms } from '@saddle/contract/marketing/couponTerms.ts'
import { computed, rowOf, rowOfValues, rowsOf, type RowOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import { spanOf, tableList } from '#kit/list/tableList.ts'
import { numberOf, placedAtOf } from '../orderNumbers.ts'
import { isUsedUp } from '../usedUp.ts'

/** Terms that are stored; what has no value yet gets its default. */
export const termsOf = (stored: unknown): CouponTerms => couponTermsSchema.parse(stored)

const templateCounts = rowOfValues({
  issued: computed('bigint', sql`c.issued`),
  used: computed('bigint', sql`c.used`),
  expired: computed('bigint', sql`c.expired`),
  revoked: computed('bigint', sql`c.revoked`),
  open: computed('bigint', sql`c.open`),
})
const templateColumns = rowsOf(
  rowOf('coupon_template', 't', [
    'id',
    'agent_id',
    'name',
    'state',
    'version',
    'budget_cents',
    'budget_uses',
    'rider_max',
    'device_max',
    'used_cents',
    'created_at',
    'changed_at',
    'changed_by',
  ]),
  rowOf('coupon_template_version', 'v', ['terms']),
  rowOf('agent', 'agent', ['company']),
  templateCounts,
).codes({ state: couponTemplateStates })

/** `couponBudgetState` of the contract, as conditions of the database; 0 % where there is no budget. */
const isDry = isUsedUp({
  budgetCents: sql`t.budget_cents`,
  budgetUses: sql`t.budget_uses`,
  usedCents: sql`t.used_cents`,
  uses: sql`t.uses`,
})
const budgetPercent = sql`greatest(coalesce(t.used_cents * 100.0 / t.budget_cents, 0), coalesce(t.uses * 100.0 / t.budget_uses, 0))`

export const templateRows = tableList(couponTemplateList, {
  table: 'coupon_template',
  alias: 't',
  tenant: 'agent',
  columns: templateColumns,
  joins: sql`
    join coupon_template_version v on v.template_id = t.id and v.version = t.version
    join agent on agent.id = t.agent_id
    cross join lateral (
      select coalesce(sum(b.issued), 0) as issued, coalesce(sum(b.used), 0) as used,
        coalesce(sum(b.expired), 0) as expired, coalesce(sum(b.revoked), 0) as revoked, coalesce(sum(b.open), 0) as open
      from coupon_batch b where b.template_id = t.id
    ) c`,
  sorts: { created: ['created_at', 'instant'] },
  sums: { usedCents: sql`t.used_cents` },
  find: ({ states = couponTemplateStates, name, id, budget }) => ({
    runs: { column: 'state', type: 'text', values: states },
    narrowed: [id !== undefined && sql`t.id = ${id}`],
    where: [
      name !== undefined && sql`strpos(lower(t.name), lower(${name})) > 0`,
      budget === 'dry' && isDry,
      budget === 'low' && sql`${budgetPercent} >= ${activityWarnPercent} and not ${isDry}`,
    ],
  }),
})

export function presentTemplate(row: RowOf<typeof templateColumns>) {
  return { ...templateColumns.present(row), terms: termsOf(row.terms) }
}

const batchColumns = rowsOf(
  rowOf('coupon_batch', 'b', [
    'id',
    'agent_id',
    'template_id',
    'version',
    'source',
    'note',
    'claim_until',
    'wanted',
    'issued',
    'claimed',
    'used',
    'expired',
    'revoked',
    'made_at',
    'made_by',
  ]),
  rowOfValues({
    is_revoking: computed('boolean', sql`b.revoke_asked_at is not null and b.revoke_done_at is null`),
    open: computed('integer', sql`b.open`),
    name: computed('text', sql`v.terms ->> 'name'`),
  }),
).codes({ source: couponSources })

const versionOfBatch = sql`join coupon_template_version v on v.template_id = b.template_id and v.version = b.version`

export const batchRows = tableList(couponBatchList, {
  table: 'coupon_batch',
  alias: 'b',
  tenant: 'agent',
  columns: batchColumns,
  joins: versionOfBatch,
  sorts: { made: ['made_at', 'instant'] },
  find: ({ templateId, id, sources, activityId, campaignId }) => ({
    narrowed: [
      templateId !== undefined && sql`b.template_id = ${templateId}`,
      id !== undefined && sql`b.id = ${id}`,
      activityId !== undefined && sql`b.activity_id = ${activityId}`,
      campaignId !== undefined && sql`b.id = (select p.batch_id from campaign p where p.id = ${campaignId})`,
    ],
    where: [sources !== undefined && sql`b.source = any (${sources}::text[])`],
  }),
})
export const presentBatch = batchColumns.present

const issuerColumns = rowsOf(
  rowOf('coupon_batch', 'b', ['source']),
  rowOf('campaign', 'p', ['id as campaign_id', 'name as campaign']).optional(),
  rowOf('activity', 'a', ['id as activity_id', 'name as activity', 'kind as activity_kind']).optional(),
  rowOfValues({
    batches: computed('bigint', sql`count(*)`),
    issued: computed('bigint', sql`sum(b.issued)`),
    used: computed('bigint', sql`sum(b.used)`),
  }),
).codes({ source: couponSources, activity_kind: activityKinds })

/** What issued coupons of a kind. */
export function selectIssuers({ id, scope }: { id: number; scope: Pick<Scope, 'agentIds'> }) {
  return issuerColumns.select`
    from coupon_batch b
    left join campaign p on p.batch_id = b.id and p.agent_id = b.agent_id
    left join activity a on a.id = b.activity_id and a.agent_id = b.agent_id
    where b.template_id = ${id} and b.agent_id = any (${scope.agentIds}::bigint[])
    group by b.source, p.id, a.id order by sum(b.issued) desc, b.source, p.id, a.id limit ${couponIssuersMax}`
}

export function presentIssuer(row: RowOf<typeof issuerColumns>) {
  const { campaignId, campaign, activityId, activity, activityKind, ...shown } = issuerColumns.present(row)
  return {
    ...shown,
    campaign: campaignId === null || campaign === null ? null : { id: campaignId, name: campaign },
    activity:
      activityId === null || activity === null || activityKind === null
        ? null
        : { id: activityId, name: activity, kind: activityKind },
  }
}

const couponColumns = rowsOf(
  rowOf('coupon', 'k', [
    'id',
    'agent_id',
    'template_id',
    'version',
    'batch_id',
    'rider_id',
    'code',
    'state',
    'issued_at',
    'claimed_at',
    'ends_at',
    'used_at',
    'order_id',
    'saved_cents',
    'returned_order_id',
    'revoked_at',
    'revoked_by',
    'revoke_reason',
  ]),
  rowOfValues({ name: computed('text', sql`v.terms ->> 'name'`) }),
  rowOf('agent', 'agent', ['company']),
  rowOf('rider', 'r', ['phone_sealed', 'phone_hash']).optional(),
  rowOfValues({
    placed_at: computed('timestamptz?', placedAtOf(sql`k.order_id`, sql`k.agent_id`)),
    returned_placed_at: computed('timestamptz?', placedAtOf(sql`k.returned_order_id`, sql`k.agent_id`)),
  }),
).codes({ state: couponStates })
export type CouponRow = RowOf<typeof couponColumns>

export const couponRows = tableList(couponList, {
  table: 'coupon',
  alias: 'k',
  tenant: 'agent',
  columns: couponColumns,
  joins: sql`
    join coupon_template_version v on v.template_id = k.template_id and v.version = k.version
    join agent on agent.id = k.agent_id left join rider r on r.id = k.rider_id`,
  sorts: { issued: ['issued_at', 'instant'] },
  sums: { savedCents: sql`coalesce(k.saved_cents, 0)` },
  find: (
    { templateId, batchId, states = couponStates, code, ...span },
    { riderIds }: { readonly riderIds: readonly number[] | undefined },
  ) => ({
    runs: { column: 'state', type: 'text', values: states },
    narrowed: [riderIds && sql`k.rider_id = any (${riderIds}::bigint[])`, code !== undefined && sql`k.code = ${code}`],
    where: [
      ...spanOf('k.issued_at', span),
      templateId !== undefined && batchId === undefined && sql`k.template_id = ${templateId}`,
      batchId !== undefined && sql`k.batch_id = ${batchId}`,
      // A batch is of one kind: asked once, not for each of its coupons.
      templateId !== undefined &&
        batchId !== undefined &&
        sql`${templateId} = (select b.template_id from coupon_batch b where b.id = ${batchId})`,
    ],
  }),
})
export function presentCoupon(row: RowOf<typeof couponColumns>) {
  const { placedAt, returnedPlacedAt, ...shown } = couponColumns.present(row)
  const returnedOrderNumber = numberOf(shown.returnedOrderId, returnedPlacedAt)
  return { ...shown, orderNumber: numberOf(shown.orderId, placedAt), returnedOrderNumber }
}

const versionColumns = rowOf('coupon_template_version', 'v', ['version', 'terms', 'made_at', 'made_by'])
const versionsMax = 50

/** What a kind of coupon has promised over time, the newest first. */
export function selectVersions({ id, scope }: { id: number; scope: Pick<Scope, 'agentIds'> }) {
  return versionColumns.select`
    from coupon_template_version v
    where v.template_id = ${id} and v.agent_id = any (${scope.agentIds}::bigint[])
    order by v.version desc limit ${versionsMax}`
}

export function presentVersion(row: RowOf<typeof versionColumns>) {
  return { ...versionColumns.present(row), terms: termsOf(row.terms) }
}
