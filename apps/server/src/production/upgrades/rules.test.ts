import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { upgradeGroups, upgradeTermsSchema } from '@saddle/contract/production/upgradeWords.ts'
import { hourMs } from '@saddle/contract/time.ts'
import { lateAfterMs } from '../transfers/rules.ts'
import { gateOf, groupOf, type GroupCounts } from './rules.ts'

const nobody = { upgraded: null, others: null }
const vitals = { unlockFailures: nobody, offline: nobody, batteryDrain: nobody }
const terms = upgradeTermsSchema.parse({})
const counts = (of: Partial<GroupCounts>): GroupCounts => {
  const known = {
    scheduled: 0,
    active: 0,
    finished: 0,
    errors: 0,
    cancelled: 0,
    silent: 0,
    excused: 0,
    excusedSilent: 0,
    ...of,
  }
  return { total: known.scheduled + known.active + known.finished + known.errors + known.cancelled, ...known }
}
const full = (first: GroupCounts) => [
  first,
  counts({ scheduled: 18 }),
  counts({ scheduled: 80 }),
  counts({ scheduled: 100 }),
]
const at = { terms, vitals, groupNo: 0, nowMs: 100 * hourMs }

it('a group that ended well is watched, then the next one begins', () => {
  const groups = full(counts({ finished: 2 }))
  expect(gateOf({ ...at, groups, endedAt: at.nowMs - hourMs })).toEqual({ verdict: 'wait' })
  expect(gateOf({ ...at, groups, endedAt: at.nowMs - 2 * hourMs })).toEqual({ verdict: 'next' })
  expect(gateOf({ ...at, groups: full(counts({ finished: 1, active: 1 })), endedAt: 0 })).toEqual({ verdict: 'wait' })
})

it('errors, silent vehicles and worse vital signs pause it, and a person may let it go on', () => {
  const failed = full(counts({ finished: 1, errors: 1 }))
  expect(gateOf({ ...at, groups: failed, endedAt: 0 })).toEqual({ verdict: 'pause', gate: 'errors' })
  const silent = full(counts({ finished: 99, errors: 1, silent: 1 }))
  expect(gateOf({ ...at, groups: silent, endedAt: 0 })).toEqual({ verdict: 'pause', gate: 'silent' })
  const excused = full(counts({ finished: 99, errors: 1, silent: 1, excused: 1, excusedSilent: 1 }))
  expect(gateOf({ ...at, groups: excused, endedAt: 0 })).toEqual({ verdict: 'next' })
  const worse = { ...vitals, offline: { upgraded: 12, others: 3 } }
  expect(gateOf({ ...at, vitals: worse, groups: full(counts({ finished: 2 })), endedAt: 0 })).toEqual({
    verdict: 'pause',
    gate: 'offline',
  })
})

const number = fc.integer({ min: 0, max: 40 })
const anyCounts = fc
  .record({
    scheduled: number,
    active: number,
    finished: number,
    errors: number,
    cancelled: number,
    share: fc.integer({ min: 0, max: 100 }),
  })
  .map(({ share, ...of }) => counts({ ...of, silent: Math.floor((of.errors * share) / 100) }))

it('never opens a group while one before it is not over, and never past an error gate', () => {
  fc.assert(
    fc.property(
      fc.array(anyCounts, { minLength: 4, maxLength: 4 }),
      fc.integer({ min: 0, max: 3 }),
      fc.integer({ min: 0, max: 200 }),
      (groups, groupNo, hours) => {
        const nowMs = 300 * hourMs
        const found = gateOf({ groups, groupNo, terms, vitals, endedAt: nowMs - hours * hourMs, nowMs })
        const group = groups[groupNo]!
        const counted = group.total - group.cancelled
        if (groups.some(({ silent }) => silent > 0)) expect(found).toEqual({ verdict: 'pause', gate: 'silent' })
        else if (group.errors > 0 && group.errors * 100 >= counted * terms.errorPercent) {
          expect(found).toEqual({ verdict: 'pause', gate: 'errors' })
        } else if (found.verdict === 'next' || found.verdict === 'finish') {
          expect(group.scheduled + group.active).toBe(0)
          expect(found.verdict === 'finish').toBe(groupNo === 3)
          if (found.verdict === 'next' && counted > 0) expect(hours).toBeGreaterThanOrEqual(terms.watchHours)
        }
      },
    ),
  )
})

it('divides any number of vehicles into groups of 1, 10, 50 and 100 percent, in order', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5_000 }), (total) => {
      const groups = Array.from({ length: total }, (_, index) => groupOf(index, total))
      expect(groups).toEqual(groups.toSorted((a, b) => a - b))
      for (const [group, percent] of upgradeGroups.entries()) {
        const until = groups.filter((one) => one <= group).length
        expect(until).toBe(Math.min(total, Math.max(1, Math.ceil((total * percent) / 100))))
      }
    }),
  )
})

it('a restart is late after three times what others took, and never before half a minute', () => {
  expect([null, 0, 5_000, 10_000, 20_000].map(lateAfterMs)).toEqual([30_000, 30_000, 30_000, 30_000, 60_000])
})
