import type { Tx } from '#kit/db/pool.ts'
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

/** Lets a person look at a return. What was opened by its fee and is then disputed keeps its place, with the claim. */
export async function openReview(
  tx: Tx,
  review: OfOrder & { readonly cause: 'fee' | 'dispute'; readonly claim: string; readonly feeCents: number },
): Promise<void> {
  const { cause, claim } = review
  await tx
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
    .execute()
}
