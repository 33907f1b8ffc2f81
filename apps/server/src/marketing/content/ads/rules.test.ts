import { describe, expect, it } from 'vitest'
import { adContentSchema, fitsSlot } from '@saddle/contract/marketing/ads.ts'
import { adRiderDayMax } from '@saddle/contract/marketing/riderContent.ts'
import { dayMs, hourMs } from '@saddle/contract/time.ts'
import { choosePlacements, countEvents, dayKey, isInHours, refusalOf, shownState } from './rules.ts'

/** Noon of a business day. */
const noon = Date.UTC(2026, 10, 20, 4)
const day = '2026-11-20'
const candidate = (id: number, part: object = {}) => ({
  id,
  content: adContentSchema.parse({ name: 'ad', text: 'x', link: { to: 'none' }, startsAt: 0, ...part }),
})
const ask = (part: Partial<Parameters<typeof choosePlacements>[0]>) =>
  choosePlacements({
    candidates: [],
    slot: 'banner',
    areaId: 31,
    riderKey: 'r',
    nowMs: noon,
    seen: new Map(),
    shown: 5,
    ...part,
  }).map(({ id }) => id)

describe('the choice of placements', () => {
  it('is the same for a rider on a day, and fair over riders by weight', () => {
    const candidates = [candidate(1, { weight: 60 }), candidate(2, { weight: 30 }), candidate(3, { weight: 10 })]
    const first = new Map<number, number>()
    const riders = 4_000
    for (let rider = 0; rider < riders; rider += 1) {
      const riderKey = `1390000${rider}`
      const chosen = ask({ candidates, riderKey })
      expect(ask({ candidates: candidates.toReversed(), riderKey, nowMs: noon + hourMs })).toEqual(chosen)
      const [id = 0] = chosen
      first.set(id, (first.get(id) ?? 0) + 1)
    }
    // Five standard deviations of a share of 60 % are 3.9 points.
    for (const [id, share] of [
      [1, 0.6],
      [2, 0.3],
      [3, 0.1],
    ] as const) {
      expect(Math.abs((first.get(id) ?? 0) / riders - share)).toBeLessThan(0.04)
    }
    const days = Array.from({ length: 30 }, (_, n) => ask({ candidates, nowMs: noon + n * dayMs })[0])
    expect(new Set(days).size, 'another day is another choice').toBeGreaterThan(1)
  })

  it('keeps the order of the others when one is left out', () => {
    const candidates = [1, 2, 3, 4].map((id) => candidate(id))
    const [top = 0, ...rest] = ask({ candidates })
    expect(ask({ candidates: candidates.filter(({ id }) => id !== top) })).toEqual(rest)
    expect(ask({ candidates, shown: 2 })).toEqual([top, rest[0]])
  })

  it('goes by area, time span, hours and the cap of the rider', () => {
    const candidates = [
      candidate(1, { areaIds: [32] }),
      candidate(2, { startsAt: noon + 1 }),
      candidate(3, { endsAt: noon }),
      candidate(4, { hours: { from: 0, to: 60 } }),
      candidate(5, { riderDayCap: 2 }),
      candidate(6, { areaIds: [31], endsAt: noon + 1, hours: { from: 720, to: 721 } }),
    ]
    expect(ask({ candidates, seen: new Map([[5, 1]]) }).toSorted()).toEqual([5, 6])
    expect(ask({ candidates, seen: new Map([[5, 2]]) })).toEqual([6])
  })

  it('has hours beyond midnight', () => {
    const night = { from: 22 * 60, to: 6 * 60 }
    const hours = (hour: number) => isInHours(night, Date.UTC(2026, 10, 20, hour - 8))
    expect([21, 22, 23, 24, 29, 30].map(hours)).toEqual([false, true, true, true, true, false])
    expect(isInHours(null, noon)).toBe(true)
  })
})

describe('a picture', () => {
  it('fits a slot by ratio and width', () => {
    expect(fitsSlot('banner', { width: 1_280, height: 720 })).toBe(true)
    expect(fitsSlot('banner', { width: 1_280, height: 700 }), 'within the tolerance').toBe(true)
    expect(fitsSlot('banner', { width: 1_280, height: 1_280 })).toBe(false)
    expect(fitsSlot('banner', { width: 320, height: 180 }), 'too small').toBe(false)
  })
})

describe('the state that is shown', () => {
  const of = (state: 'draft' | 'on' | 'paused' | 'ended', startsAt = 0, endsAt: number | null = null) =>
    shownState({ state, startsAt, endsAt }, noon)
  it('follows from the time span', () => {
    expect([of('draft'), of('on'), of('paused'), of('ended')]).toEqual(['draft', 'on', 'paused', 'ended'])
    expect(of('on', noon + 1)).toBe('scheduled')
    expect(of('on', 0, noon)).toBe('ended')
    expect(of('paused', 0, noon)).toBe('ended')
    expect(of('draft', 0, noon)).toBe('draft')
  })
})

describe('events', () => {
  const event = (id: string, kind: 'impression' | 'tap', placementId = 1, at = noon) => ({ id, kind, placementId, at })

  it('of other placements and other times are refused', () => {
    const options = { known: new Set([1]), nowMs: noon }
    expect(refusalOf(event('a', 'tap', 2), options)).toBe('unknown')
    expect(refusalOf(event('a', 'tap', 1, noon - 48 * hourMs), options)).toBe('late')
    expect(refusalOf(event('a', 'tap', 1, noon + hourMs), options)).toBe('late')
    expect(refusalOf(event('a', 'tap'), options)).toBeNull()
  })

  it('count by placement and day, and a tap needs an impression of its own', () => {
    const counted = countEvents(
      [
        event('t1', 'tap'),
        event('i1', 'impression'),
        event('t2', 'tap'),
        event('i2', 'impression', 2),
        event('i3', 'impression', 1, noon + dayMs),
      ],
      new Map(),
    )
    expect(counted.counts.toSorted((a, b) => a.placementId - b.placementId || (a.day < b.day ? -1 : 1))).toEqual([
      { placementId: 1, day, impressions: 1, taps: 1 },
      { placementId: 1, day: '2026-11-21', impressions: 1, taps: 0 },
      { placementId: 2, day, impressions: 1, taps: 0 },
    ])
    expect(counted.refused).toEqual([{ id: 't2', why: 'unseen' }])
    const before = new Map([[dayKey(1, day), { impressions: 2, taps: 1 }]])
    expect(countEvents([event('t1', 'tap'), event('t2', 'tap')], before).refused).toEqual([{ id: 't2', why: 'unseen' }])
  })

  it('of one rider on one day are limited', () => {
    const before = new Map([
      [dayKey(1, day), { impressions: adRiderDayMax - 2, taps: 1 }],
      [dayKey(2, '2026-11-19'), { impressions: 50, taps: 0 }],
    ])
    const { counts, refused } = countEvents([event('a', 'impression', 2), event('b', 'impression')], before)
    expect(counts).toHaveLength(1)
    expect(refused).toMatchObject([{ why: 'over' }])
  })
})
