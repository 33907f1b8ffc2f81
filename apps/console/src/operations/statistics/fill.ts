import type { Station } from '@saddle/contract/operations/statistics/stations.ts'

/** How full a place is: empty, with room, full, or holding more than it is meant for; unknown without a capacity. */
export const fills = ['empty', 'some', 'full', 'over', 'unknown'] as const
export type Fill = (typeof fills)[number]

export const fillLabels: Readonly<Record<Fill, string>> = {
  empty: '空置',
  some: '有余位',
  full: '将满',
  over: '超量',
  unknown: '没有容量',
}

/** From this share on a place counts as nearly full. */
const nearlyFull = 0.9

export function fillOf(stock: number, capacity: number | null): Fill {
  if (stock === 0) return 'empty'
  if (capacity === null) return 'unknown'
  if (stock > capacity) return 'over'
  return stock >= capacity * nearlyFull ? 'full' : 'some'
}

/** What stood there at the end of the hour `hour` of the span; the last one where it is beyond. */
export const stockAt = ({ stocks, stock }: Pick<Station, 'stocks' | 'stock'>, hour: number): number =>
  stocks[Math.min(hour, stocks.length - 1)] ?? stock
