import { cardTermsSchema, type CardTerms } from '@saddle/contract/finance/cardTerms.ts'
import { businessDayOf, dayMs, hourMs } from '@saddle/contract/time.ts'
import type { Tx } from '#kit/db/pool.ts'
import { rowOf } from '#kit/db/rows.ts'
import {
  activateCard,
  beginOf,
  cardRefund,
  cardSale,
  insertCard,
  insertProduct,
  lockProduct,
  markRefunded,
  takeFromStock,
  updateProduct,
} from '#finance/demoDoor.ts'
import { endGivenCard, giveCard, type Entry } from '#finance/public.ts'

/**
 * The mall of a company of the demo: cards in every state, and what riders of the past month bought, gave back, left unpaid
 * and were given, by the functions that the real calls use.
 */

const clerk = '周可'
const holdMs = 15 * 60_000

type Offer = Partial<CardTerms> & Pick<CardTerms, 'kind' | 'name' | 'priceCents' | 'days'>
/** When a card is on sale, in days from now, and what it is today. */
type Shelf = { readonly fromDays?: number; readonly toDays?: number; readonly now?: 'draft' | 'paused' | 'ended' }

const sold: readonly Offer[] = [
  {
    kind: 'riding',
    name: '七日骑行卡',
    priceCents: 990,
    wasPriceCents: 1_500,
    days: 7,
    freeMinutes: 30,
    ridesPerDay: 2,
    badge: '热卖',
    slogan: '通勤一周，每次半小时',
    colour: 'blue',
  },
  {
    kind: 'riding',
    name: '十次骑行卡',
    priceCents: 1_590,
    wasPriceCents: 2_000,
    days: 30,
    rides: 10,
    freeMinutes: 30,
    badge: '按次',
    slogan: '想骑再骑，三十天内有效',
    colour: 'green',
  },
  {
    kind: 'riding',
    name: '月度骑行卡',
    priceCents: 2_990,
    wasPriceCents: 4_500,
    days: 30,
    freeMinutes: 30,
    slogan: '不限次数',
    colour: 'violet',
  },
  {
    kind: 'discount',
    name: '九折优惠卡',
    priceCents: 500,
    days: 30,
    percentOff: 10,
    maxOffCents: 200,
    slogan: '每次最多省 2 元',
    colour: 'orange',
  },
  {
    kind: 'riding',
    name: '三次尝鲜卡',
    priceCents: 199,
    wasPriceCents: 600,
    days: 7,
    rides: 3,
    freeMinutes: 20,
    riderMax: 1,
    badge: '新人',
    slogan: '每人限购一张',
    colour: 'red',
  },
]
/** Of the cards above, the one of which few are left. */
const scarce = '三次尝鲜卡'
const scarceLeft = 3

const unsold: readonly (readonly [Offer, Shelf])[] = [
  [
    {
      kind: 'riding',
      name: '双十二年卡',
      priceCents: 19_900,
      wasPriceCents: 29_900,
      days: 366,
      freeMinutes: 45,
      stock: 500,
      badge: '预售',
      slogan: '十二月开售，限量五百张',
      colour: 'black',
    },
    { fromDays: 10 },
  ],
  [{ kind: 'riding', name: '国庆出行卡', priceCents: 790, days: 8, freeMinutes: 60, colour: 'red' }, { toDays: -20 }],
  [{ kind: 'discount', name: '夜骑八折卡', priceCents: 900, days: 30, percentOff: 20 }, { now: 'paused' }],
  [{ kind: 'discount', name: '老用户回馈卡', priceCents: 300, days: 14, percentOff: 15 }, { now: 'ended' }],
  [
    { kind: 'riding', name: '冬季通勤卡', priceCents: 1_990, days: 21, freeMinutes: 30, ridesPerDay: 4 },
    { now: 'draft' },
  ],
]
/** Given to riders who brought somebody, in the demo. */
const gift = '三次尝鲜卡'

export type Mall = {
  readonly ids: readonly number[]
  readonly giftId: number
  /** The cards on sale by their names. */
  readonly idOf: ReadonlyMap<string, number>
}

const productRow = rowOf('card_product', 'p', ['id', 'name'])

/** The mall of a company, as it was a month ago; made where there is none. */
export async function openMall(tx: Tx, agentId: number, now: number): Promise<Mall> {
  const { rows } = await productRow.select`from card_product p where p.agent_id = ${agentId} order by p.id`.execute(tx)
  if (rows.length === 0) return mallOf(await fillMall(tx, agentId, now))
  return mallOf(sold.map(({ name }) => rows.find((row) => row.name === name)?.id ?? 0))
}

const mallOf = (ids: readonly number[]): Mall => ({
  ids,
  giftId: ids[sold.findIndex(({ name }) => name === gift)] ?? 0,
  idOf: new Map(sold.map(({ name }, index) => [name, ids[index] ?? 0])),
})

/** Puts the cards on the shelf as they were a month ago. */
async function fillMall(tx: Tx, agentId: number, now: number): Promise<number[]> {
  const by = { id: null, name: clerk, at: new Date(now - 60 * dayMs) }
  const ids: number[] = []
  for (const offer of sold) {
    ids.push(await insertProduct(tx, { agentId, terms: cardTermsSchema.parse(offer), state: 'on', by }))
  }
  for (const [offer, { fromDays, toDays, now: state }] of unsold) {
    const terms = cardTermsSchema.parse({
      ...offer,
      onFrom: fromDays === undefined ? null : now + fromDays * dayMs,
      onTo: toDays === undefined ? null : now + toDays * dayMs,
    })
    const id = await insertProduct(tx, { agentId, terms, state: state === 'draft' ? 'draft' : 'on', by })
    if (state !== undefined) await tx.updateTable('card_product').set({ state }).where('id', '=', id).execute()
  }
  return ids
}

/** Of one card little is left by now: its second version has a stock. */
export async function endMall(tx: Tx, agentId: number, mall: Mall, now: number): Promise<void> {
  const at = sold.findIndex(({ name }) => name === scarce)
  const offer = sold[at]
  const row = await lockProduct(tx, { scope: { agentIds: [agentId] }, id: mall.ids[at] ?? 0 })
  const terms = cardTermsSchema.parse({ ...offer, stock: row.sold + scarceLeft, slogan: '限量，每人一张' })
  await updateProduct(tx, { row, terms, by: { id: null, name: clerk, at: new Date(now - 2 * dayMs) } })
}

type Buyer = {
  readonly tx: Tx
  readonly agentId: number
  readonly riderId: number
  readonly index: number
  readonly mall: Mall
  readonly at: number
  readonly now: number
  readonly post: (entry: Entry) => Promise<void>
}

/** What a rider did with cards: bought one from the balance, left one unpaid, gave one back, was given one. */
export async function buyCards(buyer: Buyer): Promise<void> {
  const { tx, agentId, riderId, index, mall, at, now, post } = buyer
  const who = { agentId, riderId }
  if (index % 9 === 4) await giveOne(buyer)
  const productId = mall.ids[index % mall.ids.length] ?? 0
  const product = await takeFromStock(tx, { agentId, productId, at: new Date(at) })
  const asked = { who, product, requestId: `history-${riderId}`, at: new Date(at) }
  const cardId = await insertCard(tx, { ...asked, heldUntil: new Date(at + holdMs) })
  // It waits for a payment that never came; the worker ends it.
  if (index % 13 === 5) return
  const beginsOn = await beginOf(tx, { who, card: product, today: businessDayOf(at) })
  await activateCard(tx, { id: cardId, paidBy: 'balance', at: new Date(at), beginsOn })
  const sale = { ...who, cardId, cents: product.price_cents, paidBy: 'balance' } as const
  await post(cardSale({ ...sale, at }))
  if (index % 11 !== 3) return
  const refundedAt = Math.min(now, at + 2 * hourMs)
  const back = {
    id: cardId,
    used: 0,
    cents: product.price_cents,
    at: new Date(refundedAt),
    by: clerk,
    reason: '买错卡',
  }
  await markRefunded(tx, back)
  await post(cardRefund({ ...sale, at: refundedAt }))
}

async function giveOne({ tx, agentId, riderId, index, mall, at, now }: Buyer): Promise<void> {
  const requestId = `history-gift-${riderId}`
  const given = { agentId, riderId, productId: mall.giftId, at: new Date(at), requestId }
  const cardId = await giveCard(tx, given)
  if (index % 2 === 0) return
  const reason = '邀请的好友退款，奖励收回'
  await endGivenCard(tx, { agentId, cardId, at: new Date(Math.min(now, at + dayMs)), by: clerk, reason })
}
