import { expect, it } from 'vitest'
import type { ChargeLine } from '@saddle/contract/riding/price.ts'
import type { Tx } from '#kit/db/pool.ts'
import { createBenefits, type BenefitSource, type BenefitUse, type HeldBenefit } from './benefits.ts'

// The sources of these tests touch no database.
const tx = {} as Tx
const ride = { agentId: 3, riderId: 7, startedAt: 0 }
const card: HeldBenefit = { id: 1, benefit: { kind: 'riding_card', name: '周卡', freeMinutes: 30 } }
const coupon: HeldBenefit = { id: 1, benefit: { kind: 'coupon', name: '新人券', cents: 200, fromCents: 0 } }
const line = (code: ChargeLine['code'], amountCents: number): ChargeLine => ({
  code,
  reason: '',
  day: null,
  quantity: 1,
  unitCents: amountCents,
  amountCents,
})

function source(held: HeldBenefit, uses: BenefitUse[]): BenefitSource {
  return {
    kinds: [held.benefit.kind],
    held: () => Promise.resolve([held]),
    recordUses: (_, used) => Promise.resolve(void uses.push(...used.uses)),
  }
}

it('asks every source, and tells each what its own benefits have saved', async () => {
  const [ofCards, ofCoupons]: [BenefitUse[], BenefitUse[]] = [[], []]
  const benefits = createBenefits()
  benefits.register(source(card, ofCards))
  benefits.register(source(coupon, ofCoupons))
  const held = await benefits.held(tx, ride)
  expect(held).toEqual([card, coupon])
  const lines = [line('time', 500), line('coupon', -200)]
  const used = await benefits.use(tx, { agentId: 3, startedAt: 0, orderId: 9, held, lines })
  expect(used).toEqual([coupon])
  expect(ofCards).toEqual([])
  expect(ofCoupons).toEqual([{ id: 1, savedCents: 200 }])
})

it('refuses two sources of the same kind', () => {
  const benefits = createBenefits()
  benefits.register(source(card, []))
  expect(() => benefits.register(source(card, []))).toThrow('two sources have the benefit riding_card')
})
