import { expect, it } from 'vitest'
import { splitTermsSchema, wholeBasisPoints, type SplitTerms } from '@saddle/contract/finance/splitTerms.ts'
import { divide, splitRefund, splitRide, type Shares, type SplitInput } from './rules.ts'

/** Numbers of a seed, each in [0, below). */
function numbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const sumOf = (shares: Shares): number =>
  shares.feeCents +
  shares.platformBorneCents +
  shares.partnerBorneCents +
  shares.ownerCents +
  shares.partyCents.reduce((sum, cents) => sum + cents, 0)

function termsOf(below: (n: number) => number): SplitTerms {
  let points = wholeBasisPoints
  const parties = Array.from({ length: below(11) }, (_, index) => {
    const basisPoints = Math.min(1 + below(4_000), points)
    const isFixed = below(3) === 0 || basisPoints < 1
    if (!isFixed) points -= basisPoints
    const share = isFixed ? { of: 'ride', cents: 1 + below(500) } : { of: 'rest', basisPoints }
    return { partyId: index + 1, name: `p${index}`, share }
  })
  const feeBearer = below(2) === 0 ? 'company' : 'shared'
  return splitTermsSchema.parse({ feeBasisPoints: below(1_001), feeBearer, parties })
}

function inputOf(below: (n: number) => number): SplitInput {
  const paidCents = below(4) === 0 ? below(10) : below(100_000)
  const borne = (): number => (below(3) === 0 ? below(2_000) : 0)
  return { paidCents, channelCents: below(paidCents + 1), platformBorneCents: borne(), partnerBorneCents: borne() }
}

it('divides 100,000 random rides to the cent, each percentage within one cent of exact', () => {
  const below = numbers(20_261_122)
  const faults: string[] = []
  for (let n = 0; n < 100_000; n += 1) {
    const terms = termsOf(below)
    const input = inputOf(below)
    const shares = splitRide(terms, input)
    if (sumOf(shares) !== input.paidCents) faults.push(`round ${n}: ${JSON.stringify({ terms, input, shares })}`)
    const fixed = terms.parties.reduce(
      (sum, { share }, at) => sum + (share.of === 'ride' ? (shares.partyCents[at] ?? 0) : 0),
      0,
    )
    const borne = input.platformBorneCents + input.partnerBorneCents
    const rest = input.paidCents + borne - (terms.feeBearer === 'shared' ? shares.feeCents : 0) - fixed
    for (const [at, { share }] of terms.parties.entries()) {
      const cents = shares.partyCents[at] ?? 0
      const exact = share.of === 'rest' ? (rest * share.basisPoints) / wholeBasisPoints : Math.min(share.cents, cents)
      if (Math.abs(cents - exact) >= 1) faults.push(`round ${n}: ${cents} instead of ${exact}`)
    }
  }
  expect(faults).toEqual([])
})

it('takes back by the same ratio, and everything once all is refunded, in any number of refunds', () => {
  const below = numbers(7)
  const faults: string[] = []
  for (let n = 0; n < 20_000; n += 1) {
    const terms = termsOf(below)
    const input = inputOf(below)
    if (input.paidCents === 0) continue
    const shares = splitRide(terms, input)
    let beforeCents = 0
    const left = [...shares.partyCents, shares.ownerCents]
    while (beforeCents < input.paidCents) {
      const cents = 1 + below(input.paidCents - beforeCents)
      const taken = splitRefund({ paidCents: input.paidCents, shares }, { beforeCents, cents })
      if (sumOf(taken) !== -cents) faults.push(`round ${n}: ${sumOf(taken)} instead of ${-cents}`)
      for (const [at, part] of [...taken.partyCents, taken.ownerCents].entries()) left[at] = (left[at] ?? 0) + part
      beforeCents += cents
    }
    if (left.some((cents) => cents !== 0)) faults.push(`round ${n}: ${left.join()} are left`)
  }
  expect(faults).toEqual([])
})

it('gives cents that are left to the largest remainders, and the first of equal ones', () => {
  expect(divide(100, [1, 1, 1])).toEqual([34, 33, 33])
  expect(divide(10, [6_000, 2_500, 1_500])).toEqual([6, 3, 1])
  expect(divide(-100, [1, 1, 1])).toEqual([-34, -33, -33])
  expect(divide(0, [1, 2])).toEqual([0, 0])
})

it('takes fixed sums in their order as far as there is enough, and lets the company pay the fee', () => {
  const terms = splitTermsSchema.parse({
    feeBasisPoints: 60,
    parties: [
      { partyId: 1, name: '平台', share: { of: 'ride', cents: 30 } },
      { partyId: 2, name: '场地', share: { of: 'ride', cents: 50 } },
      { partyId: 3, name: '合伙人', share: { of: 'rest', basisPoints: 2_000 } },
    ],
  })
  const none = { platformBorneCents: 0, partnerBorneCents: 0 }
  expect(splitRide(terms, { paidCents: 60, channelCents: 0, ...none })).toMatchObject({
    partyCents: [30, 30, 0],
    ownerCents: 0,
  })
  expect(splitRide(terms, { paidCents: 580, channelCents: 580, ...none })).toMatchObject({
    feeCents: 3,
    partyCents: [30, 50, 100],
    ownerCents: 397,
  })
})

it('pays the company as if the rider had paid what the platform bears', () => {
  const terms = splitTermsSchema.parse({
    parties: [{ partyId: 1, name: '平台', share: { of: 'rest', basisPoints: 1_000 } }],
  })
  const input = { paidCents: 300, channelCents: 0, platformBorneCents: 200, partnerBorneCents: 0 }
  expect(splitRide(terms, input)).toMatchObject({ partyCents: [50], ownerCents: 450, platformBorneCents: -200 })
})

it('takes no fixed sum of income that is no ride', () => {
  const terms = splitTermsSchema.parse({
    parties: [
      { partyId: 1, name: 'ground', share: { of: 'ride', cents: 20 } },
      { partyId: 2, name: 'platform', share: { of: 'rest', basisPoints: 1_000 } },
    ],
  })
  const input = { paidCents: 100, channelCents: 0, platformBorneCents: 0, partnerBorneCents: 0 }
  expect(splitRide(terms, input)).toMatchObject({ partyCents: [20, 8], ownerCents: 72 })
  expect(splitRide(terms, { ...input, isRide: false })).toMatchObject({ partyCents: [0, 10], ownerCents: 90 })
})
