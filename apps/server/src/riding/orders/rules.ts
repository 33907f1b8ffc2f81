import { businessDayEnd, businessDayOf, businessDayStart } from '@saddle/contract/time.ts'

/** The day it was placed and its id: what a rider reads to somebody on the telephone. */
export function orderNumber({ id, placedAt }: { readonly id: number; readonly placedAt: number }): string {
  return `${businessDayOf(placedAt).slice(2).replaceAll('-', '')}${String(id).padStart(10, '0')}`
}

/** What a number of 16 digits names: an id, and when its order was placed; null for a day that does not exist. */
export function readOrderNumber(
  number: string,
): { readonly id: number; readonly from: number; readonly to: number } | null {
  const [year, month, date] = [number.slice(0, 2), number.slice(2, 4), number.slice(4, 6)]
  const day = `20${year}-${month}-${date}`
  const from = businessDayStart(day)
  if (Number.isNaN(from) || businessDayOf(from) !== day) return null
  return { id: Number(number.slice(6)), from, to: businessDayEnd(day) }
}
