import { describe, expect, test } from 'vitest'
import { smsFailuresPerAddressPerHour, smsFailureWindowMs } from '@saddle/contract/identity/limits.ts'
import { type CodeState, judgeCode, maySend, type SendHistory } from './rules.ts'

const nowMs = 1_000_000_000
const limits = { perPhoneDaily: 10, perAddressHourly: 20, dailyBudget: 100 }
const quiet: SendHistory = { lastToPhoneMs: null, toPhoneInDay: 0, fromAddressInHour: 0, realInDay: 0 }
const allows = (history: Partial<SendHistory>): boolean => maySend({ history: { ...quiet, ...history }, nowMs, limits })

describe('sending a code', () => {
  test('waits a minute between two codes', () => {
    expect(allows({ lastToPhoneMs: nowMs - 59_999 })).toBe(false)
    expect(allows({ lastToPhoneMs: nowMs - 60_000 })).toBe(true)
  })
  test('holds the limits of phone, address and house', () => {
    expect(allows({ toPhoneInDay: 9 })).toBe(true)
    expect(allows({ toPhoneInDay: 10 })).toBe(false)
    expect(allows({ fromAddressInHour: 19 })).toBe(true)
    expect(allows({ fromAddressInHour: 20 })).toBe(false)
    expect(allows({ realInDay: 99 })).toBe(true)
    expect(allows({ realInDay: 100 })).toBe(false)
  })
})

const live: CodeState = { codeHash: 'x', sentAtMs: nowMs - 1, isUsed: false, failures: 0, failuresSinceMs: null }
const judge = (state: Partial<CodeState>, isEqual = true, failuresFromAddress = 0): string =>
  judgeCode({ state: { ...live, ...state }, isEqual, nowMs, failuresFromAddress })

describe('judging a code', () => {
  test('takes the live code alone', () => {
    expect(judge({})).toBe('accepted')
    expect(judge({}, false)).toBe('wrong')
    expect(judge({ isUsed: true })).toBe('wrong')
  })
  test('refuses it after five minutes', () => {
    expect(judge({ sentAtMs: nowMs - 5 * 60_000 + 1 })).toBe('accepted')
    expect(judge({ sentAtMs: nowMs - 5 * 60_000 })).toBe('wrong')
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
  })
})
