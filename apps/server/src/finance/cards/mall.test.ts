import { describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { cardTermsSchema } from '@saddle/contract/finance/cardTerms.ts'
import { businessDayOf, minuteMs } from '@saddle/contract/time.ts'
import { TEST_START_MS } from '#test/kit.ts'
import { verifyLedger } from '../ledger/verify.ts'
import { endGivenCard, giveCard } from '../public.ts'
import { moneyWorld } from '../wallet/money.fixture.ts'
import { cardsThatDisagree } from './verify.ts'

const world = await moneyWorld()
const { db, kit, finance, sandbox, agentId, day, clerk, outsider, app, newRider } = world
const { handlers } = finance

const riding = { kind: 'riding', priceCents: 1_000, days: 30, freeMinutes: 30 } as const
let products = 0
async function sell(terms: Partial<z.input<typeof cardTermsSchema>> = {}): Promise<number> {
  products += 1
  const parsed = cardTermsSchema.parse({ ...riding, name: `卡 ${products}`, ...terms })
  return (await handlers.createCardProduct({ agentId, terms: parsed, isDraft: false }, clerk)).data.id
}
type Rider = Awaited<ReturnType<typeof newRider>>
const buy = (rider: Rider, productId: number, payBy: 'balance' | 'channel' = 'balance', requestId = 'request-1') =>
  handlers.buyCard({ phone: rider.phone, productId, requestId, payBy }, app)
const offered = async (rider: Rider, productId: number, areaId?: number) =>
  (await handlers.offeredCards({ phone: rider.phone, areaId }, app)).data.offered.find(({ id }) => id === productId)
const held = (rider: Rider, startedAt = kit.clock.now()) =>
  db.system((tx) => finance.benefits.held(tx, { agentId, riderId: rider.riderId, startedAt, endedAt: startedAt }))
/** A ride that every card of its rider lowered. */
let orders = 0
async function ride(rider: Rider): Promise<number> {
  orders += 1
  const orderId = orders
  const startedAt = kit.clock.now()
  await db.system(async (tx) => {
    const { benefits } = await finance.benefits.held(tx, {
      agentId,
      riderId: rider.riderId,
      startedAt,
      endedAt: startedAt,
    })
    const lines = benefits.map(({ kind, id }) => ({
      code: 'riding_card' as const,
      reason: '',
      day: null,
      quantity: 1,
      unitCents: -200,
      amountCents: -200,
      benefit: `${kind}:${id}`,
      bearer: 'company' as const,
    }))
    await finance.benefits.use(tx, { agentId, riderId: rider.riderId, orderId, startedAt, endedAt: startedAt, lines })
    expect(await faults()).toEqual([])
  })
  return orderId
}
const refundRide = (orderId: number) =>
  db.system((tx) => finance.benefits.giveBack(tx, { agentId, orderId, at: kit.clock.now() }))
const unearned = async (rider: Rider) => (await rider.wallet()).wallet.cardCents

/** What the books and the cards say against each other; the clock begins anew. */
async function faults(): Promise<readonly string[]> {
  const found = [...(await cardsThatDisagree(db, kit.clock.now())), ...(await verifyLedger(db)).faults]
  kit.clock.set(TEST_START_MS)
  return found
}

describe('the shelf', () => {
  it('sells 50 of 50 to 200 who ask at once; the others hear why and pay nothing', async () => {
    const productId = await sell({ stock: 50 })
    const riders = []
    for (let at = 0; at < 200; at += 1) {
      const rider = await newRider()
      await rider.recharge(1_000)
      riders.push(rider)
    }
    const answers = await Promise.allSettled(riders.map((rider) => buy(rider, productId)))
    const won = answers.filter(({ status }) => status === 'fulfilled')
    const lost = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason as unknown] : []))
    expect(won).toHaveLength(50)
    expect(lost).toHaveLength(150)
    for (const refusal of lost) expect(refusal).toMatchObject({ code: 'card_sold_out' })
    const balances = await Promise.all(riders.map(async (rider) => (await rider.wallet()).wallet.balanceCents))
    expect(balances.filter((cents) => cents === 0)).toHaveLength(50)
    expect(balances.filter((cents) => cents === 1_000)).toHaveLength(150)
    const { data } = await handlers.listCardProducts({ filter: { id: productId }, sort: 'shelf', pageSize: 20 }, clerk)
    expect(data.list).toMatchObject([{ shelf: 'sold_out', left: 0, soldCards: 50, salesCents: 50_000 }])
    const terms = cardTermsSchema.parse({ ...riding, name: '少于已售', stock: 49 })
    await expect(handlers.changeCardProduct({ id: productId, version: 1, terms }, clerk)).rejects.toMatchObject({
      code: 'card_below_sold',
    })
    expect(await faults()).toEqual([])
  }, 60_000)

  it('keeps a card for who pays by a channel, puts it back in time, and takes late money as balance', async () => {
    const productId = await sell({ stock: 1 })
    const [slow, other] = [await newRider(), await newRider()]
    const { data: waiting } = await buy(slow, productId, 'channel')
    await other.recharge(1_000)
    await expect(buy(other, productId)).rejects.toMatchObject({ code: 'card_sold_out' })
    expect(await finance.cards.lapse()).toBe(0)
    kit.clock.advance(16 * minuteMs)
    expect(await finance.cards.lapse()).toBe(1)
    await buy(other, productId)
    await sandbox.pay(waiting.payment?.number ?? '')
    expect((await slow.wallet()).wallet).toMatchObject({ balanceCents: 1_000, cardCents: 0 })
    expect(await slow.cards()).toMatchObject([{ state: 'lapsed', boughtAt: null }])

    const another = await sell({ stock: 1 })
    const { data: late } = await buy(slow, another, 'channel', 'request-2')
    kit.clock.advance(16 * minuteMs)
    await finance.cards.lapse()
    await sandbox.pay(late.payment?.number ?? '')
    expect((await slow.cards())[0], 'nobody else had taken it').toMatchObject({ state: 'active' })
    expect(await faults()).toEqual([])
  })

  it('sells within its days, to each rider so many, and for an area', async () => {
    const now = kit.clock.now()
    const rider = await newRider()
    await rider.recharge(10_000)
    const coming = await sell({ onFrom: now + day })
    await expect(buy(rider, coming)).rejects.toMatchObject({ code: 'card_not_yet' })
    expect(await offered(rider, coming)).toBeUndefined()
    const gone = await sell({ onTo: now - day })
    await expect(buy(rider, gone)).rejects.toMatchObject({ code: 'card_off_sale' })
    const two = await sell({ riderMax: 2, areaIds: [31] })
    expect(await offered(rider, two, 31)).toMatchObject({ leftForRider: 2, areaIds: [31] })
    expect(await offered(rider, two, 32)).toBeUndefined()
    await buy(rider, two)
    await buy(rider, two, 'balance', 'request-2')
    await expect(buy(rider, two, 'balance', 'request-3')).rejects.toMatchObject({ code: 'card_rider_max' })
    expect(await offered(rider, two)).toMatchObject({ leftForRider: 0 })
    const { benefits } = await held(rider)
    expect(benefits, 'the second one begins behind the first').toHaveLength(1)
    expect(benefits[0]?.conditions.areaIds).toEqual([31])
    const foreign = cardTermsSchema.parse({ ...riding, name: '别人的区', areaIds: [41] })
    await expect(handlers.createCardProduct({ agentId, terms: foreign, isDraft: false }, clerk)).rejects.toMatchObject({
      code: 'foreign_scope',
    })
    expect(await faults()).toEqual([])
  })

  it('is put in order, copied as a draft, ended for good', async () => {
    const [first, second] = [await sell(), await sell()]
    await handlers.orderCardProducts({ agentId, ids: [second, first] }, clerk)
    const { data } = await handlers.listCardProducts({ filter: {}, sort: 'shelf', pageSize: 100 }, clerk)
    expect(data.list.slice(0, 2).map(({ id }) => id)).toEqual([second, first])
    await expect(handlers.orderCardProducts({ agentId, ids: [second] }, outsider)).rejects.toMatchObject({
      code: 'not_found',
    })
    await handlers.switchCardProduct({ id: first, state: 'ended' }, clerk)
    await expect(handlers.switchCardProduct({ id: first, state: 'on' }, clerk)).rejects.toMatchObject({
      code: 'card_ended',
    })
    await expect(handlers.switchCardProduct({ id: second, state: 'paused' }, outsider)).rejects.toMatchObject({
      code: 'not_found',
    })
    const terms = cardTermsSchema.parse({ ...riding, name: '草稿' })
    const { data: draft } = await handlers.createCardProduct({ agentId, terms, isDraft: true }, clerk)
    await expect(buy(await newRider(), draft.id)).rejects.toMatchObject({ code: 'not_found' })
    expect(await faults()).toEqual([])
  })
})

describe('a card of so many rides', () => {
  it('is earned ride by ride, takes a refunded ride back, and its rest is earned at its end', async () => {
    const productId = await sell({ rides: 3, days: 7 })
    const rider = await newRider()
    await rider.recharge(1_000)
    await buy(rider, productId)
    await ride(rider)
    const second = await ride(rider)
    await finance.cards.earn()
    expect(await unearned(rider)).toBe(334)
    await refundRide(second)
    await refundRide(second)
    expect(await rider.cards()).toMatchObject([{ ridesLeft: 2, uses: 1 }])
    await Promise.all([finance.cards.earn(), finance.cards.earn()])
    expect(await unearned(rider), 'one ride is earned').toBe(667)
    await ride(rider)
    await ride(rider)
    expect(await held(rider)).toMatchObject({ benefits: [], skipped: [{ why: 'used_up' }] })
    await finance.cards.earn()
    expect(await unearned(rider)).toBe(0)
    kit.clock.advance(8 * day)
    await finance.cards.earn()
    expect(await rider.cards()).toMatchObject([{ state: 'over', earnedCents: 1_000, ridesLeft: 0 }])

    kit.clock.set(TEST_START_MS)
    const other = await newRider()
    await other.recharge(1_000)
    await buy(other, productId)
    await ride(other)
    kit.clock.advance(8 * day)
    await finance.cards.earn()
    expect(await unearned(other), 'what was not used is earned at the end').toBe(0)
    const { data } = await handlers.userWallet({ riderId: other.riderId, book: 'card', pageSize: 20 }, clerk)
    expect(data.list.map(({ cents }) => cents)).toEqual([-667, -333, 1_000])
    expect(await faults()).toEqual([])
  })

  it('is paid back for the rides that are left, and begins beside another one', async () => {
    const productId = await sell({ rides: 4, days: 30 })
    const rider = await newRider()
    await rider.recharge(2_000)
    const { data } = await buy(rider, productId)
    await buy(rider, productId, 'balance', 'request-2')
    const cards = await rider.cards()
    expect(cards.map(({ firstDay }) => firstDay)).toEqual([businessDayOf(TEST_START_MS), businessDayOf(TEST_START_MS)])
    await ride(rider)
    const { data: back } = await handlers.refundCard({ cardId: data.card.id, reason: '不再需要' }, clerk)
    expect(back).toMatchObject({ state: 'refunded', refundedCents: 750, earnedCents: 250, ridesLeft: 3 })
    expect(await unearned(rider)).toBe(1_000)
    await finance.cards.earn()
    expect((await rider.wallet()).wallet).toMatchObject({ balanceCents: 750, cardCents: 750 })
    const { data: figures } = await handlers.cardProductFigures({ id: productId }, clerk)
    expect(figures).toMatchObject({
      active: 1,
      refunded: 1,
      riders: 1,
      salesCents: 2_000,
      refundedCents: 750,
      unearnedCents: 750,
      rides: 2,
      savedCents: 400,
    })
    expect(figures.days.at(-1)).toEqual({ day: businessDayOf(TEST_START_MS), sold: 2 })
    expect(await faults()).toEqual([])
  })
})

describe('a card that was given', () => {
  it('books nothing, is the same one when given again, cannot be paid back and can be taken back', async () => {
    const productId = await sell({ stock: 1 })
    const rider = await newRider()
    const at = new Date(kit.clock.now())
    const given = { agentId, riderId: rider.riderId, productId, at, requestId: 'reward:17' }
    const give = () => db.system((tx) => giveCard(tx, given))
    const [cardId, again] = [await give(), await give()]
    expect(again).toBe(cardId)
    expect((await rider.wallet()).wallet.cardCents).toBe(0)
    expect(await rider.cards()).toMatchObject([{ state: 'active', paidBy: 'gift', priceCents: 0, refundableCents: 0 }])
    expect((await held(rider)).benefits).toHaveLength(1)
    await expect(handlers.refundCard({ cardId, reason: '测试' }, clerk)).rejects.toMatchObject({
      code: 'card_not_refundable',
    })
    expect(await offered(rider, productId), 'the stock is what is for sale').toMatchObject({ left: 1 })
    const end = () => db.system((tx) => endGivenCard(tx, { agentId, cardId, at, by: '周可', reason: '订单退款' }))
    expect(await end()).toBe(0)
    expect(await end()).toBe(0)
    expect((await held(rider)).benefits).toEqual([])
    expect(await rider.cards()).toMatchObject([{ state: 'revoked', revokeReason: '订单退款' }])
    await expect(
      db.system((tx) => giveCard(tx, { ...given, productId: 999_999, requestId: 'reward:18' })),
    ).rejects.toMatchObject({ code: 'not_found' })
    expect(await faults()).toEqual([])
  })
})
