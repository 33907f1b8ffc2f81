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

it('stops at a rest of the money that bears no average use, from 95 % on', () => {
  const under = (budgetCents: number, usedCents: number, uses: number, budgetUses: number | null = null) =>
    marksUnder({ ...used, used_cents: usedCents, uses }, { budgetCents, budgetUses }, at).dry_at
  expect(under(20_000, 19_990, 400), '0.10 left at 0.50 a use').toEqual(at)
  expect(under(20_000, 19_950, 399), '0.50 left at 0.50 a use').toBeNull()
  expect(under(20_000, 16_000, 2), '40 left at 80 a use, of which 80 % are used').toBeNull()
  expect(under(20_000, 18_999, 2), 'just below 95 %').toBeNull()
  expect(under(20_000, 19_000, 2)).toEqual(at)
  expect(under(20_000, 19_990, 0), 'without a use there is no average').toBeNull()
  expect(under(20_000, 100, 3, 3), 'all of its uses').toEqual(at)
  expect(under(20_000, 20_000, 0), 'all of its money').toEqual(at)
  const dry = { used_cents: 19_990, uses: 400, warned_at: at, dry_at: at }
  const none = { budgetUses: null }
  expect(marksUnder(dry, { ...none, budgetCents: 20_000 }, new Date(2_000)), 'since it was first so').toEqual({
    warned_at: at,
    dry_at: at,
  })
  expect(marksUnder(dry, { ...none, budgetCents: 20_100 }, at), 'raised').toEqual({ warned_at: at, dry_at: null })
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

it('a trial stops where the activity would, at a rest that bears no average use', () => {
  const tally = createTally({ budgetCents: 200, budgetUses: null, riderUses: null, riderDayUses: null })
  const ask = (when: number, cents: number) =>
    tally.canTake({ riderId: 1, at: when }) && tally.take({ riderId: 1, areaId: null, at: when, cents })
  expect([ask(1, 100), ask(2, 89), ask(3, 6), ask(4, 1)]).toEqual([true, true, true, false])
  expect(tally.result(new Map())).toMatchObject({ reached: 3, costCents: 195, dryAt: 3 })
})
