import { expect, it } from 'vitest'
import { benefitSchema, type Benefit } from '@saddle/contract/riding/benefits.ts'
import type { ChargeLine } from '@saddle/contract/riding/price.ts'
import type { Tx } from '#kit/db/pool.ts'
import { createBenefits, type BenefitSource, type BenefitUse } from './benefits.ts'

// The sources of these tests touch no database.
const tx = {} as Tx
const ride = { agentId: 3, riderId: 7, startedAt: 0, endedAt: 60_000 }
const card = benefitSchema.parse({ kind: 'riding_card', id: 1, name: '周卡', effect: { off: 'minutes', minutes: 30 } })
const coupon = benefitSchema.parse({ kind: 'coupon', id: 1, name: '新人券', effect: { off: 'cents', cents: 200 } })
const usedUp = { kind: 'riding_card', id: 2, name: '日卡', why: 'used_up' } as const
const line = (code: ChargeLine['code'], amountCents: number, benefit: string | null = null): ChargeLine => ({
  code,
  reason: '',
  day: null,
  quantity: 1,
  unitCents: amountCents,
  amountCents,
  benefit,
  bearer: benefit === null ? null : 'company',
})

function source(benefit: Benefit, uses: BenefitUse[]): BenefitSource {
  const skipped = benefit.kind === 'riding_card' ? [usedUp] : []
  return {
    kinds: [benefit.kind],
    held: () => Promise.resolve({ benefits: [benefit], skipped }),
    recordUses: (_, used) => {
      uses.push(...used.uses)
      return Promise.resolve(
        used.uses.some(({ savedCents }) => savedCents > 200) ? [{ id: 1, why: 'budget_spent' }] : [],
      )
    },
  }
}

it('asks every source, and tells each what its own benefits have saved', async () => {
  const [ofCards, ofCoupons]: [BenefitUse[], BenefitUse[]] = [[], []]
  const benefits = createBenefits()
  benefits.register(source(card, ofCards))
  benefits.register(source(coupon, ofCoupons))
  expect(await benefits.held(tx, ride)).toEqual({ benefits: [card, coupon], skipped: [usedUp] })
  const lines = [line('time', 500), line('coupon', -150, 'coupon:1'), line('fee_benefit', -50, 'coupon:1')]
  const used = { agentId: 3, riderId: 7, startedAt: 0, endedAt: 60_000, orderId: 9 }
  expect(await benefits.use(tx, { ...used, lines })).toEqual([])
  expect(ofCards).toEqual([])
  expect(ofCoupons).toEqual([{ id: 1, savedCents: 200 }])
  const dearer = [line('riding_card', -100, 'riding_card:1'), line('coupon', -201, 'coupon:1')]
  expect(await benefits.use(tx, { ...used, lines: dearer }), 'the card of the same number was not refused').toEqual([
    { kind: 'coupon', id: 1, why: 'budget_spent' },
  ])
})

it('refuses two sources of the same kind', () => {
  const benefits = createBenefits()
  benefits.register(source(card, []))
  expect(() => benefits.register(source(card, []))).toThrow('two sources have the benefit riding_card')
})
