import { smsCodeLifetimeMs, smsCodeMaxTries, smsCountdownSeconds } from '@saddle/contract/constants.ts'
import {
  smsFailureMemoryMs,
  smsFailuresInRowMax,
  smsFailuresPerAddressPerHour,
  smsFailureWindowMs,
} from '@saddle/contract/identity/limits.ts'
import { dayMs, hourMs } from '@saddle/contract/time.ts'

/** Messages sent before, within the windows of the limits; per phone: for the same known browser, or for all others. */
export interface SendHistory {
  /** Requested by a browser that has logged in with this phone before. */
  readonly isKnown: boolean
  readonly lastToPhoneMs: number | null
  readonly toPhoneInDay: number
  readonly fromAddressInHour: number
  /** When the message was sent whose age lets the next one go: of the phone, of the address; null below their limits. */
  readonly dueOfPhoneMs: number | null
  readonly dueOfAddressMs: number | null
  /** Messages sent in the last 24 hours, in total. */
  readonly realInDay: number
}

export interface SendLimits {
  readonly perPhoneDaily: number
  readonly perAddressHourly: number
  /** Daily limit of messages of the installation. */
  readonly dailyBudget: number
}

/** Whether another code may be sent: resend time, phone, address and daily limit. */
export function isSendAllowed(options: { history: SendHistory; nowMs: number; limits: SendLimits }): boolean {
  const { history, nowMs, limits } = options
  if (history.lastToPhoneMs !== null && nowMs - history.lastToPhoneMs < smsCountdownSeconds * 1000) return false
  if (history.toPhoneInDay >= limits.perPhoneDaily) return false
  // Other users behind the same address must not block a known browser.
  if (!history.isKnown && history.fromAddressInHour >= limits.perAddressHourly) return false
  return history.realInDay < limits.dailyBudget
}

/**
 * When the phone and the address may ask for a code again; null where they may now. What is left of the installation's
 * budget is told to nobody.
 */
export function sendAllowedAt(history: SendHistory): number | null {
  const { isKnown, lastToPhoneMs, dueOfPhoneMs, dueOfAddressMs } = history
  const ends = [
    lastToPhoneMs === null ? 0 : lastToPhoneMs + smsCountdownSeconds * 1000,
    dueOfPhoneMs === null ? 0 : dueOfPhoneMs + dayMs,
    isKnown || dueOfAddressMs === null ? 0 : dueOfAddressMs + hourMs,
  ]
  const at = Math.max(...ends)
  return at === 0 ? null : at
}

/** The failures of a phone, of one known browser or of all others together. */
export interface GuessState {
  readonly isKnown: boolean
  readonly failures: number
  readonly failuresSinceMs: number | null
  /** Consecutive failures. */
  readonly total: number
  readonly lastFailedAtMs: number
}

/** `blocked`: the code is not checked. */
export type CodeVerdict = 'accepted' | 'wrong' | 'blocked'

export function judgeCode(options: {
  state: GuessState
  /** Whether the typed code is one of the valid codes. */
  isRight: boolean
  nowMs: number
  failuresFromAddress: number
}): CodeVerdict {
  const { state, isRight, nowMs, failuresFromAddress } = options
  if (!state.isKnown && failuresFromAddress >= smsFailuresPerAddressPerHour) return 'blocked'
  if (countedFailures(state, nowMs) >= smsCodeMaxTries) return 'blocked'
  if (failuresInRow(state, nowMs) >= smsFailuresInRowMax) return 'blocked'
  return isRight ? 'accepted' : 'wrong'
}

/** Failures within the running window; the window starts with its first failure, whatever codes were sent since. */
export function countedFailures(state: Pick<GuessState, 'failures' | 'failuresSinceMs'>, nowMs: number): number {
  if (state.failuresSinceMs === null || nowMs - state.failuresSinceMs >= smsFailureWindowMs) return 0
  return state.failures
}

/** Consecutive failures, over days. */
export const failuresInRow = (state: Pick<GuessState, 'total' | 'lastFailedAtMs'>, nowMs: number): number =>
  nowMs - state.lastFailedAtMs >= smsFailureMemoryMs ? 0 : state.total

/** Whether a code of this age is still valid. */
export const isLiveCode = (sentAtMs: number, nowMs: number): boolean => nowMs - sentAtMs < smsCodeLifetimeMs
