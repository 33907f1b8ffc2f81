import { demoPriceRules } from '@saddle/contract/demo/prices.ts'
import { dayMs, hourMs, minuteMs } from '@saddle/contract/time.ts'
import { describe, expect, it } from 'vitest'
import { chooseCard, chooseOffer, goalPull, habitOf, inviteShare, tapShare } from './choices.ts'
import { createBudget, isPaused, pauseAfterRefusal, type Pauses } from './patience.ts'
import { personOf } from './person.ts'
import { listCents, offCents, rideFactor, type KnownBenefit } from './prices.ts'

/** Friday, two in the afternoon in the city. */
const nowMs = Date.UTC(2026, 10, 20, 6)
const ride = { startMs: nowMs, minutes: 12, metres: 2_000, areaId: 1 }

const offer = (payCents: number, giftCents: number) => ({
  activityId: payCents + giftCents,
  activity: '充值',
  payCents,
  giftCents,
  giftEndsAt: null,
  rewards: [],
  endsAt: null,
  firstOnly: false,
})

describe('a recharge offer', () => {
  const choose = (usualCents: number, offers: ReturnType<typeof offer>[], roomCents: number | null = null) =>
    chooseOffer(offers, { usualCents, roomCents })?.payCents

  it('is taken near the usual sum, and further away only for a larger gift', () => {
    const tiers = [offer(2_000, 200), offer(5_000, 800), offer(10_000, 2_000)]
    expect([1_000, 2_000, 5_000, 10_000].map((usual) => choose(usual, tiers))).toEqual([
      undefined,
      2_000,
      5_000,
      10_000,
    ])
    expect(choose(2_000, [offer(5_000, 800)])).toBeUndefined()
    expect(choose(2_000, [offer(5_000, 1_500)])).toBe(5_000)
    expect(choose(2_000, [])).toBeUndefined()
  })

  it('is taken within what may still be paid in', () => {
    expect(choose(5_000, [offer(5_000, 800), offer(2_000, 800)], 4_000)).toBe(2_000)
    expect(choose(5_000, [offer(5_000, 800)], 4_000)).toBeUndefined()
  })
})

const card = (over: object = {}) => ({
  id: 1,
  kind: 'riding' as const,
  name: '七日骑行卡',
  priceCents: 990,
  days: 7,
  rides: null,
  freeMinutes: 30,
  ridesPerDay: 2,
  percentOff: null,
  maxOffCents: null,
  areaIds: [],
  wasPriceCents: null,
  left: null,
  leftForRider: null,
  onTo: null,
  badge: '',
  slogan: '',
  colour: 'blue' as const,
  ...over,
})
const habit = (ridesPerWeek: number) => ({ ridesPerWeek, meanCents: 150, meanMinutes: 12 })

describe('a card', () => {
  const choose = (ridesPerWeek: number, offered: ReturnType<typeof card>[]) =>
    chooseCard({ offered, mine: [] }, habit(ridesPerWeek))?.id

  it('is bought by those who ride enough for it to save money clearly', () => {
    expect([0, 3, 7, 8, 12].map((rides) => choose(rides, [card()]))).toEqual([undefined, undefined, undefined, 1, 1])
    const month = card({ id: 2, priceCents: 2_990, days: 30 })
    expect(choose(12, [card(), month])).toBe(2)
    expect(choose(12, [card({ freeMinutes: 3 })]), 'little of each ride is free').toBeUndefined()
    expect(
      choose(40, [card({ id: 3, kind: 'discount', percentOff: 10, freeMinutes: null, priceCents: 500, days: 30 })]),
    ).toBe(3)
  })

  it('is not bought when none is left or one is held', () => {
    expect(choose(12, [card({ left: 0 })])).toBeUndefined()
    expect(choose(12, [card({ leftForRider: 0 })])).toBeUndefined()
    const mine = { ...card(), state: 'active', lastDay: '2026-11-25' } as never
    expect(chooseCard({ offered: [card()], mine: [mine] }, habit(12))).toBeNull()
  })

  it('is judged by the rides of two weeks, without fees and discounts', () => {
    const lines = [
      { code: 'start', amountCents: 150 },
      { code: 'out_of_place', amountCents: 300 },
      { code: 'coupon', amountCents: -150 },
    ] as never
    const ridden = (daysAgo: number) => ({
      startedAt: nowMs - daysAgo * dayMs,
      endedAt: nowMs - daysAgo * dayMs + 10 * minuteMs,
      lines,
    })
    expect(habitOf([ridden(1), ridden(6), ridden(20)], nowMs)).toEqual({
      ridesPerWeek: 1,
      meanCents: 150,
      meanMinutes: 10,
    })
    const frequent = Array.from({ length: 20 }, (_, index) => ridden((index + 1) / 4))
    expect(habitOf(frequent, nowMs).ridesPerWeek).toBe(28)
    expect(habitOf([], nowMs)).toEqual({ ridesPerWeek: 0, meanCents: 0, meanMinutes: 0 })
  })
})

describe('the price of a ride', () => {
  it('is what the rules say, with the surcharge of the hour', () => {
    expect(listCents(demoPriceRules, ride)).toBe(150)
    expect(listCents(demoPriceRules, { ...ride, minutes: 16 })).toBe(250)
    expect(listCents(demoPriceRules, { ...ride, minutes: 75 })).toBe(150 + 300 + 200)
    expect(listCents(demoPriceRules, { ...ride, metres: 8_001 })).toBe(200)
    expect(listCents(demoPriceRules, { ...ride, startMs: nowMs + 17.9 * hourMs })).toBe(150)
    expect(listCents(demoPriceRules, { ...ride, startMs: Date.UTC(2026, 10, 19, 23, 30) }), 'half past seven').toBe(180)
    expect(listCents(demoPriceRules, { ...ride, startMs: Date.UTC(2026, 10, 20, 16, 30) }), 'after midnight').toBe(195)
  })

  const benefit = (over: Partial<KnownBenefit> = {}): KnownBenefit => ({
    kind: 'coupon',
    effect: { off: 'cents', cents: 100 },
    fromCents: 0,
    conditions: { areaIds: [], weekdays: [], hours: null },
    endsAtMs: nowMs + dayMs,
    ...over,
  })
  const off = (...known: KnownBenefit[]) => offCents(known, demoPriceRules, ride)

  it('falls by the best benefit that holds for the ride', () => {
    expect(off()).toBe(0)
    expect(off(benefit(), benefit({ effect: { off: 'percent', percent: 90, maxCents: 120 } }))).toBe(120)
    expect(off(benefit({ effect: { off: 'minutes', minutes: 30 } }))).toBe(150)
    expect(off(benefit({ effect: { off: 'start' } }))).toBe(150)
    expect(off(benefit({ effect: { off: 'cents', cents: 900 } })), 'never below zero').toBe(150)
    expect(off(benefit({ effect: { off: 'fee' } }))).toBe(0)
    expect(off(benefit({ endsAtMs: nowMs }))).toBe(0)
    expect(off(benefit({ fromCents: 200 }))).toBe(0)
    const where = { areaIds: [2], weekdays: [], hours: null }
    expect(off(benefit({ conditions: where }))).toBe(0)
    expect(off(benefit({ conditions: { ...where, areaIds: [], weekdays: [6, 7] } }))).toBe(0)
  })

  it('makes riders ride more or less, within bounds', () => {
    const factor = (cents: number) => rideFactor({ cents, usualCents: 150 })
    expect(factor(150)).toBe(1)
    expect(factor(300)).toBeCloseTo(0.758, 3)
    expect(factor(75)).toBeCloseTo(1.32, 2)
    expect(factor(0)).toBe(1.5)
    expect(factor(1_000_000)).toBe(0.4)
    for (let cents = 0; cents < 2_000; cents += 10) expect(factor(cents + 10)).toBeLessThanOrEqual(factor(cents))
    expect(rideFactor({ cents: 100, usualCents: 0 })).toBe(1)
  })
})

describe('riders', () => {
  it('make more of an effort near a level', () => {
    const levels = [3, 6].map((target) => ({ target, isReached: false, rewards: [] }))
    const pull = (value: number) =>
      goalPull([
        { value, levels: levels.map(({ target, rewards }) => ({ target, rewards, isReached: value >= target })) },
      ])
    expect([0, 1, 6].map(pull)).toEqual([0, 0, 0])
    expect(pull(2)).toBeCloseTo(0.2 / 3)
    expect(pull(5)).toBeCloseTo(0.2 * (10 / 6 - 1))
    expect(goalPull([])).toBe(0)
  })

  it('invite more for more, and tap a pop-up more often than a banner', () => {
    const share = (cents: number) => inviteShare([{ cents, count: 1 }])
    expect(inviteShare([])).toBe(0)
    expect(share(300)).toBeCloseTo(1 / 6)
    expect(share(100_000)).toBeCloseTo(1 / 3)
    expect(tapShare('popup')).toBeGreaterThan(tapShare('banner'))
  })

  it('are the same people for the same seed, and a few of them cheat with accounts of their own', () => {
    expect(personOf(3, 4, 17)).toEqual(personOf(3, 4, 17))
    const all = Array.from({ length: 6_000 }, (_, rider) => personOf(3, 4, rider))
    const accounts = all.flatMap((person) => person.accounts)
    expect(all.filter((person) => person.accounts.length > 0)).toHaveLength(24)
    expect(new Set([...accounts, ...all.map(({ phone }) => phone)]).size).toBe(6_000 + 24 * 4)
    expect(accounts.every((phone) => /^1[3-9]\d{9}$/.test(phone))).toBe(true)
    expect(new Set(all.map(({ usualRechargeCents }) => usualRechargeCents)).size).toBe(5)
  })
})

describe('patience', () => {
  it('stops for longer after each refusal, a week at most', () => {
    const pauses: Pauses = new Map()
    pauseAfterRefusal(pauses, 'buyCard', 0)
    expect([hourMs - 1, hourMs].map((at) => isPaused(pauses, 'buyCard', at))).toEqual([true, false])
    pauseAfterRefusal(pauses, 'buyCard', 0)
    expect(isPaused(pauses, 'buyCard', 2 * hourMs - 1)).toBe(true)
    for (let refusals = 0; refusals < 20; refusals++) pauseAfterRefusal(pauses, 'buyCard', 0)
    expect(isPaused(pauses, 'buyCard', 7 * dayMs)).toBe(false)
    expect(isPaused(pauses, 'openApp', 0)).toBe(false)
  })

  it('asks no more than so much in a minute, and rests while nobody answers', () => {
    const budget = createBudget()
    const taken = (atMs: number) => Array.from({ length: 1_000 }, () => budget.take(atMs)).filter(Boolean).length
    expect(taken(0)).toBe(240)
    expect(taken(minuteMs)).toBe(240)
    budget.note(true, 2 * minuteMs)
    expect(taken(2 * minuteMs + 29_000)).toBe(0)
    expect(taken(2 * minuteMs + 30_000)).toBe(240)
    budget.note(true, 4 * minuteMs)
    expect(taken(5 * minuteMs - 1)).toBe(0)
    budget.note(false, 5 * minuteMs)
    budget.note(true, 6 * minuteMs)
    expect(taken(6 * minuteMs + 30_000)).toBe(240)
  })
})
