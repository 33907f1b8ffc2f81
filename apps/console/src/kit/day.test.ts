import { expect, it } from 'vitest'
import { dayOf, endOfDay, startOfDay } from './day.ts'

it('takes days of Shanghai', () => {
  expect(startOfDay('2026-11-21')).toBe(Date.UTC(2026, 10, 20, 16))
  expect(endOfDay('2026-11-21')).toBe(Date.UTC(2026, 10, 21, 16))
  expect(startOfDay('')).toBeUndefined()
  expect(dayOf(Date.UTC(2026, 10, 20, 16))).toBe('2026-11-21')
  expect(dayOf(undefined)).toBe('')
})
