import { sql, type RawBuilder } from 'kysely'
import { returnKinds } from '@saddle/contract/riding/price.ts'
import { reviewList, type ReviewDecision } from '@saddle/contract/riding/returns.ts'
import { AppError } from '@saddle/contract/errors.ts'
import type { Tx } from '#kit/db/pool.ts'
import { computed, rowOf, rowOfValues, rowsOf, type RowOf } from '#kit/db/rows.ts'
import { spanOf, tableList } from '#kit/list/tableList.ts'
import { readOrderNumber } from '../orders/rules.ts'
import { reviewRow } from '../orders/store.ts'
import type { Judgement } from './judge.ts'

type OfOrder = { readonly orderId: number; readonly agentId: number; readonly areaId: number; readonly at: Date }

/** Notes where a vehicle stood when its ride was to end, and how that was judged. */
export async function insertCheck(
  tx: Tx,
  check: OfOrder & {
    readonly place: { readonly lat: number; readonly lng: number } | null
    readonly judgement: Judgement
    readonly accepted: boolean
  },
): Promise<void> {
  const { place, judgement } = check
  await tx
    .insertInto('return_check')
    .values({
      order_id: check.orderId,
      agent_id: check.agentId,
      area_id: check.areaId,
      checked_at: check.at,
      lat: place?.lat ?? null,
      lng: place?.lng ?? null,
      kind: judgement.kind,
      fence_id: judgement.fence?.id ?? null,
      fence_name: judgement.fence?.name ?? null,
      fence_version: judgement.fence?.version ?? null,
      distance_m: judgement.distanceM,
      accepted: check.accepted,
    })
    .execute()
}

/**
 * Lets a person look at a return. What was opened by its fee and is then disputed keeps its place, with the claim. Throws
 * review_decided where somebody has looked already: a claim that nobody will read is not taken.
 */
export async function openReview(
  tx: Tx,
  review: OfOrder & { readonly cause: 'fee' | 'dispute'; readonly claim: string; readonly feeCents: number },
): Promise<void> {
  const { cause, claim } = review
  const opened = await tx
    .insertInto('return_review')
    .values({
      order_id: review.orderId,
      agent_id: review.agentId,
      area_id: review.areaId,
      opened_at: review.at,
      cause,
      claim,
      fee_cents: review.feeCents,
    })
    .onConflict((conflict) =>
      conflict.column('order_id').doUpdateSet({ cause, claim }).where('return_review.state', '=', 'open'),
    )
    .returning('order_id')
    .executeTakeFirst()
  if (opened === undefined) throw new AppError('review_decided')
}

const listedReviewRow = rowsOf(
  reviewRow,
  rowOf('ride_order', 'o', [
    'agent_id',
    'rider_id',
    'placed_at',
    'vehicle_number',
    'area_id',
    'ended_at',
    'charged_cents',
    'refunded_cents',
    'return_kind',
  ]).codes({ return_kind: returnKinds }),
  rowOf('rider', 'rider', ['phone_sealed', 'phone_hash']),
  rowOf('service_area', 'service_area', ['name as area_name']),
  rowOfValues({
    distance_m: computed('real?', sql`stood.distance_m`),
    lat: computed('double precision?', sql`stood.lat`),
    lng: computed('double precision?', sql`stood.lng`),
    photo_count: computed('integer', sql`select count(*) from return_photo p where p.order_id = o.id`),
  }),
)
export type ListedReviewRow = RowOf<typeof listedReviewRow>
export const presentListedReview = listedReviewRow.present

const ofOrder = (condition: RawBuilder<unknown>) =>
  sql`exists (select from ride_order o where o.id = w.order_id and ${condition})`

/** Returns to look at, those that wait unless others are asked for. */
export const reviewRows = tableList(reviewList, {
  table: 'return_review',
  alias: 'w',
  id: 'order_id',
  tenant: 'area',
  columns: listedReviewRow,
  joins: sql`join ride_order o on o.id = w.order_id join service_area on service_area.id = o.area_id
    join rider on rider.id = o.rider_id
    left join lateral (
      select c.distance_m, c.lat, c.lng from return_check c
      where c.order_id = o.id and c.accepted order by c.id desc limit 1) stood on true`,
  sorts: { opened: ['opened_at', 'instant'], fee: ['fee_cents', 'whole'] },
  sums: { feeCents: sql`w.fee_cents` },
  find: (filter, { riderIds }: { readonly riderIds: readonly number[] | undefined }) => {
    const { states = ['open'], areaIds, number, vehicleNumber, kinds, disputed, withinM } = filter
    const named = number === undefined ? undefined : readOrderNumber(number)
    return {
      areaIds,
      runs: { column: 'state', type: 'text', values: states },
      narrowed: [
        named === null && sql`false`,
        named !== null &&
          named !== undefined &&
          sql`w.order_id = ${named.id} and ${ofOrder(sql.join(spanOf('o.placed_at', named), sql` and `))}`,
        riderIds && sql`w.order_id in (select o.id from ride_order o where o.rider_id = any (${riderIds}::bigint[]))`,
        vehicleNumber !== undefined &&
          sql`w.order_id in (
            select o.id from ride_order o where o.vehicle_number = ${vehicleNumber.toUpperCase()})`,
      ],
      where: [
        ...spanOf('w.opened_at', filter),
        disputed !== undefined && sql`(w.cause = 'dispute') = ${disputed}`,
        kinds && ofOrder(sql`o.return_kind = any (${kinds}::text[])`),
        withinM !== undefined &&
          sql`exists (
            select from return_check c
            where c.order_id = w.order_id and c.accepted and c.distance_m > 0 and c.distance_m <= ${withinM})`,
      ],
    }
  },
})

const returnReviewRow = rowOf('return_review', ['fee_cents'])

/** The review if it may still be decided so, locked; undefined when it was decided otherwise. */
export async function lockReview(
  tx: Tx,
  { orderId, decision }: { orderId: number; decision: ReviewDecision },
): Promise<{ fee_cents: number } | undefined> {
  const from = { kept: ['open'], waived: ['open', 'kept'], open: ['kept'] }[decision]
  const { rows } = await returnReviewRow.select`
    from return_review
    where order_id = ${orderId} and state = any (${from}::text[]) for update`.execute(tx)
  return rows[0]
}

export async function decideReview(
  tx: Tx,
  decision: {
    readonly orderId: number
    readonly state: ReviewDecision
    readonly at: Date
    readonly operatorId: number
    readonly operatorName: string
    readonly note: string
  },
): Promise<void> {
  await tx
    .updateTable('return_review')
    .set(
      decision.state === 'open'
        ? { state: 'open', decided_at: null, decided_by_id: null, decided_by: null, note: '' }
        : {
            state: decision.state,
            decided_at: decision.at,
            decided_by_id: decision.operatorId,
            decided_by: decision.operatorName,
            note: decision.note,
          },
    )
    .where('order_id', '=', decision.orderId)
    .execute()
}
