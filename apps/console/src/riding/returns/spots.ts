import { planeM } from '@saddle/geo/earth.ts'
import type { ListedReview } from '@saddle/contract/riding/returns.ts'
import { businessDayOf } from '@saddle/contract/time.ts'

/** Returns this near to each other are of one spot: a position is not more exact. */
const spotM = 30

/** The other returns that wait and were left at the same spot on the same day: they have one answer. */
export function sameSpot(of: ListedReview, rows: readonly ListedReview[]): readonly ListedReview[] {
  const { lat, lng, endedAt } = of
  if (lat === null || lng === null || endedAt === null) return []
  const day = businessDayOf(endedAt)
  return rows.filter(
    (row) =>
      row.orderId !== of.orderId &&
      row.state === 'open' &&
      row.returnKind === of.returnKind &&
      row.lat !== null &&
      row.lng !== null &&
      row.endedAt !== null &&
      businessDayOf(row.endedAt) === day &&
      planeM({ lat, lng }, { lat: row.lat, lng: row.lng }) <= spotM,
  )
}
