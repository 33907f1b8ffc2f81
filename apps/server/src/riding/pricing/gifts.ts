import type { SkippedBenefit, SkipReason } from '@saddle/contract/riding/benefits.ts'
import { sumOf, takeInOrder, type GiftLot, type GiftPart } from '#finance/public.ts'

/** What is left of a charge after benefits have lowered it, and where and when the ride was. */
export type LeftToPay = { readonly leftCents: number; readonly areaId: number; readonly at: number }

export type PaidByGifts = {
  /** What each lot pays: the one that ends first pays first. */
  readonly parts: readonly GiftPart[]
  readonly cents: number
  readonly skipped: readonly SkippedBenefit[]
}

/** Lots that are kept with an order as skipped. */
const skippedMax = 20

/**
 * The lots of gift balance that pay for what benefits have left of a charge, before paid balance does. Gift balance is a
 * means of payment: it lowers no price, so it takes no part in the choice of the best benefits.
 */
export function payByGifts({ leftCents, areaId, at }: LeftToPay, lots: readonly GiftLot[]): PaidByGifts {
  const why = ({ endsAt, areaIds }: GiftLot): SkipReason | null => {
    if (endsAt !== null && endsAt <= at) return 'lapsed'
    return areaIds.length > 0 && !areaIds.includes(areaId) ? 'area' : null
  }
  const parts = takeInOrder(
    lots.filter((lot) => why(lot) === null),
    leftCents,
  )
  const paying = new Set(parts.map(({ lotId }) => lotId))
  const skipped = lots
    .filter(({ id }) => !paying.has(id))
    .slice(0, skippedMax)
    .map((lot): SkippedBenefit => ({ kind: 'gift', id: lot.id, name: lot.name, why: why(lot) ?? 'nothing_left' }))
  return { parts, cents: sumOf(parts), skipped }
}
