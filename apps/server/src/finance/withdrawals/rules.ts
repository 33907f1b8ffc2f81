import { cardRestMs, type WithdrawalState, type WithdrawalTerms } from '@saddle/contract/finance/withdrawals.ts'
import { dayMs, hourMs, minuteMs } from '@saddle/contract/time.ts'
import type { PayoutReport } from '../bank/provider.ts'

/** What the ledger is told of a step. */
type Booking = 'paid' | 'returned' | 'reversed' | 'paidAfterReturn' | 'paidAfterReturnReversed'
type Move = { readonly to: WithdrawalState; readonly books: Booking | null }

const isOpen = (state: WithdrawalState): boolean => state === 'queued' || state === 'sent' || state === 'unknown'

/**
 * What a report of the bank makes of a withdrawal; null: nothing. Reports may come late, twice and in any order: the time
 * of the bank decides which is the latest, so that an old one changes nothing.
 */
export function moveOf(
  state: WithdrawalState,
  { bankAt, report }: { readonly bankAt: number; readonly report: Pick<PayoutReport, 'state' | 'at'> },
): Move | null {
  if (report.state === 'none' || report.at <= bankAt) return null
  const isBack = report.state === 'failed' || report.state === 'reversed'
  if (isOpen(state)) {
    if (report.state === 'processing') return state === 'sent' ? null : { to: 'sent', books: null }
    return isBack ? { to: 'returned', books: 'returned' } : { to: 'paid', books: 'paid' }
  }
  if (state === 'paid') return isBack ? { to: 'reversed', books: 'reversed' } : null
  // A bank that pays what it has called failed: the company has the money twice until somebody settles it with the bank.
  if (state === 'returned' || state === 'reversed') {
    return report.state === 'paid' ? { to: 'conflict', books: 'paidAfterReturn' } : null
  }
  if (state === 'conflict') return isBack ? { to: 'returned', books: 'paidAfterReturnReversed' } : null
  return null
}

const firstPauseMs = 30_000
/** An ended payment may still be sent back by the bank of the card. */
const watchedMs = 7 * dayMs
const doublingsMax = 12

/** When the bank is asked next; null: no more. */
export function nextAskAt(options: {
  readonly state: WithdrawalState
  readonly asks: number
  readonly nowMs: number
  /** When it was paid or returned. */
  readonly endedAtMs: number | null
}): number | null {
  const { state, asks, nowMs, endedAtMs } = options
  const pause = (first: number, most: number): number => Math.min(most, first * 2 ** Math.min(asks, doublingsMax))
  if (isOpen(state)) return nowMs + pause(firstPauseMs, hourMs)
  if (state === 'paid' || state === 'returned') {
    return endedAtMs !== null && nowMs - endedAtMs > watchedMs ? null : nowMs + pause(10 * minuteMs, dayMs)
  }
  return null
}

/** When money may go to a card; the day of rest is the time in which its owner hears of it. */
export const restsUntil = (boundAtMs: number): number => boundAtMs + cardRestMs

/** Whether a second person has to confirm: one person's sums of a day count together. */
export const needsSecond = (
  { secondCents }: Pick<WithdrawalTerms, 'secondCents'>,
  { cents, dayCents }: { readonly cents: number; readonly dayCents: number },
): boolean => dayCents + cents > secondCents
