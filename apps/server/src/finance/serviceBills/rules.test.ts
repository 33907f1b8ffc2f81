import { expect, it } from 'vitest'
import { amountOf, billNumberOf, monthDays } from './rules.ts'

it('rounds the amount of a line half up, once', () => {
  expect(amountOf({ quantity: 5_000, priceCents: 100, perQuantity: 10_000 })).toBe(50)
  expect(amountOf({ quantity: 49, priceCents: 100, perQuantity: 10_000 })).toBe(0)
  expect(amountOf({ quantity: 50, priceCents: 100, perQuantity: 10_000 })).toBe(1)
  expect(amountOf({ quantity: 9_000_000_000_000, priceCents: 7, perQuantity: 3 })).toBe(21_000_000_000_000)
})

it('knows months and numbers', () => {
  expect(monthDays('2026-12')).toEqual({ first: '2026-12-01', next: '2027-01-01' })
  expect(monthDays('2026-09')).toEqual({ first: '2026-09-01', next: '2026-10-01' })
  expect(billNumberOf({ month: '2026-09', agentId: 12 })).toBe('FW202609-12')
})
