import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { cardTermsSchema } from '@saddle/contract/finance/cardTerms.ts'
import { TEST_START_MS } from '#test/kit.ts'
import { moneyWorld } from '../wallet/money.fixture.ts'

const world = await moneyWorld()
const { db, owner, kit, finance, sandbox, agentId, day, clerk, outsider, app, newRider } = world
const { handlers } = finance

const reason = '测试'

/** A line of a charge that a card lowered. */
const offBy = (kind: 'riding_card' | 'discount_card', id: number, cents: number) => ({
  code: kind,
  reason: 'x',
  day: null,
  quantity: 1,
  unitCents: -cents,
  amountCents: -cents,
  benefit: `${kind}:${id}`,
  bearer: 'company' as const,
})

describe('a card', () => {
  const riding = {
    kind: 'riding',
    name: '周卡',
    priceCents: 1_000,
    days: 7,
    freeMinutes: 30,
    ridesPerDay: 2,
  } as const
  const sell = async (terms: z.input<typeof cardTermsSchema>) =>
    (await handlers.createCardProduct({ agentId, terms: cardTermsSchema.parse(terms), isDraft: false }, clerk)).data.id

  it('is bought from the balance or by a channel, once, one behind the other', async () => {
    const productId = await sell(riding)
    await expect(sell(riding)).rejects.toMatchObject({ code: 'name_taken' })
    await expect(
      handlers.createCardProduct({ agentId: 4, terms: cardTermsSchema.parse(riding), isDraft: false }, clerk),
    ).rejects.toMatchObject({
      code: 'not_found',
    })
    const rider = await newRider()
    const asked = { phone: rider.phone, productId, requestId: 'request-1' } as const
    await expect(handlers.buyCard({ ...asked, payBy: 'balance' }, app)).rejects.toMatchObject({
      code: 'balance_insufficient',
    })
    await rider.recharge(1_500)
    const bought = await Promise.all(
      Array.from({ length: 5 }, () => handlers.buyCard({ ...asked, payBy: 'balance' }, app)),
    )
    expect(new Set(bought.map(({ data }) => data.card.id)).size).toBe(1)
    expect((await rider.wallet()).wallet).toMatchObject({ balanceCents: 500, cardCents: 1_000 })
    const { data: second } = await handlers.buyCard({ ...asked, requestId: 'request-2', payBy: 'channel' }, app)
    expect(second).toMatchObject({ card: { state: 'waiting' }, payment: { cents: 1_000 } })
    sandbox.setMood({ copies: 20 })
    await sandbox.pay(second.payment!.number)
    sandbox.setMood({ copies: 1 })
    const [later, first] = await rider.cards()
    expect(first).toMatchObject({ state: 'active', paidBy: 'balance', firstDay: '2026-11-21', lastDay: '2026-11-27' })
    expect(later).toMatchObject({ state: 'active', paidBy: 'sandbox', firstDay: '2026-11-28', lastDay: '2026-12-04' })
    expect((await handlers.offeredCards({ phone: rider.phone }, app)).data.offered.map(({ id }) => id)).toContain(
      productId,
    )
    const dearer = cardTermsSchema.parse({ ...riding, priceCents: 1_200 })
    const { data: changed } = await handlers.changeCardProduct({ id: productId, version: 1, terms: dearer }, clerk)
    expect(changed.version).toBe(2)
    expect(
      (await rider.cards()).map(({ priceCents }) => priceCents),
      'sold cards keep theirs',
    ).toEqual([1_000, 1_000])
    const stale = { id: productId, version: 1, terms: dearer }
    await expect(handlers.changeCardProduct(stale, clerk)).rejects.toMatchObject({ code: 'conflict' })
    await expect(handlers.changeCardProduct(stale, outsider)).rejects.toMatchObject({ code: 'not_found' })
    const { data: versions } = await handlers.cardProductVersions({ id: productId }, clerk)
    expect(versions.list).toMatchObject([
      { version: 2, terms: { priceCents: 1_200 }, madeBy: '周可' },
      { version: 1, terms: { priceCents: 1_000 } },
    ])
    await handlers.switchCardProduct({ id: productId, state: 'paused' }, clerk)
    await expect(handlers.buyCard({ ...asked, requestId: 'request-3', payBy: 'balance' }, app)).rejects.toMatchObject({
      code: 'card_off_sale',
    })
  })

  it('earns day by day, every cent once, whatever runs twice', async () => {
    const productId = await sell({
      kind: 'discount',
      name: '九折卡',
      priceCents: 1_000,
      days: 3,
      percentOff: 10,
    })
    const rider = await newRider()
    await rider.recharge(1_000)
    await handlers.buyCard({ phone: rider.phone, productId, requestId: 'request-1', payBy: 'balance' }, app)
    const unearned = async () => (await rider.wallet()).wallet.cardCents
    await finance.cards.earn()
    expect(await unearned(), 'its first day is not over').toBe(1_000)
    kit.clock.advance(day)
    await Promise.all([finance.cards.earn(), finance.cards.earn(), finance.cards.earn()])
    expect(await unearned()).toBe(667)
    kit.clock.advance(5 * day)
    await sql`update rider_card set earned_days = 0 where rider_id = ${rider.riderId}`.execute(owner)
    await finance.cards.earn()
    expect(await unearned()).toBe(0)
    expect(await rider.cards()).toMatchObject([{ state: 'over', earnedCents: 1_000 }])
    const { data } = await handlers.userWallet({ riderId: rider.riderId, book: 'card', pageSize: 20 }, clerk)
    expect(data.list.map(({ cents }) => cents)).toEqual([-334, -333, -333, 1_000])
    kit.clock.set(TEST_START_MS)
  })

  it('is given back for the days that have not begun, once, to where its money came from', async () => {
    const promised = { kind: 'discount', priceCents: 1_000, days: 3, percentOff: 10 } as const
    const productId = await sell({ ...promised, name: '退卡测试' })
    const buy = async (payBy: 'balance' | 'channel') => {
      const rider = await newRider()
      await rider.recharge(1_000)
      const { data } = await handlers.buyCard({ phone: rider.phone, productId, requestId: 'request-1', payBy }, app)
      if (data.payment !== null) await sandbox.pay(data.payment.number)
      return { rider, cardId: data.card.id }
    }
    const ofBalance = await buy('balance')
    const ofChannel = await buy('channel')
    const asked = { cardId: ofBalance.cardId, reason }
    await expect(handlers.refundCard(asked, outsider)).rejects.toMatchObject({ code: 'not_found' })
    kit.clock.advance(day)
    expect(await ofBalance.rider.cards()).toMatchObject([{ refundableCents: 667 }])
    const tries = await Promise.allSettled([1, 2, 3].map(() => handlers.refundCard(asked, clerk)))
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    await expect(handlers.refundCard(asked, clerk)).rejects.toMatchObject({ code: 'card_not_refundable' })
    expect((await ofBalance.rider.wallet()).wallet).toMatchObject({ balanceCents: 667, cardCents: 0 })
    const [card] = await ofBalance.rider.cards()
    expect(card).toMatchObject({ state: 'refunded', refundedCents: 667, earnedCents: 333, refundedBy: '周可' })
    const held = (riderId: number) =>
      db.system((tx) =>
        finance.benefits.held(tx, { agentId, riderId, startedAt: kit.clock.now(), endedAt: kit.clock.now() }),
      )
    expect(await held(ofBalance.rider.riderId)).toEqual({ benefits: [], skipped: [] })

    // A day on which it was used is gone.
    const used = {
      orderId: 9_001,
      agentId,
      riderId: ofChannel.rider.riderId,
      startedAt: kit.clock.now(),
      endedAt: kit.clock.now(),
    }
    const lines = [offBy('discount_card', ofChannel.cardId, 20)]
    await db.system((tx) => finance.benefits.use(tx, { ...used, lines }))
    const { data: back } = await handlers.refundCard({ cardId: ofChannel.cardId, reason }, clerk)
    expect(back).toMatchObject({ state: 'refunded', refundedCents: 334, earnedCents: 666 })
    await sandbox.settled()
    expect((await ofChannel.rider.wallet()).wallet).toMatchObject({ balanceCents: 1_000, cardCents: 0 })
    const paid = (await ofChannel.rider.payments()).find(({ purpose }) => purpose === 'card')
    expect(paid?.refunds).toMatchObject([{ cents: 334, state: 'done' }])
    kit.clock.advance(9 * day)
    await finance.cards.earn()
    expect((await ofChannel.rider.wallet()).wallet.cardCents).toBe(0)
    kit.clock.set(TEST_START_MS)
  })

  it('lowers a charge as often in a day as it says', async () => {
    const productId = await sell({ ...riding, name: '日卡', ridesPerDay: 1 })
    const rider = await newRider()
    await rider.recharge(1_000)
    await handlers.buyCard({ phone: rider.phone, productId, requestId: 'request-1', payBy: 'balance' }, app)
    const ride = { agentId, riderId: rider.riderId, startedAt: kit.clock.now() }
    const charge = (orderId: number, startedAt = ride.startedAt) =>
      db.system(async (tx) => {
        const { benefits } = await finance.benefits.held(tx, { ...ride, startedAt, endedAt: startedAt })
        const lines = benefits.map(({ id }) => offBy('riding_card', id, 200))
        await finance.benefits.use(tx, {
          agentId,
          riderId: rider.riderId,
          orderId,
          startedAt,
          endedAt: startedAt,
          lines,
        })
        return benefits
      })
    const used = await Promise.all([charge(1), charge(2), charge(3)])
    expect(used.flat(), 'of three at once one').toHaveLength(1)
    expect(await charge(4, ride.startedAt + day), 'the next day again').toHaveLength(1)
    expect(await charge(5, ride.startedAt + 7 * day), 'and not when it is over').toEqual([])
    expect(await rider.cards()).toMatchObject([{ uses: 2, savedCents: 400 }])
  })
})
