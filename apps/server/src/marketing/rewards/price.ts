import { AppError } from '@saddle/contract/errors.ts'
import type { Reward, RewardRefusal } from '@saddle/contract/marketing/rewards.ts'
import type { Tx } from '#kit/db/pool.ts'
import { rowOf } from '#kit/db/rows.ts'
import { scopeOfAgent } from '#kit/db/scope.ts'
import { givenOnDevices } from '../coupons/devices.ts'
import { heldBy } from '../coupons/issue.ts'
import { termsOf } from '../coupons/store.ts'
import { readTemplate } from '../coupons/templates.ts'
import { areaPrice, selectPrices } from './prices.ts'
import { whyNoCoupon } from './rules.ts'
import { couponWorthCents, isPriceNeeded } from './worth.ts'

/** A reward with its name and worth, and why it cannot be given now. */
export type PricedReward = {
  readonly reward: Reward
  readonly name: string
  readonly cents: number
  readonly refusal: RewardRefusal | null
}

const giftName = '赠送余额'
const productRow = rowOf('card_product', 'p', ['name', 'price_cents', 'state'])

/** Reads what rewards of a company are worth. Throws not_found where it has no such coupon or card. */
export async function priceRewards(
  tx: Tx,
  asked: {
    readonly agentId: number
    readonly riderId: number | null
    readonly rewards: readonly Reward[]
    readonly at: Date
  },
): Promise<PricedReward[]> {
  const priced: PricedReward[] = []
  const counts = new Map<number, number>()
  for (const reward of asked.rewards) {
    if (reward.kind === 'gift') {
      priced.push({ reward, name: giftName, cents: reward.cents, refusal: null })
    } else if (reward.kind === 'card') {
      priced.push(await priceCard(tx, asked.agentId, reward))
    } else {
      const before = counts.get(reward.templateId) ?? 0
      counts.set(reward.templateId, before + reward.count)
      priced.push(await priceCoupon(tx, { ...asked, reward, before }))
    }
  }
  return priced
}

async function priceCard(tx: Tx, agentId: number, reward: Extract<Reward, { kind: 'card' }>): Promise<PricedReward> {
  const { rows } = await productRow.select`
    from card_product p where p.id = ${reward.productId} and p.agent_id = ${agentId}`.execute(tx)
  const [product] = rows
  if (product === undefined) throw new AppError('not_found')
  const refusal = product.state === 'on' || product.state === 'paused' ? null : 'card_off'
  return { reward, name: product.name, cents: product.price_cents, refusal }
}

type AskedCoupon = {
  readonly agentId: number
  readonly riderId: number | null
  readonly at: Date
  readonly reward: Extract<Reward, { kind: 'coupon' }>
  /** Coupons of the kind that the same occasion gives beside. */
  readonly before: number
}

async function priceCoupon(tx: Tx, { agentId, riderId, at, reward, before }: AskedCoupon): Promise<PricedReward> {
  const template = await readTemplate(tx, { id: reward.templateId, scope: scopeOfAgent(agentId) })
  const terms = termsOf(template.terms)
  const held = riderId === null ? 0 : ((await heldBy(tx, { template, riderIds: [riderId], at })).get(riderId) ?? 0)
  const ofDevice =
    riderId === null || template.device_max === null ? 0 : await givenOnDevices(tx, { template, riderId })
  const refusal = whyNoCoupon({ template, terms, held, ofDevice, count: before + reward.count, atMs: at.getTime() })
  const prices = isPriceNeeded(terms) ? (await selectPrices({ agentIds: [agentId], at }).execute(tx)).rows : []
  return { reward, name: terms.name, cents: couponWorthCents(terms, reward.count, prices.map(areaPrice)), refusal }
}
