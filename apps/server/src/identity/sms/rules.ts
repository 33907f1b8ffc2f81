import { smsCodeLifetimeMs, smsCodeMaxTries, smsCountdownSeconds } from '@saddle/contract/constants.ts'
import {
  smsFailureMemoryMs,
  smsFailuresInRowMax,
  smsFailuresPerAddressPerHour,
  smsFailureWindowMs,
} from '@saddle/contract/identity/limits.ts'

/** What was sent before, as far as the limits look back; of the phone: for the same known browser, or for all others. */
export interface SendHistory {
  /** Asked for with a browser that has logged in with this phone before. */
  readonly isKnown: boolean
  readonly lastToPhoneMs: number | null
  readonly toPhoneInDay: number
  readonly fromAddressInHour: number
  /** Messages that really left, in the last 24 hours, in all. */
  readonly realInDay: number
}

export interface SendLimits {
  readonly perPhoneDaily: number
  readonly perAddressHourly: number
  /** Messages that the whole house sends in 24 hours. */
  readonly dailyBudget: number
}

/** Whether another code may be sent: resend time, phone, address and the budget of the house. */
export function maySend(options: { history: SendHistory; nowMs: number; limits: SendLimits }): boolean {
  const { history, nowMs, limits } = options
  if (history.lastToPhoneMs !== null && nowMs - history.lastToPhoneMs < smsCountdownSeconds * 1000) return false
  if (history.toPhoneInDay >= limits.perPhoneDaily) return false
  // A neighbour behind the same address must not keep a known browser out.
  if (!history.isKnown && history.fromAddressInHour >= limits.perAddressHourly) return false
  return history.realInDay < limits.dailyBudget
}

/** The failures of a phone, of one known browser or of all others together. */
export interface GuessState {
  readonly isKnown: boolean
  readonly failures: number
  readonly failuresSinceMs: number | null
  /** One after the other. */
  readonly total: number
  readonly lastFailedAtMs: number
}

/** `blocked` says nothing about the code: it is not even looked at. */
export type CodeVerdict = 'accepted' | 'wrong' | 'blocked'

export function judgeCode(options: {
  state: GuessState
  /** Whether what was typed is one of the live codes. */
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

/** Failures one after the other, over days. */
export const failuresInRow = (state: Pick<GuessState, 'total' | 'lastFailedAtMs'>, nowMs: number): number =>
  nowMs - state.lastFailedAtMs >= smsFailureMemoryMs ? 0 : state.total

/** Whether a code of this age is still good. */
export const isLiveCode = (sentAtMs: number, nowMs: number): boolean => nowMs - sentAtMs < smsCodeLifetimeMs
