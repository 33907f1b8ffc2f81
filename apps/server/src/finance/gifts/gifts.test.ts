import fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { businessDayOf, dayMs } from '@saddle/contract/time.ts'
import { moneyWorld } from '../wallet/money.fixture.ts'
import { proveMoney } from '../checks/money.ts'
import { endOfGift, sumOf, takeInOrder } from './rules.ts'

const { db, owner, kit, finance, sandbox, agentId, clerk, app, newRider } = await moneyWorld()
const { gifts, ledger, handlers, payments } = finance

let sources = 0
const grant = async (riderId: number, cents: number, validDays: number | null = null, source?: number) => {
  sources += 1
  const own = { agentId, riderId, cents, validDays, name: '新客礼', bearer: 'company', at: kit.clock.now() } as const
  return db.system((tx) => gifts.grant(tx, { ...own, source: { kind: 'reward', id: source ?? sources } }))
}
const giftOf = (riderId: number) => ledger.balanceOf({ agentId, account: { kind: 'rider_gift', ownerId: riderId } })
const lotsOf = async (riderId: number) => {
  const { rows } = await sql<{ lot: string }>`
    select concat_ws(' ', granted_cents, used_cents, expired_cents, revoked_cents, open_cents) as lot
    from gift_lot where rider_id = ${riderId} order by id`.execute(owner)
  return rows.map(({ lot }) => lot)
}
const revoke = (lotIds: readonly number[], key: string) =>
  db.system((tx) =>
    gifts.revoke(tx, { agentId, lotIds, reference: 'reward:1', key, reason: '撤回', at: kit.clock.now() }),
  )
const sound = async () => expect((await proveMoney(db)).faults).toEqual([])

describe('the order of lots', () => {
  const lot = fc.record({
    openCents: fc.integer({ min: 1, max: 500 }),
    endsAt: fc.option(fc.integer({ min: 1, max: 5 }), { nil: null }),
  })
  const lots = fc.array(lot, { maxLength: 8 }).map((all) => all.map((one, id) => Object.assign({ id: id + 1 }, one)))

  it('takes what is asked for or all there is, never more of a lot than it has, and the first to end first', () => {
    fc.assert(
      fc.property(lots, fc.integer({ min: 0, max: 3_000 }), (held, cents) => {
        const parts = takeInOrder(held, cents)
        const all = held.reduce((sum, { openCents }) => sum + openCents, 0)
        expect(sumOf(parts)).toBe(Math.min(cents, all))
        const taken = new Map(parts.map((part) => [part.lotId, part.cents]))
        for (const one of held) {
          const part = taken.get(one.id) ?? 0
          expect(part).toBeGreaterThanOrEqual(0)
          expect(part).toBeLessThanOrEqual(one.openCents)
          const later = held.filter(({ endsAt }) => (endsAt ?? 99) > (one.endsAt ?? 99))
          if (part < one.openCents) expect(later.filter(({ id }) => taken.has(id))).toEqual([])
        }
        expect(takeInOrder([...held].reverse(), cents), 'in whatever order they are given').toEqual(parts)
      }),
    )
  })

  it('ends at midnight of the last business day', () => {
    const at = kit.clock.now()
    const end = endOfGift(at, 1)!
    expect(businessDayOf(end - 1)).toBe(businessDayOf(at))
    expect(businessDayOf(end)).not.toBe(businessDayOf(at))
    expect(endOfGift(at, null)).toBeNull()
  })
})

describe('gift balance', () => {
  it('is given once for a thing, lapses at the end of its last day as income, and once', async () => {
    const { riderId } = await newRider()
    const first = await grant(riderId, 500, 2, 7_001)
    expect(first).not.toBeNull()
    expect(await grant(riderId, 500, 2, 7_001)).toBeNull()
    await grant(riderId, 300)
    expect(await giftOf(riderId)).toBe(800)
    expect(await gifts.expire()).toBe(0)
    kit.clock.advance(2 * dayMs)
    const runs = await Promise.all([gifts.expire(), gifts.expire()])
    expect(runs[0] + runs[1]).toBe(1)
    expect(await gifts.expire()).toBe(0)
    expect(await giftOf(riderId)).toBe(300)
    expect(await ledger.balanceOf({ agentId, account: { kind: 'gift_breakage' } })).toBe(500)
    expect(await lotsOf(riderId)).toEqual(['500 0 500 0 0', '300 0 0 0 300'])
    await sound()
  })

  it('is taken back as far as it is open, and once', async () => {
    const { riderId } = await newRider()
    const lotId = (await grant(riderId, 400))!
    await handlers.platformCharge({ riderId, account: 'gift', direction: 'debit', cents: 150, reason: '误发' }, clerk)
    const tries = await Promise.all([revoke([lotId], 'a'), revoke([lotId], 'a')])
    expect(tries.toSorted((a, b) => a - b)).toEqual([0, 250])
    expect(await giftOf(riderId)).toBe(0)
    expect(await lotsOf(riderId)).toEqual(['400 0 0 400 0'])
    await sound()
  })

  it('of a charge by hand is a lot, and undoing it makes good what it took', async () => {
    const { riderId } = await newRider()
    await grant(riderId, 200, 30)
    const reason = '测试'
    const by = async (direction: 'debit' | 'credit', cents: number) =>
      (await handlers.platformCharge({ riderId, account: 'gift', direction, cents, reason }, clerk)).data.chargeId
    const credit = await by('credit', 100)
    const debit = await by('debit', 250)
    expect(await lotsOf(riderId), 'the lot with an end went first').toEqual(['200 0 0 200 0', '100 0 0 50 50'])
    await expect(handlers.undoPlatformCharge({ chargeId: credit, reason }, clerk)).rejects.toMatchObject({
      code: 'balance_insufficient',
    })
    await handlers.undoPlatformCharge({ chargeId: debit, reason }, clerk)
    await expect(handlers.undoPlatformCharge({ chargeId: debit, reason }, clerk)).rejects.toMatchObject({
      code: 'entry_not_reversible',
    })
    expect(await giftOf(riderId)).toBe(300)
    const ends = await sql<{ lot: string }>`
      select concat_ws(' ', open_cents, ends_at is not null) as lot from gift_lot
      where rider_id = ${riderId} and open_cents > 0 order by id`.execute(owner)
    expect(ends.rows.map(({ lot }) => lot)).toEqual(['50 f', '200 t', '50 f'])
    await sound()
  })

  it('goes with the recharge that brought it, and with the whole balance', async () => {
    const rider = await newRider()
    const paid = { agentId, riderId: rider.riderId, purpose: 'recharge', cents: 1_000, description: '充值' } as const
    const started = await payments.start(paid)
    await sandbox.pay(started.number)
    const source = { kind: 'payment', id: started.paymentId } as const
    const gift = { agentId, riderId: rider.riderId, cents: 200, name: '充值礼', bearer: 'company', source } as const
    await db.system((tx) => gifts.grant(tx, { ...gift, validDays: null, at: kit.clock.now() }))
    await grant(rider.riderId, 70)
    expect(await giftOf(rider.riderId)).toBe(270)
    await payments.refund({ agentId, paymentId: started.paymentId, cents: 10, reason: '退款' })
    expect(await giftOf(rider.riderId)).toBe(70)
    const { data } = await handlers.takeBalanceBack({ phone: rider.phone }, app)
    expect(data).toEqual({ refundedCents: 990, leftCents: 0, lapsedGiftCents: 70 })
    await sandbox.settled()
    await sound()
  })

  it('cannot be moved in the ledger without its lots, nor a lot without the ledger', async () => {
    const { riderId } = await newRider()
    const lines = [
      { account: { kind: 'gift_expense' }, amountCents: -10 },
      { account: { kind: 'rider_gift', ownerId: riderId }, amountCents: 10 },
    ] as const
    const post = db.system((tx) => ledger.post({ agentId, kind: 'adjustment', reference: 'test:1', lines }, tx))
    await expect(post).rejects.toThrow('the lots of rider')
    await grant(riderId, 100)
    const edit = sql`update gift_lot set used_cents = 1 where rider_id = ${riderId}`.execute(owner)
    await expect(edit).rejects.toThrow('the lots of rider')
    await sound()
  })

  it('keeps lots and ledger equal whatever happens at once', async () => {
    const step = fc.record({
      kind: fc.constantFrom('grant', 'grant', 'debit', 'credit', 'revoke', 'expire', 'advance', 'takeBack', 'recharge'),
      cents: fc.integer({ min: 1, max: 300 }),
    })
    let keys = 0
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(step, { minLength: 1, maxLength: 6 }), { maxLength: 5 }), async (rounds) => {
        const rider = await newRider()
        const { riderId } = rider
        const act = async ({ kind, cents }: { kind: string; cents: number }): Promise<unknown> => {
          keys += 1
          if (kind === 'grant') return grant(riderId, cents, cents % 3 === 0 ? null : (cents % 4) + 1)
          if (kind === 'recharge') return rider.recharge(cents)
          if (kind === 'expire') return gifts.expire()
          if (kind === 'takeBack') return handlers.takeBalanceBack({ phone: rider.phone }, app)
          if (kind === 'advance') return kit.clock.advance(dayMs)
          if (kind === 'debit' || kind === 'credit') {
            return handlers.platformCharge({ riderId, account: 'gift', direction: kind, cents, reason: '测试' }, clerk)
          }
          const { rows } = await sql<{ id: number }>`
            select id from gift_lot where rider_id = ${riderId} order by id limit 1`.execute(owner)
          return revoke(
            rows.map(({ id }) => id),
            `race:${keys}`,
          )
        }
        for (const round of rounds) {
          const results = await Promise.allSettled(round.map(act))
          for (const result of results) {
            if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'balance_insufficient' })
          }
        }
        const { rows } = await sql<{ open: number; least: number }>`
          select coalesce(sum(open_cents), 0)::bigint as open, coalesce(min(open_cents), 0)::bigint as least
          from gift_lot where rider_id = ${riderId}`.execute(owner)
        expect(rows[0]?.open).toBe(await giftOf(riderId))
        expect(rows[0]?.least).toBeGreaterThanOrEqual(0)
      }),
      { numRuns: 15 },
    )
    await sandbox.settled()
    await sound()
  })
})
