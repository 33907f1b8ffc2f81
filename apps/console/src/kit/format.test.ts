import { describe, expect, test } from 'vitest'
import { dayMs, hourMs } from '@saddle/contract/time.ts'
import { dateOnly, dateTime, maskPhone, money, relativeTime } from './format.ts'

describe('money', () => {
  test.each([
    [0, '0.00'],
    [5, '0.05'],
    [1_234, '12.34'],
    [-50, '-0.50'],
    [123_456_789, '1,234,567.89'],
    [100_000, '1,000.00'],
  ])('%i cents are %s', (cents, text) => expect(money(cents)).toBe(text))

  test('nothing is two dashes', () => {
    for (const nothing of [null, undefined, Number.NaN]) expect(money(nothing)).toBe('--')
  })
})

describe('times are those of the business, wherever the browser is', () => {
  test('a summer day', () => expect(dateTime(Date.UTC(2026, 6, 1, 16, 5, 9))).toBe('2026-07-02 00:05:09'))
  test('the last second of a year', () =>
    expect(dateTime(Date.UTC(2026, 11, 31, 15, 59, 59))).toBe('2026-12-31 23:59:59'))
  test('the day alone', () => expect(dateOnly(Date.UTC(2026, 11, 31, 16, 0, 0))).toBe('2027-01-01'))
  test('nothing is two dashes', () => {
    expect(dateTime(null)).toBe('--')
    expect(dateOnly(undefined)).toBe('--')
  })
})

test('a mobile number keeps its ends', () => {
  expect(maskPhone('13800138000')).toBe('138****8000')
  expect(maskPhone('138****8000')).toBe('138****8000')
})

describe('ages', () => {
  const now = Date.UTC(2026, 10, 21)
  test.each([
    [4_000, '刚刚'],
    [59_000, '59 秒前'],
    [60_000, '1 分钟前'],
    [3_599_000, '59 分钟前'],
    [hourMs, '1 小时前'],
    [dayMs, '1 天前'],
    [7 * dayMs, '2026-11-14 08:00:00'],
  ])('%i ms', (age, text) => expect(relativeTime(now - age, now)).toBe(text))
})
