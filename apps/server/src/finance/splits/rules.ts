import { wholeBasisPoints, type SplitTerms } from '@saddle/contract/finance/splitTerms.ts'

/** Money of a ride that is divided, in whole cents. */
export type SplitInput = {
  /** What the rider has paid. */
  readonly paidCents: number
  /** The part of it that came through a payment channel for this ride; its fee is taken of that. */
  readonly channelCents: number
  /** Benefits that the platform or a partner bears: the company is paid as if the rider had paid them. */
  readonly platformBorneCents: number
  readonly partnerBorneCents: number
  /** False: income of no ride, such as cards, of which nobody gets a fixed sum. */
  readonly isRide?: boolean
}

/** What everybody gets. All parts sum to what the rider has paid; a part below zero is owed by that party. */
export type Shares = {
  readonly feeCents: number
  /** The platform's and the partner's cost of benefits that they bear, as parts below or equal to zero. */
  readonly platformBorneCents: number
  readonly partnerBorneCents: number
  /** One for each party of the terms, in their order. */
  readonly partyCents: readonly number[]
  readonly ownerCents: number
}

/**
 * Divides the money of a ride: fee of the channel, then fixed sums in the order of the terms as far as there is enough,
 * then percentages of what is left, each rounded by the largest remainder. The company that owns the ride keeps the rest.
 */
export function splitRide(terms: SplitTerms, input: SplitInput): Shares {
  const { paidCents, channelCents, platformBorneCents, partnerBorneCents, isRide = true } = input
  for (const cents of [paidCents, channelCents, platformBorneCents, partnerBorneCents]) {
    if (!Number.isSafeInteger(cents) || cents < 0) throw new Error(`${cents} cents cannot be divided`)
  }
  if (channelCents > paidCents) throw new Error('a channel has taken in more than was paid')
  const feeCents = Math.round((channelCents * terms.feeBasisPoints) / wholeBasisPoints)
  const isShared = terms.feeBearer === 'shared'
  let rest = paidCents + platformBorneCents + partnerBorneCents - (isShared ? feeCents : 0)
  const partyCents = terms.parties.map(({ share }) => {
    if (share.of === 'rest' || !isRide) return 0
    const cents = Math.min(share.cents, rest)
    rest -= cents
    return cents
  })
  const weights = terms.parties.map(({ share }) => (share.of === 'rest' ? share.basisPoints : 0))
  const owned = wholeBasisPoints - weights.reduce((sum, weight) => sum + weight, 0)
  const parts = divide(rest, [...weights, owned])
  return {
    feeCents,
    platformBorneCents: platformBorneCents === 0 ? 0 : -platformBorneCents,
    partnerBorneCents: partnerBorneCents === 0 ? 0 : -partnerBorneCents,
    partyCents: partyCents.map((cents, at) => cents + (parts[at] ?? 0)),
    ownerCents: (parts.at(-1) ?? 0) - (isShared ? 0 : feeCents),
  }
}

/**
 * Divides cents by weights that are not all zero: each part is rounded down, then the cents that are left go to the largest
 * remainders, the first of equal ones. Parts sum to the whole, and each is less than one cent from exact.
 */
export function divide(cents: number, weights: readonly number[]): number[] {
  const whole = weights.reduce((sum, weight) => sum + weight, 0)
  const isExact = Number.isSafeInteger(cents * whole)
  if (!isExact) throw new Error(`${cents} cents are too many to be divided`)
  const sign = cents < 0 ? -1 : 1
  const size = Math.abs(cents)
  const parts = weights.map((weight) => Math.floor((size * weight) / whole))
  let left = size - parts.reduce((sum, part) => sum + part, 0)
  if (left > 0) {
    const remainders = weights.map((weight, at) => ({ at, remainder: (size * weight) % whole }))
    remainders.sort((a, b) => b.remainder - a.remainder || a.at - b.at)
    for (const { at } of remainders) {
      if (left === 0) break
      parts[at] = (parts[at] ?? 0) + 1
      left -= 1
    }
  }
  return sign === 1 ? parts : parts.map((part) => (part === 0 ? 0 : -part))
}

/**
 * What a refund takes back from everybody: the difference between what the shares have to be after it and what they were
 * before. So refunds of a ride in any number take back each share exactly once the whole is refunded.
 */
export function splitRefund(
  charged: { readonly paidCents: number; readonly shares: Shares },
  refund: { readonly beforeCents: number; readonly cents: number },
): Shares {
  const { paidCents, shares } = charged
  const { beforeCents, cents } = refund
  if (cents <= 0 || beforeCents < 0 || beforeCents + cents > paidCents) throw new Error(`a refund of ${cents} cents`)
  const before = takenBack(shares, { paidCents, cents: beforeCents })
  const after = takenBack(shares, { paidCents, cents: beforeCents + cents })
  const less = listOf(after).map((part, at) => (listOf(before)[at] ?? 0) - part || 0)
  return sharesOf(less)
}

const listOf = ({ feeCents, platformBorneCents, partnerBorneCents, partyCents, ownerCents }: Shares): number[] => [
  feeCents,
  platformBorneCents,
  partnerBorneCents,
  ...partyCents,
  ownerCents,
]

function sharesOf(list: readonly number[]): Shares {
  const [feeCents = 0, platformBorneCents = 0, partnerBorneCents = 0, ...rest] = list
  const ownerCents = rest.at(-1) ?? 0
  return { feeCents, platformBorneCents, partnerBorneCents, partyCents: rest.slice(0, -1), ownerCents }
}

/**
 * The part of each share that belongs to so much of the whole: rounded toward zero, and the cents that are missing to the
 * refund are taken from the largest remainders. The fee of the channel goes back by the same ratio.
 */
function takenBack(shares: Shares, { paidCents, cents }: { paidCents: number; cents: number }): Shares {
  const exact = listOf(shares).map((share) => ({ whole: Math.trunc((share * cents) / paidCents), share }))
  const parts = exact.map(({ whole }) => whole || 0)
  let left = cents - parts.reduce((sum, part) => sum + part, 0)
  const step = Math.sign(left)
  const order = exact
    .map(({ share, whole }, at) => ({ at, remainder: (share * cents) / paidCents - whole }))
    .sort((a, b) => step * (b.remainder - a.remainder) || a.at - b.at)
  for (const { at } of order) {
    if (left === 0) break
    parts[at] = (parts[at] ?? 0) + step
    left -= step
  }
  return sharesOf(parts)
}
