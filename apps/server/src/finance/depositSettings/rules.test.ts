import { expect, it } from 'vitest'
import { businessDayOf, hourMs } from '@saddle/contract/time.ts'
import { boundOf, exemptionOf, groupOf, refundDeadline, refundTimesOf } from './rules.ts'

const terms = {
  cents: 9_900,
  free_students: false,
  free_professions: false,
  free_card_holders: false,
  free_product_ids: [],
}
const nobody = { certificate_kind: null, product_ids: [], riding_product_ids: [] }
const at = (text: string) => Date.parse(`${text}:00+08:00`)

it('says what exempts a rider', () => {
  expect(exemptionOf({ ...terms, free_students: true }, nobody)).toBeNull()
  expect(exemptionOf({ ...terms, free_students: true }, { ...nobody, certificate_kind: 'student' })).toBe('student')
  expect(exemptionOf({ ...terms, free_students: true }, { ...nobody, certificate_kind: 'profession' })).toBeNull()
  expect(exemptionOf({ ...terms, free_professions: true }, { ...nobody, certificate_kind: 'profession' })).toBe(
    'profession',
  )
  const holder = { ...nobody, product_ids: [7, 8], riding_product_ids: [8] }
  expect(exemptionOf(terms, holder)).toBeNull()
  expect(exemptionOf({ ...terms, free_card_holders: true }, holder)).toBe('card')
  expect(exemptionOf({ ...terms, free_card_holders: true }, { ...holder, riding_product_ids: [] })).toBeNull()
  expect(exemptionOf({ ...terms, free_card_holders: true, free_product_ids: [7] }, holder)).toBe('card')
  expect(exemptionOf({ ...terms, free_card_holders: true, free_product_ids: [9] }, holder)).toBeNull()
})

it('allows a tenth of the cost of a vehicle', () => expect(boundOf(250_009)).toBe(25_000))

it('counts who must pay, who has paid and who is exempt', () => {
  const rider = { ...nobody, held_cents: 0, riders: 1 }
  const student = { ...rider, certificate_kind: 'student' }
  const free = { ...terms, free_students: true }
  expect(
    groupOf([
      { ...rider, terms: free },
      { ...student, terms: free },
      { ...rider, held_cents: 9_900, terms: free },
      { ...rider, held_cents: 5_000, terms: free },
      { ...rider, terms: null },
    ]),
  ).toEqual({ exempt: 1, paid: 2, mustPay: 2, missingCents: 9_900 + 4_900 })
})

it('gives two working days, not counting the weekend', () => {
  const lastDay = (text: string): string => businessDayOf(refundDeadline(at(text)) - 1)
  expect(lastDay('2026-11-16T09:00'), 'Monday').toBe('2026-11-18')
  expect(lastDay('2026-11-19T23:59'), 'Thursday').toBe('2026-11-23')
  expect(lastDay('2026-11-20T00:00'), 'Friday').toBe('2026-11-24')
  expect(lastDay('2026-11-21T12:00'), 'Saturday').toBe('2026-11-24')
  expect(lastDay('2026-11-22T12:00'), 'Sunday').toBe('2026-11-24')
})

it('measures how long refunds took', () => {
  const asked = at('2026-11-16T09:00')
  const refund = (hours: number | null, state = 'done') => ({
    created_at: new Date(asked),
    done_at: hours === null ? null : new Date(asked + hours * hourMs),
    state,
  })
  const found = refundTimesOf([refund(1), refund(2), refund(24 * 7), refund(null, 'waiting')], at('2026-11-30T00:00'))
  expect(found).toEqual({ done: 3, inTime: 2, late: 2, waiting: 1, medianHours: 2, p90Hours: 168 })
  expect(refundTimesOf([], 0)).toMatchObject({ medianHours: null, p90Hours: null })
})
