import { isBudgetUsedUp } from '@saddle/contract/marketing/activities.ts'
import { couponCodeAlphabet, couponCodeLength, type CouponState } from '@saddle/contract/marketing/coupons.ts'
import type { CouponSkipReason } from '@saddle/contract/marketing/couponSkips.ts'
import type { CouponTerms } from '@saddle/contract/marketing/couponTerms.ts'
import { benefitSchema, type Benefit, type SkipReason } from '@saddle/contract/riding/benefits.ts'
import { addDays, businessDayEnd, businessDayOf } from '@saddle/contract/time.ts'
import type { Random } from '#kit/random.ts'

/** Until when a coupon is valid that a rider gets now. So many days reach to the end of the last one. */
export function endOf({ validDays, validUntil }: Pick<CouponTerms, 'validDays' | 'validUntil'>, nowMs: number): number {
  if (validDays !== null) return businessDayEnd(addDays(businessDayOf(nowMs), validDays))
  if (validUntil === null) throw new Error('terms without an end')
  return validUntil
}

/** A coupon as the engine takes it. */
export function benefitOf(id: number, terms: CouponTerms, endsAt: number): Benefit {
  const { name, effect, fromCents, conditions, bearer, alone } = terms
  return benefitSchema.parse({ kind: 'coupon', id, name, effect, fromCents, conditions, bearer, alone, endsAt })
}

/** Whether the budget of a kind counts as used up, whatever a ride costs. */
export function isSpent(template: {
  readonly budget_cents: number | null
  readonly budget_uses: number | null
  readonly used_cents: number
  readonly uses: number
}): boolean {
  const { budget_cents: budgetCents, budget_uses: budgetUses, used_cents: usedCents, uses } = template
  return isBudgetUsedUp({ budgetCents, budgetUses, usedCents, uses })
}

/** Why a coupon that was open a moment ago cannot be used. */
export function whyNotOpen(state: CouponState): SkipReason {
  if (state === 'revoked') return 'revoked'
  return state === 'used' ? 'used_up' : 'lapsed'
}

/** Whom of a list a coupon is issued to; of everybody else it says why not, by the position in the list. */
export function chooseRiders(options: {
  /** Undefined: nobody is known by this number. */
  readonly wanted: readonly (number | undefined)[]
  /** The riders of the company that are there, and whether their account is closed. */
  readonly known: ReadonlyMap<number, { readonly isClosed: boolean }>
  /** Open coupons of the kind that they hold. */
  readonly held: ReadonlyMap<number, number>
  readonly riderMax: number | null
}): { readonly riderIds: number[]; readonly skipped: { readonly at: number; readonly why: CouponSkipReason }[] } {
  const { wanted, known, held, riderMax } = options
  const chosen = new Set<number>()
  const skipped: { at: number; why: CouponSkipReason }[] = []
  const whyNot = (id: number | undefined): CouponSkipReason | null => {
    const rider = id === undefined ? undefined : known.get(id)
    if (id === undefined || rider === undefined) return 'unknown'
    if (chosen.has(id)) return 'twice'
    if (rider.isClosed) return 'closed'
    return riderMax !== null && (held.get(id) ?? 0) >= riderMax ? 'cap' : null
  }
  for (const [at, id] of wanted.entries()) {
    const why = whyNot(id)
    if (why !== null) skipped.push({ at, why })
    else if (id !== undefined) chosen.add(id)
  }
  return { riderIds: [...chosen], skipped }
}

/** Bytes from here on would make the first characters of the alphabet more frequent. */
const fairBytes = Math.floor(256 / couponCodeAlphabet.length) * couponCodeAlphabet.length
const drawsMax = 64

/** So many different codes that nobody can guess. */
export function newCodes(random: Random, count: number): string[] {
  const codes = new Set<string>()
  for (let tries = 0; codes.size < count; tries += 1) {
    if (tries > count + drawsMax) throw new Error('the random source repeats itself')
    codes.add(newCode(random))
  }
  return [...codes]
}

/** A code that nobody can guess and that can be read out. */
export function newCode(random: Random, length = couponCodeLength): string {
  let code = ''
  for (let draw = 0; draw < drawsMax; draw += 1) {
    for (const byte of random.bytes(length)) {
      if (byte < fairBytes && code.length < length) code += couponCodeAlphabet[byte % couponCodeAlphabet.length] ?? ''
    }
    if (code.length === length) return code
  }
  throw new Error('the random source repeats itself')
}
