import { expect, it } from 'vitest'
import { countGraceMs, daysToCount } from './rules.ts'

it('counts the days that are over for a while, oldest first, and no more than it may', () => {
  // The end of the 3rd by business time.
  const dayEnd = Date.parse('2026-11-03T16:00:00Z')
  expect(daysToCount({ first: '2026-11-02', nowMs: dayEnd + countGraceMs - 1, max: 9 })).toEqual(['2026-11-02'])
  expect(daysToCount({ first: '2026-11-02', nowMs: dayEnd + countGraceMs, max: 9 })).toEqual([
    '2026-11-02',
    '2026-11-03',
  ])
  expect(daysToCount({ first: '2026-10-01', nowMs: dayEnd, max: 2 })).toEqual(['2026-10-01', '2026-10-02'])
  expect(daysToCount({ first: '2026-11-05', nowMs: dayEnd, max: 2 })).toEqual([])
})
