import { describe, expect, it } from 'vitest'
import { inviteTermsSchema } from '@saddle/contract/marketing/inviteActivities.ts'
import { dayMs, hourMs, minuteMs } from '@saddle/contract/time.ts'
import { createSeededRandom } from '#kit/random.ts'
import {
  isOpen,
  likenessReason,
  rideCounts,
  step,
  treeReason,
  type InviteCore,
  type InviteEvent,
  type InviteRide,
  type Likeness,
  type StepTerms,
} from './rules.ts'

const t0 = Date.UTC(2026, 10, 1)
const gift = { kind: 'gift', cents: 500, validDays: 30 } as const
const terms: StepTerms = { ...inviteTermsSchema.parse({ inviterRewards: [gift] }), areaIds: [] }
const unlike: Likeness = { sameDevice: false, samePayer: false, samePerson: false, olderAccount: false }
const fine = { likeness: unlike, isClosed: false }
const invite: InviteCore = {
  state: 'registered',
  reason: null,
  isCleared: false,
  boundAt: t0,
  rideBy: t0 + 30 * dayMs,
  countedAt: null,
  orderId: null,
  dueAt: null,
  endedAt: null,
}
const ride: InviteRide = {
  orderId: 9,
  endedAt: t0 + dayMs,
  minutes: 12,
  metres: 2_000,
  paidCents: 150,
  areaId: 31,
  isRefunded: false,
}
const ridden = (changes: Partial<InviteRide> = {}, checks = fine): InviteEvent => ({
  kind: 'ride',
  ride: { ...ride, ...changes },
  checks,
  refusal: null,
})
const time = (at: number, checks = fine): InviteEvent => ({ kind: 'time', at, checks, isRefunded: false })

describe('a ride of the invited rider', () => {
  it('counts when it was paid, long and far enough, in time and in the areas', () => {
    expect(rideCounts(ride, invite, terms)).toBe(true)
    const misses: Partial<InviteRide>[] = [
      { paidCents: 0 },
      { minutes: 4 },
      { metres: 499 },
      { isRefunded: true },
      { endedAt: t0 - 1 },
      { endedAt: invite.rideBy + 1 },
    ]
    for (const miss of misses) expect(rideCounts({ ...ride, ...miss }, invite, terms), JSON.stringify(miss)).toBe(false)
    expect(rideCounts(ride, invite, { ...terms, areaIds: [41] })).toBe(false)
    expect(rideCounts(ride, invite, { ...terms, areaIds: [41, 31] })).toBe(true)
  })

  it('makes the rewards due some hours later, once, and a shorter one before it changes nothing', () => {
    expect(step(invite, ridden({ minutes: 2 }), terms)).toBe(invite)
    const counted = step(invite, ridden(), terms)
    expect(counted).toMatchObject({ state: 'pending', orderId: 9, dueAt: ride.endedAt + 24 * hourMs })
    expect(step(counted, ridden({ orderId: 10 }), terms)).toBe(counted)
  })

  it('earns nothing where the accounts belong together, one is closed or the activity can pay no more', () => {
    const alike = (changes: Partial<Likeness>) => ridden({}, { likeness: { ...unlike, ...changes }, isClosed: false })
    expect(step(invite, alike({ sameDevice: true }), terms)).toMatchObject({ state: 'refused', reason: 'device' })
    expect(step(invite, alike({ samePayer: true }), terms)).toMatchObject({ reason: 'payer' })
    expect(step(invite, alike({ samePerson: true }), terms)).toMatchObject({ reason: 'person' })
    expect(step(invite, alike({ olderAccount: true }), terms)).toMatchObject({ reason: 'rode', orderId: 9 })
    expect(step(invite, ridden({}, { likeness: unlike, isClosed: true }), terms)).toMatchObject({ reason: 'closed' })
    const spent = { kind: 'ride', ride, checks: fine, refusal: 'budget' } as const
    expect(step(invite, spent, terms)).toMatchObject({ state: 'refused', reason: 'budget', dueAt: null })
    const lenient = { ...terms, refuseSameDevice: false, refuseSamePayer: false, refuseSamePerson: false }
    const all = { sameDevice: true, samePayer: true, samePerson: true, olderAccount: true }
    expect(likenessReason(all, lenient)).toBeNull()
  })
})

describe('time', () => {
  it('ends the wait for a ride a day after its term', () => {
    expect(step(invite, time(invite.rideBy + dayMs), terms)).toBe(invite)
    expect(step(invite, time(invite.rideBy + dayMs + 1), terms)).toMatchObject({ state: 'refused', reason: 'late' })
  })

  it('compares the accounts again shortly before the rewards are given', () => {
    const pending = step(invite, ridden(), terms)
    const due = pending.dueAt ?? 0
    const alike = { likeness: { ...unlike, samePayer: true }, isClosed: false }
    expect(step(pending, time(due - 11 * minuteMs, alike), terms)).toBe(pending)
    expect(step(pending, time(due - 10 * minuteMs, alike), terms)).toMatchObject({ state: 'refused', reason: 'payer' })
    expect(step(pending, time(due), terms)).toBe(pending)
    expect(step(pending, { kind: 'given', at: due, isGiven: true }, terms)).toMatchObject({ state: 'rewarded' })
    expect(step(pending, { kind: 'given', at: due, isGiven: false }, terms)).toMatchObject({ reason: 'undelivered' })
  })
})

describe('people', () => {
  it('refuse what is open, and let through what was refused, but no circle', () => {
    const at = t0 + 2 * dayMs
    const refused = step(invite, { kind: 'refuse', at }, terms)
    expect(refused).toMatchObject({ state: 'refused', reason: 'staff' })
    const cleared = step(refused, { kind: 'clear', at, isRefunded: false }, terms)
    expect(cleared).toMatchObject({ state: 'registered', isCleared: true, reason: null, endedAt: null })
    const alike = { likeness: { ...unlike, sameDevice: true }, isClosed: false }
    expect(step(cleared, ridden({ endedAt: at + 1 }, alike), terms)).toMatchObject({ state: 'pending' })
    const circle = { ...refused, reason: 'cycle' } as const
    expect(step(circle, { kind: 'clear', at, isRefunded: false }, terms)).toBe(circle)
    expect(step(refused, { kind: 'clear', at, isRefunded: true }, terms)).toBe(refused)
  })
})

/** The inviter's inviter and so on. */
function ancestorsIn(inviterOf: ReadonlyMap<number, number>, riderId: number): number[] {
  const found: number[] = []
  for (let at = inviterOf.get(riderId); at !== undefined && found.length < 1_000; at = inviterOf.get(at)) found.push(at)
  return found
}

describe('with any order of events', () => {
  it('no tree has a circle, or an edge deeper than it may be', () => {
    for (let seed = 1; seed <= 300; seed += 1) {
      const { fraction } = createSeededRandom(seed)
      const pick = (below: number) => Math.floor(fraction() * below)
      const inviterOf = new Map<number, number>()
      const depthMax = 1 + pick(5)
      for (let turn = 0; turn < 60; turn += 1) {
        const [inviterId, invitedId] = [pick(12), pick(12)]
        if (inviterOf.has(invitedId)) continue
        const ancestors = ancestorsIn(inviterOf, inviterId)
        if (treeReason({ inviterId, invitedId, ancestors, depthMax }) === null) inviterOf.set(invitedId, inviterId)
      }
      for (const riderId of inviterOf.keys()) {
        const above = ancestorsIn(inviterOf, riderId)
        expect(above, `seed ${seed}`).not.toContain(riderId)
        expect(new Set(above).size).toBe(above.length)
      }
    }
  })

  it('a refunded ride is never rewarded, what ended stays ended but for people, and no event counts twice', () => {
    for (let seed = 1; seed <= 500; seed += 1) {
      const { fraction } = createSeededRandom(seed)
      const pick = (below: number) => Math.floor(fraction() * below)
      let now = t0
      let current = invite
      const refunded = new Set<number>()
      for (let turn = 0; turn < 30; turn += 1) {
        now += pick(2 * dayMs)
        const orderId = 1 + pick(3)
        const isRefunded = refunded.has(current.orderId ?? orderId)
        const checks = { likeness: { ...unlike, sameDevice: pick(8) === 0 }, isClosed: pick(20) === 0 }
        const events: readonly InviteEvent[] = [
          {
            kind: 'ride',
            ride: { ...ride, orderId, endedAt: now, isRefunded: refunded.has(orderId) },
            checks,
            refusal: null,
          },
          { kind: 'refund', orderId, at: now },
          { kind: 'time', at: now, checks, isRefunded },
          { kind: 'given', at: now, isGiven: pick(5) > 0 },
          { kind: 'refuse', at: now },
          { kind: 'clear', at: now, isRefunded },
        ]
        const event = events[pick(events.length)]
        if (event === undefined) continue
        // Rewards are given when they are due, and not for a ride that was refunded before.
        if (event.kind === 'given' && (current.dueAt === null || now < current.dueAt || isRefunded)) continue
        if (event.kind === 'refund') refunded.add(orderId)
        const after = step(current, event, terms)
        expect(step(after, event, terms).state, `seed ${seed}: ${event.kind} twice`).toBe(after.state)
        if (!isOpen(current) && after !== current) expect(['refund', 'clear'], `seed ${seed}`).toContain(event.kind)
        if (current.state === 'reversed') expect(after).toBe(current)
        expect(isOpen(after)).toBe(after.endedAt === null)
        expect((after.state === 'refused' || after.state === 'reversed') === (after.reason !== null)).toBe(true)
        if (after.state === 'pending' || after.state === 'rewarded')
          expect(refunded.has(after.orderId ?? 0), `seed ${seed}`).toBe(false)
        current = after
      }
    }
  })
})
