import { describe, expect, test } from 'vitest'
import {
  smsFailureMemoryMs,
  smsFailuresInRowMax,
  smsFailuresPerAddressPerHour,
  smsFailureWindowMs,
} from '@saddle/contract/identity/limits.ts'
import { dayMs, hourMs, minuteMs } from '@saddle/contract/time.ts'
import { type GuessState, isLiveCode, judgeCode, isSendAllowed, sendAllowedAt, type SendHistory } from './rules.ts'

const nowMs = 1_000_000_000
const limits = { perPhoneDaily: 10, perAddressHourly: 20, dailyBudget: 100 }
const quiet: SendHistory = {
  isKnown: false,
  lastToPhoneMs: null,
  toPhoneInDay: 0,
  fromAddressInHour: 0,
  dueOfPhoneMs: null,
  dueOfAddressMs: null,
  realInDay: 0,
}
const allows = (history: Partial<SendHistory>): boolean =>
  isSendAllowed({ history: { ...quiet, ...history }, nowMs, limits })

describe('sending a code', () => {
  test('waits a minute between two codes', () => {
    expect(allows({ lastToPhoneMs: nowMs - 59_999 })).toBe(false)
    expect(allows({ lastToPhoneMs: nowMs - minuteMs })).toBe(true)
  })
  test('holds the limits of phone, address and house', () => {
    expect(allows({ toPhoneInDay: 9 })).toBe(true)
    expect(allows({ toPhoneInDay: 10 })).toBe(false)
    expect(allows({ fromAddressInHour: 19 })).toBe(true)
    expect(allows({ fromAddressInHour: 20 })).toBe(false)
    expect(allows({ fromAddressInHour: 20, isKnown: true })).toBe(true)
    expect(allows({ realInDay: 99 })).toBe(true)
    expect(allows({ realInDay: 100 })).toBe(false)
  })
  test('is told when the phone or the address may ask again', () => {
    const at = (history: Partial<SendHistory>) => sendAllowedAt({ ...quiet, ...history })
    expect(at({})).toBeNull()
    expect(at({ lastToPhoneMs: nowMs })).toBe(nowMs + minuteMs)
    expect(at({ lastToPhoneMs: nowMs, dueOfPhoneMs: nowMs - hourMs })).toBe(nowMs - hourMs + dayMs)
    expect(at({ dueOfAddressMs: nowMs })).toBe(nowMs + hourMs)
    expect(at({ dueOfAddressMs: nowMs, isKnown: true }), 'others behind the address').toBeNull()
  })
})

const none: GuessState = { isKnown: false, failures: 0, failuresSinceMs: null, total: 0, lastFailedAtMs: nowMs }
const judge = (state: Partial<GuessState>, isRight = true, failuresFromAddress = 0): string =>
  judgeCode({ state: { ...none, ...state }, isRight, nowMs, failuresFromAddress })

describe('judging a code', () => {
  test('takes a right one', () => {
    expect(judge({})).toBe('accepted')
    expect(judge({}, false)).toBe('wrong')
  })
  test('that is younger than five minutes', () => {
    expect(isLiveCode(nowMs - 5 * minuteMs + 1, nowMs)).toBe(true)
    expect(isLiveCode(nowMs - 5 * minuteMs, nowMs)).toBe(false)
  })
  test('looks at no code after a hundred failures in a row, over days', () => {
    const total = smsFailuresInRowMax
    expect(judge({ total: total - 1 })).toBe('accepted')
    expect(judge({ total })).toBe('blocked')
    expect(judge({ total, isKnown: true })).toBe('blocked')
    expect(judge({ total, lastFailedAtMs: nowMs - smsFailureMemoryMs + 1 })).toBe('blocked')
    expect(judge({ total, lastFailedAtMs: nowMs - smsFailureMemoryMs })).toBe('accepted')
  })
  test('looks at no code after five failures, until their window is over', () => {
    expect(judge({ failures: 4, failuresSinceMs: nowMs - 1 })).toBe('accepted')
    expect(judge({ failures: 5, failuresSinceMs: nowMs - 1 })).toBe('blocked')
    expect(judge({ failures: 5, failuresSinceMs: nowMs - smsFailureWindowMs + 1 })).toBe('blocked')
    expect(judge({ failures: 5, failuresSinceMs: nowMs - smsFailureWindowMs })).toBe('accepted')
  })
  test('looks at no code from an address that guesses', () => {
    expect(judge({}, true, smsFailuresPerAddressPerHour - 1)).toBe('accepted')
    expect(judge({}, true, smsFailuresPerAddressPerHour)).toBe('blocked')
    expect(judge({ isKnown: true }, true, smsFailuresPerAddressPerHour)).toBe('accepted')
  })
})
