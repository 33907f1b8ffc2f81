import { smsCodeLifetimeMs, smsCodeMaxTries, smsCountdownSeconds } from '@saddle/contract/constants.ts'
import { smsFailuresPerAddressPerHour, smsFailureWindowMs } from '@saddle/contract/identity/limits.ts'

export const hourMs = 3_600_000
export const dayMs = 24 * hourMs

/** What was sent before, as far as the limits look back. */
export interface SendHistory {
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
  if (history.fromAddressInHour >= limits.perAddressHourly) return false
  return history.realInDay < limits.dailyBudget
}

/** The live code of a phone and its count of failures. */
export interface CodeState {
  readonly codeHash: string
  readonly sentAtMs: number
  readonly isUsed: boolean
  readonly failures: number
  readonly failuresSinceMs: number | null
}

/** `blocked` says nothing about the code: it is not even looked at. */
export type CodeVerdict = 'accepted' | 'wrong' | 'blocked'

export function judgeCode(options: {
  state: CodeState
  /** Whether the hash of what was typed equals `state.codeHash`. */
  isEqual: boolean
  nowMs: number
  failuresFromAddress: number
}): CodeVerdict {
  const { state, isEqual, nowMs, failuresFromAddress } = options
  if (failuresFromAddress >= smsFailuresPerAddressPerHour) return 'blocked'
  if (countedFailures(state, nowMs) >= smsCodeMaxTries) return 'blocked'
  const isLive = !state.isUsed && nowMs - state.sentAtMs < smsCodeLifetimeMs
  return isLive && isEqual ? 'accepted' : 'wrong'
}

/** Failures within the running window; the window starts with its first failure, whatever codes were sent since. */
export function countedFailures(state: Pick<CodeState, 'failures' | 'failuresSinceMs'>, nowMs: number): number {
  if (state.failuresSinceMs === null || nowMs - state.failuresSinceMs >= smsFailureWindowMs) return 0
  return state.failures
}
