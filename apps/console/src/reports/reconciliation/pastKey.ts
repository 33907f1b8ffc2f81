import type { ReconciliationGroup } from '@saddle/contract/reports/reconciliation.ts'
import { addDays, dayMs } from '@saddle/contract/time.ts'

interface PastKey {
  readonly by: ReconciliationGroup
  readonly from: string
  readonly pastFrom: string
}

const monthsOf = (day: string): number => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1

/** The day or month of another span that stands as far from its beginning; a company or channel stands beside itself. */
export function pastKey(key: string, { by, from, pastFrom }: PastKey): string {
  if (by === 'day') return addDays(pastFrom, (Date.parse(key) - Date.parse(from)) / dayMs)
  if (by !== 'month') return key
  const month = monthsOf(pastFrom) + monthsOf(key) - monthsOf(from)
  return `${Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}`
}
