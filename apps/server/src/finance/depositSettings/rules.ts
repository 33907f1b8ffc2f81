import {
  depositBoundPercent,
  depositRefundDays,
  type DepositExemption,
} from '@saddle/contract/finance/depositSettings.ts'
import { addDays, businessDayEnd, businessDayOf, hourMs } from '@saddle/contract/time.ts'

export type DepositTerms = {
  readonly cents: number
  readonly free_students: boolean
  readonly free_professions: boolean
  readonly free_card_holders: boolean
  readonly free_product_ids: readonly number[]
}

/** What of a rider decides whether a deposit is asked for. */
export type Facts = {
  readonly certificate_kind: string | null
  /** Products of the cards that hold now, and those of riding cards among them. */
  readonly product_ids: readonly number[]
  readonly riding_product_ids: readonly number[]
}

/** What exempts a rider from the deposit; null where nothing does. */
export function exemptionOf(terms: DepositTerms, facts: Facts): DepositExemption | null {
  if (terms.free_students && facts.certificate_kind === 'student') return 'student'
  if (terms.free_professions && facts.certificate_kind === 'profession') return 'profession'
  if (!terms.free_card_holders) return null
  const { free_product_ids: chosen } = terms
  const holds =
    chosen.length === 0 ? facts.riding_product_ids.length > 0 : facts.product_ids.some((id) => chosen.includes(id))
  return holds ? 'card' : null
}

/** The most that may be asked for. */
export const boundOf = (vehicleCostCents: number): number => Math.floor((vehicleCostCents * depositBoundPercent) / 100)

type Counted = Facts & { readonly held_cents: number; readonly riders: number }
export type Group = { exempt: number; paid: number; mustPay: number; missingCents: number }

/** How many riders a setting exempts, how many have paid, and what the others would have to pay. */
export function groupOf(riders: readonly (Counted & { readonly terms: DepositTerms | null })[]): Group {
  const group: Group = { exempt: 0, paid: 0, mustPay: 0, missingCents: 0 }
  for (const { terms, held_cents: held, riders: count, ...facts } of riders) {
    const asked = terms?.cents ?? 0
    if (terms !== null && asked > 0 && exemptionOf(terms, facts) !== null) group.exempt += count
    else if (held >= asked) group.paid += count
    else {
      group.mustPay += count
      group.missingCents += (asked - held) * count
    }
  }
  return group
}

const saturday = 6

/** Until when a deposit must be back: the end of the second day from Monday to Friday after it was asked for. */
export function refundDeadline(askedAtMs: number): number {
  let day = businessDayOf(askedAtMs)
  for (let left = depositRefundDays; left > 0;) {
    day = addDays(day, 1)
    const weekday = new Date(`${day}T00:00:00Z`).getUTCDay()
    if (weekday !== 0 && weekday !== saturday) left -= 1
  }
  return businessDayEnd(day)
}

type Refund = { readonly created_at: Date; readonly done_at: Date | null; readonly state: string }

/** How long refunds took. */
export function refundTimesOf(refunds: readonly Refund[], nowMs: number) {
  const done = refunds.flatMap(({ created_at, done_at, state }) =>
    state === 'done' && done_at !== null ? [{ askedAt: created_at.getTime(), doneAt: done_at.getTime() }] : [],
  )
  const open = refunds.filter(({ state }) => state === 'waiting' || state === 'failed')
  const hours = done.map(({ askedAt, doneAt }) => (doneAt - askedAt) / hourMs).toSorted((a, b) => a - b)
  const inTime = done.filter(({ askedAt, doneAt }) => doneAt <= refundDeadline(askedAt)).length
  const lateOpen = open.filter(({ created_at }) => nowMs > refundDeadline(created_at.getTime())).length
  return {
    done: done.length,
    inTime,
    late: done.length - inTime + lateOpen,
    waiting: open.length,
    medianHours: quantileOf(hours, 0.5),
    p90Hours: quantileOf(hours, 0.9),
  }
}

/** Of sorted values, with one decimal; null of none. */
function quantileOf(sorted: readonly number[], part: number): number | null {
  const value = sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * part) - 1)]
  return value === undefined ? null : Math.round(value * 10) / 10
}
