import fc from 'fast-check'
import { expect, it } from 'vitest'
import { dayMs } from '@saddle/contract/time.ts'
import { daysLeftOf, spend, warningsOf } from './rules.ts'

it('pays the oldest bill first, in parts where it must, out of the oldest note', () => {
  const bills = [
    { id: 1, openCents: 500 },
    { id: 2, openCents: 300 },
  ]
  const notes = [
    { id: 11, leftCents: 400 },
    { id: 12, leftCents: 200 },
  ]
  expect(spend(bills, notes)).toEqual({
    spends: [
      { billId: 1, cents: 500 },
      { billId: 2, cents: 100 },
    ],
    taken: [
      { noteId: 11, cents: 400 },
      { noteId: 12, cents: 200 },
    ],
  })
  expect(spend(bills, [])).toEqual({ spends: [], taken: [] })
})

it('takes as much from notes as bills get, and never more than either has', () => {
  const cents = fc.integer({ min: 1, max: 1_000_000 })
  fc.assert(
    fc.property(fc.array(cents, { maxLength: 8 }), fc.array(cents, { maxLength: 8 }), (open, left) => {
      const { spends, taken } = spend(
        open.map((openCents, id) => ({ id, openCents })),
        left.map((leftCents, id) => ({ id, leftCents })),
      )
      const sum = (list: readonly { readonly cents: number }[]): number => list.reduce((all, one) => all + one.cents, 0)
      expect(sum(spends)).toBe(sum(taken))
      const whole = (list: readonly number[]): number => list.reduce((all, one) => all + one, 0)
      expect(sum(spends)).toBe(Math.min(whole(open), whole(left)))
      expect(spends.every(({ billId, cents: paid }) => paid > 0 && paid <= (open[billId] ?? 0))).toBe(true)
      expect(taken.every(({ noteId, cents: given }) => given > 0 && given <= (left[noteId] ?? 0))).toBe(true)
    }),
    { seed: 20_261_123 },
  )
})

it('warns of what is overdue, due soon and of a balance that ends', () => {
  const now = Date.UTC(2026, 10, 23)
  const company = {
    agentId: 3,
    company: '东湖',
    inTransitCents: 0,
    availableCents: 0,
    withdrawingCents: 0,
    serviceCents: 1_000,
    heldCents: 0,
    undividedCents: 0,
    openCents: 0,
    dueAt: null,
    unbilledCents: 400,
    dailyCents: 100,
    daysLeft: 6,
  }
  expect(daysLeftOf(company)).toBe(6)
  expect(daysLeftOf({ ...company, dailyCents: 0 })).toBeNull()
  expect(warningsOf(company, now).map(({ kind, days }) => [kind, days])).toEqual([['low_balance', 6]])
  const late = { ...company, openCents: 500, dueAt: now - dayMs, daysLeft: 30 }
  expect(warningsOf(late, now).map(({ kind, days }) => [kind, days])).toEqual([['overdue', 1]])
  const soon = { ...late, dueAt: now + 2 * dayMs }
  expect(warningsOf(soon, now).map(({ kind, days }) => [kind, days])).toEqual([['due_soon', 2]])
  expect(warningsOf({ ...late, dueAt: now + 9 * dayMs }, now)).toEqual([])
})
