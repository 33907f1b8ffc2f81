import { z } from 'zod'
import { instantSchema, plainTextSchema } from '#contract/answers.ts'
import { benefitSchema } from '#contract/riding/benefits.ts'
import { moneyMaxCents } from '#contract/riding/price.ts'

/** What a kind of coupon promises, and what a company spends on it at most. */

export const couponNameMax = 40
export const couponValidDaysMax = 366
export const couponRiderMax = 100
export const couponBudgetMaxCents = 100_000 * moneyMaxCents
export const couponBudgetMaxUses = 100_000_000

const { name, effect, fromCents, conditions, bearer, alone } = benefitSchema.shape

/** Terms as they are stored with each version: effect, conditions and who bears it are the engine's. */
export const couponTermsSchema = z
  .strictObject({
    name,
    effect,
    fromCents,
    conditions,
    bearer,
    /** Whose cost it is when a partner bears it. */
    partner: plainTextSchema.trim().max(40).default(''),
    alone,
    /** So many days from the moment at which a rider gets it, or until a moment: one of the two. */
    validDays: z.int().min(1).max(couponValidDaysMax).nullable(),
    validUntil: instantSchema.nullable(),
    /** Null: no budget. */
    budgetCents: z.int().min(1).max(couponBudgetMaxCents).nullable().default(null),
    budgetUses: z.int().min(1).max(couponBudgetMaxUses).nullable().default(null),
    /** Coupons of this kind that a rider may hold at a time; null: any number. */
    riderMax: z.int().min(1).max(couponRiderMax).nullable().default(null),
    /** Coupons of this kind that riders who were seen on one telephone may get in all; null: any number. */
    deviceMax: z.int().min(1).max(couponRiderMax).nullable().default(null),
  })
  .refine(({ validDays, validUntil }) => (validDays === null) !== (validUntil === null), {
    error: '请填写有效天数或截止时间之一',
    path: ['validDays'],
  })
  .refine(({ bearer: by, partner }) => by !== 'partner' || partner !== '', {
    error: '请填写合作方名称',
    path: ['partner'],
  })
export type CouponTerms = z.output<typeof couponTermsSchema>
