import { sql, type RawBuilder } from 'kysely'
import { reviewCountMax, type ReviewDecision, type ReviewFilter } from '@saddle/contract/riding/returns.ts'
import { AppError } from '@saddle/contract/errors.ts'
import type { Tx } from '#kit/db/pool.ts'
import { countRow, rowOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import { within } from '#kit/db/within.ts'
import type { OrderCursor } from '../orders/rules.ts'
import type { ReviewRow } from '../orders/store.ts'
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

export type ListedReviewRow = ReviewRow & {
  agent_id: number
  rider_id: number
  placed_at: Date
  vehicle_number: string
  phone_sealed: string
  phone_hash: string
  area_id: number
  area_name: string
  ended_at: Date | null
  charged_cents: number | null
  refunded_cents: number
  return_kind: string | null
  distance_m: number | null
  photo_count: number
}

export type ReviewSearch = {
  readonly scope: Scope
  readonly filter: ReviewFilter
  /** The filter's phone, looked up; absent: no phone was asked for. */
  readonly riderIds: readonly number[] | undefined
  /** The filter's number, read; absent: none was asked for. */
  readonly orderId: number | undefined
}

function meets({ scope, filter, riderIds, orderId }: ReviewSearch): RawBuilder<unknown> {
  const { states = ['open'], areaIds, vehicleNumber, kinds, disputed, from, to } = filter
  const ofOrder = (condition: RawBuilder<unknown>) =>
    sql`exists (select from ride_order o where o.id = w.order_id and ${condition})`
  const some = (asked: unknown, condition: () => RawBuilder<unknown>) => (asked === undefined ? [] : [condition()])
  return sql.join(
    [
      within('w', scope),
      sql`w.state = any (${states}::text[])`,
      ...some(areaIds, () => sql`w.area_id = any (${areaIds}::bigint[])`),
      ...some(disputed, () => sql`(w.cause = 'dispute') = ${disputed}`),
      ...some(from, () => sql`w.opened_at >= ${new Date(from ?? 0)}`),
      ...some(to, () => sql`w.opened_at < ${new Date(to ?? 0)}`),
      ...some(orderId, () => sql`w.order_id = ${orderId}`),
      ...some(riderIds, () => ofOrder(sql`o.rider_id = any (${riderIds}::bigint[])`)),
      ...some(vehicleNumber, () => ofOrder(sql`o.vehicle_number = ${vehicleNumber?.toUpperCase()}`)),
      ...some(kinds, () => ofOrder(sql`o.return_kind = any (${kinds}::text[])`)),
    ],
    sql` and `,
  )
}

/** Returns to look at, the ones that were opened last first. */
export function selectReviews({
  after,
  limit,
  ...search
}: ReviewSearch & { readonly after: OrderCursor | null; readonly limit: number }) {
  const older = after === null ? sql`` : sql`and (w.opened_at, w.order_id) < (${new Date(after.placedAt)}, ${after.id})`
  return sql<ListedReviewRow>`
    select w.order_id, w.opened_at, w.cause, w.claim, w.fee_cents, w.state, w.decided_at, w.decided_by, w.note,
      o.agent_id, o.rider_id, o.placed_at, o.vehicle_number, rider.phone_sealed, rider.phone_hash, o.area_id,
      service_area.name as area_name, o.ended_at, o.charged_cents, o.refunded_cents, o.return_kind,
      (select c.distance_m from return_check c where c.order_id = o.id and c.accepted order by c.id desc limit 1)
        as distance_m,
      (select count(*) from return_photo p where p.order_id = o.id) as photo_count
    from (
      select * from return_review w where ${meets(search)} ${older}
      order by w.opened_at desc, w.order_id desc limit ${limit}
    ) w
    join ride_order o on o.id = w.order_id join service_area on service_area.id = o.area_id
    join rider on rider.id = o.rider_id
    order by w.opened_at desc, w.order_id desc`
}

/** How many meet the conditions, up to one more than is told. */
export function countReviews(search: ReviewSearch) {
  return countRow.select`
    from (
      select from return_review w where ${meets(search)} limit ${reviewCountMax + 1}) c`
}

const openCountMax = 10_000

export function countOpenReviews(scope: Scope) {
  return countRow.select`
    from (
      select from return_review w where w.state = 'open' and ${within('w', scope)} limit ${openCountMax}) c`
}

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
