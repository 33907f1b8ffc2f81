import {
  dueSoonDays,
  lowBalanceDays,
  type AssetWarning,
  type CompanyAssets,
} from '@saddle/contract/finance/costCenter.ts'
import { dayMs } from '@saddle/contract/time.ts'

export type Note = { readonly id: number; readonly leftCents: number }
export type OpenBill = { readonly id: number; readonly openCents: number }
export type Spending = {
  readonly spends: readonly { readonly billId: number; readonly cents: number }[]
  /** What each note gives. */
  readonly taken: readonly { readonly noteId: number; readonly cents: number }[]
}

/** Pays bills, the oldest first and in parts where it must, out of notes, the oldest first. */
export function spend(bills: readonly OpenBill[], notes: readonly Note[]): Spending {
  let left = notes.reduce((sum, { leftCents }) => sum + leftCents, 0)
  const spends: { billId: number; cents: number }[] = []
  for (const { id, openCents } of bills) {
    const cents = Math.min(left, openCents)
    if (cents > 0) spends.push({ billId: id, cents })
    left -= cents
  }
  let owed = spends.reduce((sum, { cents }) => sum + cents, 0)
  const taken: { noteId: number; cents: number }[] = []
  for (const { id, leftCents } of notes) {
    const cents = Math.min(owed, leftCents)
    if (cents > 0) taken.push({ noteId: id, cents })
    owed -= cents
  }
  return { spends, taken }
}

/** Whole days that the balance lasts beyond what is due and used; null where nothing is used. */
export function daysLeftOf({
  serviceCents,
  openCents,
  unbilledCents,
  dailyCents,
}: Pick<CompanyAssets, 'serviceCents' | 'openCents' | 'unbilledCents' | 'dailyCents'>): number | null {
  if (dailyCents <= 0) return null
  return Math.max(0, Math.floor((serviceCents - openCents - unbilledCents) / dailyCents))
}

/** What a company should see to: the gravest of each first. */
export function warningsOf(company: CompanyAssets, nowMs: number): AssetWarning[] {
  const { agentId, company: name, openCents, dueAt, daysLeft, serviceCents } = company
  const warnings: AssetWarning[] = []
  const about = { agentId, company: name }
  if (openCents > 0 && dueAt !== null) {
    if (dueAt < nowMs) {
      warnings.push({ ...about, kind: 'overdue', cents: openCents, days: Math.ceil((nowMs - dueAt) / dayMs) })
    } else if (dueAt - nowMs <= dueSoonDays * dayMs) {
      warnings.push({ ...about, kind: 'due_soon', cents: openCents, days: Math.ceil((dueAt - nowMs) / dayMs) })
    }
  }
  if (daysLeft !== null && daysLeft < lowBalanceDays) {
    warnings.push({ ...about, kind: 'low_balance', cents: serviceCents, days: daysLeft })
  }
  return warnings
}
