import { demoPriceRules } from '@saddle/contract/demo/prices.ts'
import type { PriceRules } from '@saddle/contract/riding/price.ts'
import { dayMs } from '@saddle/contract/time.ts'
import { describe, expect, it } from 'vitest'
import type { FleetVehicle } from '#sim/fleet/fleet.ts'
import type { Life } from '#sim/life/life.ts'
import type { Ride } from '#sim/life/ride.ts'
import type { RiderApi, RiderCall } from '#sim/riders/api.ts'
import { createStepTimer } from '#sim/riders/stepTimer.ts'
import { createMarketing } from './marketing.ts'
import { personOf } from './person.ts'

const startMs = Date.UTC(2026, 10, 20, 6)
const agentId = 3
type Asked = { readonly name: RiderCall; readonly input: Record<string, unknown> }
type Answers = Partial<Record<RiderCall, (input: Record<string, unknown>) => unknown>>

/** A platform that offers something of everything, and keeps who brought whom. */
function makePlatform(changes: Answers = {}) {
  const asked: Asked[] = []
  const paid: string[] = []
  const brought = new Map<string, string>()
  const codeOf = (phone: unknown): string => `C${String(phone).slice(-5)}`
  const answers: Answers = {
    openApp: () => ({ certified: true, banned: false, certificate: null }),
    quoteRide: () => ({ agentId, areaName: 'a', versionName: 'v', rules: demoPriceRules }),
    riderPlacements: ({ slot }) => ({
      list: [1, 2].map((id) => ({ id, agentId, slot, text: 'x', photoId: null, link: { to: 'page', page: 'mall' } })),
    }),
    riderReportPlacements: ({ events }) => ({ counted: (events as unknown[]).length, repeated: 0, refused: [] }),
    readWallet: () => ({ wallet: { balanceCents: 0 }, cards: [], statement: [] }),
    riderRechargeOffers: () => ({
      offers: [2_000, 5_000].map((payCents) => ({ activityId: 7, payCents, giftCents: 500, rewards: [] })),
      roomCents: 9_000,
      mine: [],
    }),
    riderRechargeWithOffer: ({ requestId }) => ({ number: requestId }),
    recharge: ({ requestId }) => ({ number: requestId }),
    riderActivities: () => ({ list: [] }),
    offeredCards: () => ({
      offered: [
        { id: 9, kind: 'riding', priceCents: 400, days: 7, rides: null, freeMinutes: 30, ridesPerDay: 9, areaIds: [] },
      ],
      mine: [],
    }),
    ownRides: () =>
      Array.from({ length: 8 }, (_, index) => ({
        startedAt: startMs - index * dayMs,
        endedAt: startMs - index * dayMs + 600_000,
        lines: [{ code: 'start', amountCents: 150 }],
      })),
    buyCard: ({ requestId }) => ({
      card: { kind: 'riding', freeMinutes: 30, areaIds: [], lastDay: null },
      payment: { number: requestId },
    }),
    riderCoupons: () => ({ list: [] }),
    riderClaimCoupon: () => ({ effect: { off: 'cents', cents: 100 }, endsAt: startMs + 9 * dayMs }),
    riderOwnInvites: ({ phone }) => ({
      activity: { inviterRewards: [{ kind: 'gift', cents: 300, count: 1 }] },
      code: codeOf(phone),
      broughtBy: brought.has(String(phone)) ? { state: 'registered' } : null,
      mayBindUntil: brought.has(String(phone)) ? null : startMs + 7 * dayMs,
    }),
    riderBindInvite: ({ phone, code }) => {
      brought.set(String(phone), String(code))
      return { state: 'registered' }
    },
    riderHelp: () => ({ list: [{ id: 4 }] }),
    riderReadHelp: () => ({ id: 4 }),
    riderJudgeHelp: () => ({ opinion: 'useful' }),
    riderMessages: () => ({ list: [], unread: 1 }),
    riderReadMessages: () => ({ read: 1 }),
    ...changes,
  }
  const api = {
    ask: async (name: RiderCall, input: object) => {
      asked.push({ name, input: { ...input } })
      const data = answers[name]?.({ ...input })
      return typeof data === 'string' ? { ok: false, code: data } : { ok: true, data }
    },
    pay: async (number: string) => {
      paid.push(number)
      return { ok: true, data: null }
    },
  } as unknown as RiderApi
  return { api, asked, paid, brought, codeOf }
}

const life = (wishes: unknown[]) =>
  ({ nowMs: startMs, appRides: { comeAgain: (wish: unknown) => wishes.push(wish) } }) as unknown as Life
const vehicle = { number: 'SD1', areaIndex: 0 } as unknown as FleetVehicle

async function live(
  options: { changes?: Answers; rides?: number; seed?: number; riderOf?: (ride: number) => number } = {},
) {
  const { changes = {}, rides = 600, seed = 5, riderOf = (number) => (number * 7) % 500 } = options
  const platform = makePlatform(changes)
  const timer = createStepTimer(startMs)
  const wishes: unknown[] = []
  const codesOf = () => ['ABCDEFGHJK22', 'ABCDEFGHJK33']
  const marketing = createMarketing({ api: platform.api, life: life(wishes), timer, seed, codesOf })
  const ridden: (string | null)[] = []
  for (let number = 1; number <= rides; number++) {
    // A ride in three seconds, as in a small city.
    const nowMs = startMs + number * 3_000
    timer.tick(nowMs)
    const ride = { number, startMs: nowMs, endMs: nowMs + 600_000, lengthM: 2_000 } as Ride
    const customer = marketing.customer({ vehicle, ride, agentId, rider: riderOf(number) })
    const phone = await customer.before()
    ridden.push(phone)
    if (phone !== null) await customer.after()
  }
  return { ...platform, counts: marketing.counts, ridden, wishes }
}

describe('riders with the app', () => {
  it('do the same for the same seed and the same answers', async () => {
    const once = await live()
    const twice = await live()
    expect(twice.asked).toEqual(once.asked)
    expect(twice.wishes).toEqual(once.wishes)
    expect((await live({ seed: 6 })).asked).not.toEqual(once.asked)
  })

  it('see and tap ads, recharge by offers, buy cards, redeem codes, invite, read and ride again', async () => {
    const { counts, asked, paid } = await live({ rides: 3_000 })
    for (const [what, count] of Object.entries(counts)) {
      if (what !== 'refused' && what !== 'tooDear') expect(count, what).toBeGreaterThan(0)
    }
    expect(counts.tooDear).toBe(0)
    expect([...counts.refused]).toEqual([])
    expect(counts.tapped / counts.seen).toBeLessThan(0.08)
    expect(new Set(paid).size).toBe(paid.length)
    expect(paid.length).toBeGreaterThanOrEqual(counts.recharged + counts.cards)
    const names = new Set(asked.map(({ name }) => name))
    for (const name of ['riderReadHelp', 'riderJudgeHelp', 'riderReadMessages', 'riderCoupons', 'recharge'] as const)
      expect(names, name).toContain(name)
    // Beside rides a rider of this city asks a few things.
    expect(asked.length / 3_000).toBeLessThan(8)
  })

  it('ride less where it is dearer than they are used to, and more with a benefit', async () => {
    const dear: PriceRules = { ...demoPriceRules, startCents: demoPriceRules.startCents * 3 }
    const quoteRide = () => ({ agentId, areaName: 'a', versionName: 'v', rules: dear })
    const { counts, ridden } = await live({ rides: 1_000, changes: { quoteRide } })
    expect(ridden.filter((phone) => phone === null)).toHaveLength(counts.tooDear)
    // 3 to the power of -0.4 is 0.64.
    expect(counts.tooDear / 1_000).toBeGreaterThan(0.3)
    expect(counts.tooDear / 1_000).toBeLessThan(0.42)
    const coupon = {
      state: 'open',
      effect: { off: 'percent', percent: 80, maxCents: null },
      endsAt: startMs + 9 * dayMs,
    }
    const without = await live()
    const withCoupon = await live({ changes: { riderCoupons: () => ({ list: [coupon] }) } })
    expect(withCoupon.counts.ridesMore).toBeGreaterThan(without.counts.ridesMore + 5)
    expect(withCoupon.wishes[0]).toMatchObject({ area: 0 })
  })

  it('leave alone what was refused, and everything while nobody answers', async () => {
    const refused = await live({ changes: { offeredCards: () => 'not_found', riderPlacements: () => 'unavailable' } })
    const perRider = Map.groupBy(
      refused.asked.filter(({ name }) => name === 'riderPlacements'),
      ({ input }) => input['phone'],
    )
    expect(Math.max(...[...perRider.values()].map(({ length }) => length))).toBe(1)
    const away = await live({
      changes: Object.fromEntries(
        (['openApp', 'quoteRide', 'riderPlacements'] as const).map((name) => [name, () => 'away']),
      ),
    })
    expect(away.asked.length).toBeLessThan(refused.asked.length / 4)
    expect(
      away.ridden.every((phone) => phone !== null),
      'they ride all the same',
    ).toBe(true)
  })

  it('cheat in rings: one telephone, one payment account, codes of each other', async () => {
    const cheater = 7
    const person = personOf(5, agentId, cheater)
    const [first = '', second = '', third = '', fourth = ''] = person.accounts
    const { asked, brought, codeOf, ridden, counts } = await live({ rides: 40, riderOf: () => cheater })
    const own = codeOf(person.phone)
    expect([first, second, third, fourth].map((phone) => brought.get(phone))).toEqual([
      own,
      own,
      codeOf(fourth),
      codeOf(third),
    ])
    const deviceOf = (phone: string) =>
      asked.find(({ name, input }) => name === 'riderBindInvite' && input['phone'] === phone)?.input['device']
    expect(deviceOf(first)).toEqual(person.device)
    expect(deviceOf(second)).toBeUndefined()
    expect(ridden.filter((phone) => phone === second)).toHaveLength(1)
    expect(ridden.filter((phone) => phone === person.phone)).toHaveLength(39)
    expect(counts.cheated).toBe(4)
  })

  it('who are new and know somebody enter the code of a friend', async () => {
    const { brought, counts, asked } = await live({ rides: 2_000, riderOf: (number) => number % 1_500 })
    expect(brought.size).toBe(counts.invited + counts.cheated)
    expect(counts.invited).toBeGreaterThan(20)
    const codes = new Set(brought.values())
    expect(codes.size).toBeGreaterThan(5)
    for (const [phone, code] of brought) expect(code.slice(1)).not.toBe(phone.slice(-5))
    const told = asked.filter(({ name }) => name === 'riderBindInvite')
    expect(told.filter(({ input }) => 'device' in input).length).toBeGreaterThan(20)
  })
})
