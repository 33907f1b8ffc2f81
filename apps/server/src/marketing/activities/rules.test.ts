import { expect, it } from 'vitest'
import { activityCommonSchema, shownStateOf } from '@saddle/contract/marketing/activities.ts'
import { dayMs } from '@saddle/contract/time.ts'
import { marksUnder, stepOf } from './rules.ts'
import { createTally } from './tally.ts'

const at = new Date(1_000)
const used = { used_cents: 80, uses: 3, warned_at: null, dry_at: null }

it('warns from four fifths of a budget on, and stops at all of it', () => {
  const none = { budgetCents: null, budgetUses: null }
  expect(marksUnder(used, none, at)).toEqual({ warned_at: null, dry_at: null })
  expect(marksUnder(used, { ...none, budgetCents: 101 }, at)).toEqual({ warned_at: null, dry_at: null })
  expect(marksUnder(used, { ...none, budgetCents: 100 }, at)).toEqual({ warned_at: at, dry_at: null })
  expect(marksUnder(used, { budgetCents: 1_000, budgetUses: 3 }, at)).toEqual({ warned_at: at, dry_at: at })
  const earlier = new Date(5)
  const warned = { ...used, warned_at: earlier }
  expect(marksUnder(warned, { ...none, budgetCents: 90 }, at), 'since it was first so').toMatchObject({
    warned_at: earlier,
  })
})

it('knows each step from one state to another', () => {
  expect(stepOf('draft', 'on')).toBe('start')
  expect(stepOf('paused', 'on')).toBe('resume')
  expect(stepOf('on', 'paused')).toBe('pause')
  expect(stepOf('draft', 'paused')).toBeUndefined()
  expect([stepOf('draft', 'ended'), stepOf('on', 'ended'), stepOf('paused', 'ended')]).toEqual(['end', 'end', 'end'])
  expect(stepOf('ended', 'on')).toBeUndefined()
  expect(stepOf('on', 'on')).toBeNull()
})

it('shows what an activity amounts to', () => {
  const activity = { state: 'on', startsAt: 10, endsAt: 20, dryAt: null } as const
  expect([5, 10, 19, 20].map((now) => shownStateOf(activity, now))).toEqual(['scheduled', 'on', 'on', 'over'])
  expect(shownStateOf({ ...activity, dryAt: 12 }, 15)).toBe('dry')
  expect(shownStateOf({ ...activity, dryAt: 12 }, 25)).toBe('over')
  expect(shownStateOf({ ...activity, state: 'paused', dryAt: 12 }, 15)).toBe('paused')
  expect(shownStateOf({ ...activity, state: 'ended' }, 25)).toBe('ended')
})

it('refuses limits that contradict each other', () => {
  const common = { name: '活动', startsAt: 10 }
  expect(activityCommonSchema.safeParse({ ...common, endsAt: 10 }).success).toBe(false)
  expect(activityCommonSchema.safeParse({ ...common, riderUses: 1, riderDayUses: 2 }).success).toBe(false)
  expect(activityCommonSchema.safeParse({ ...common, bearer: 'partner' }).success).toBe(false)
  expect(activityCommonSchema.safeParse({ ...common, riderUses: 2, riderDayUses: 2, endsAt: 11 }).success).toBe(true)
})

it('a trial counts uses within every limit', () => {
  const limits = { budgetCents: 250, budgetUses: 4, riderUses: 2, riderDayUses: 1 }
  const day = dayMs
  const tally = createTally(limits)
  const ask = (riderId: number, when: number, cents = 100) =>
    tally.canTake({ riderId, at: when }) && tally.take({ riderId, areaId: 31, at: when, cents })
  expect([ask(1, 0), ask(1, 1), ask(1, day), ask(1, 2 * day), ask(2, 0), ask(3, 0, 50), ask(4, 0)]).toEqual([
    true,
    false,
    true,
    false,
    false,
    true,
    false,
  ])
  expect(tally.result(new Map([[31, '老城']]))).toEqual({
    reached: 3,
    riders: 2,
    costCents: 250,
    dryAt: 0,
    byArea: [{ areaId: 31, area: '老城', reached: 3, costCents: 250 }],
  })
})
