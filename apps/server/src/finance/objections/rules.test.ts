import fc from 'fast-check'
import { expect, it } from 'vitest'
import { actsOf, backOf, holdOf, spread } from './rules.ts'

it('holds what is not paid first, and gives back of paid money only what is left', () => {
  expect(holdOf({ disputedCents: 300, openCents: 500 })).toEqual({ unpaidCents: 300, paidCents: 0 })
  expect(holdOf({ disputedCents: 300, openCents: 100 })).toEqual({ unpaidCents: 100, paidCents: 200 })
  expect(backOf({ disputedCents: 300, paidCents: 200, acceptedCents: 80 })).toBe(0)
  expect(backOf({ disputedCents: 300, paidCents: 200, acceptedCents: 250 })).toBe(150)
})

it('spreads what is accepted over the lines, never more than each disputes', () => {
  const lines = fc.array(fc.integer({ min: 1, max: 10_000 }), { minLength: 1, maxLength: 20 })
  fc.assert(
    fc.property(lines, fc.double({ min: 0, max: 1, noNaN: true }), (cents, part) => {
      const total = cents.reduce((sum, one) => sum + one, 0)
      const accepted = Math.floor(total * part)
      const spreadOut = spread(
        accepted,
        cents.map((one, lineId) => ({ lineId, cents: one })),
      )
      expect(spreadOut.reduce((sum, one) => sum + one.acceptedCents, 0)).toBe(accepted)
      expect(spreadOut.every((one) => one.acceptedCents >= 0 && one.acceptedCents <= one.cents)).toBe(true)
    }),
    { seed: 20_261_123 },
  )
})

it('lets each side do its own part, and somebody else decide what was escalated', () => {
  const platform = { isPlatform: true, isOwn: false, isReviewer: false }
  const own = { isPlatform: false, isOwn: true, isReviewer: false }
  expect(actsOf({ ...platform, state: 'submitted' })).toEqual(['take'])
  expect(actsOf({ ...own, state: 'submitted' })).toEqual(['withdraw'])
  expect(actsOf({ ...platform, state: 'under_review' })).toEqual(['accept', 'refuse', 'escalate'])
  expect(actsOf({ ...own, state: 'under_review' })).toEqual(['escalate', 'withdraw'])
  expect(actsOf({ ...platform, state: 'escalated' })).toEqual(['accept', 'refuse'])
  expect(actsOf({ ...platform, isReviewer: true, state: 'escalated' })).toEqual([])
  expect(actsOf({ ...own, state: 'escalated' })).toEqual([])
  expect(actsOf({ ...platform, state: 'accepted' })).toEqual([])
})
