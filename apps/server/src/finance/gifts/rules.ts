import { addDays, businessDayOf, businessDayStart } from '@saddle/contract/time.ts'

/** What of a lot is taken. */
export type GiftPart = { readonly lotId: number; readonly cents: number }
type Lot = { readonly id: number; readonly openCents: number; readonly endsAt: number | null }

const never = Number.MAX_SAFE_INTEGER
const isBefore = (a: Lot, b: Lot): number => (a.endsAt ?? never) - (b.endsAt ?? never) || a.id - b.id

/** What each lot gives towards a sum: the one that ends first gives first. All of them may be less than the sum. */
export function takeInOrder(lots: readonly Lot[], cents: number): GiftPart[] {
  let left = cents
  const parts: GiftPart[] = []
  for (const { id: lotId, openCents } of [...lots].sort(isBefore)) {
    const part = Math.min(left, openCents)
    if (part <= 0) continue
    parts.push({ lotId, cents: part })
    left -= part
  }
  return parts
}

export const sumOf = (parts: readonly { readonly cents: number }[]): number =>
  parts.reduce((sum, { cents }) => sum + cents, 0)

/** Days of validity reach to the end of the last business day. Null: it does not lapse. */
export const endOfGift = (grantedAt: number, validDays: number | null): number | null =>
  validDays === null ? null : businessDayStart(addDays(businessDayOf(grantedAt), validDays))
