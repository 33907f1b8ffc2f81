import fc from 'fast-check'
import { expect, it } from 'vitest'
import { addDays, businessDayEnd, businessDayOf, businessDayStart, businessTimeZone, dayMs, utcDayOf } from './time.ts'

it('knows when a business day begins and ends', () => {
  expect(businessDayStart('2026-11-21')).toBe(Date.UTC(2026, 10, 20, 16))
  expect(businessDayEnd('2026-11-21')).toBe(Date.UTC(2026, 10, 21, 16))
  expect(businessDayOf(Date.UTC(2026, 10, 20, 16))).toBe('2026-11-21')
  expect(businessDayOf(Date.UTC(2026, 10, 20, 16) - 1)).toBe('2026-11-20')
  expect(businessDayStart('2026-13-01')).toBeNaN()
  expect(businessDayStart('')).toBeNaN()
})

it('counts days over the ends of months and years', () => {
  expect(addDays('2026-12-31', 1)).toBe('2027-01-01')
  expect(addDays('2028-03-01', -1)).toBe('2028-02-29')
  expect(utcDayOf(Date.UTC(2026, 10, 20, 23, 59))).toBe('2026-11-20')
})

it('agrees with the calendar of the time zone since its last daylight saving time', () => {
  const calendar = new Intl.DateTimeFormat('sv-SE', { timeZone: businessTimeZone, dateStyle: 'short' })
  const instants = fc.integer({ min: Date.UTC(1992, 0, 1), max: Date.UTC(2100, 0, 1) })
  fc.assert(
    fc.property(instants, (at) => {
      const day = businessDayOf(at)
      expect(day).toBe(calendar.format(at))
      expect(at - businessDayStart(day)).toBeGreaterThanOrEqual(0)
      expect(at - businessDayStart(day)).toBeLessThan(dayMs)
    }),
  )
})
