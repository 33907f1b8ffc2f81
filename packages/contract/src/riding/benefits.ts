import { z } from 'zod'
import { plainTextSchema } from '#contract/answers.ts'
import { businessOffsetMs } from '#contract/time.ts'

/**
 * What lowers the charge of a ride: riding cards, discount cards, activities and coupons. All are one thing to the engine
 * that prices a ride: an effect, the conditions under which it holds, and who bears what it takes off.
 */

const centsSchema = z.int().min(0).max(1_000_000)

/** In the order in which they apply: a card before a coupon. At most one of each kind lowers a charge. */
export const benefitKinds = ['riding_card', 'discount_card', 'activity', 'coupon'] as const
export type BenefitKind = (typeof benefitKinds)[number]
export const benefitKindLabels: Readonly<Record<BenefitKind, string>> = {
  riding_card: '骑行卡',
  discount_card: '折扣卡',
  activity: '骑行活动',
  coupon: '优惠券',
}

/** What is kept with an order as skipped: benefits that lower the charge, and lots of gift balance, which pay for what is left. */
export const skippedKinds = [...benefitKinds, 'gift'] as const
export const skippedKindLabels: Readonly<Record<(typeof skippedKinds)[number], string>> = {
  ...benefitKindLabels,
  gift: '赠送余额',
}

/** Who bears what a benefit takes off; the split of a company's income reads it. */
export const bearers = ['company', 'platform', 'partner'] as const
export type Bearer = (typeof bearers)[number]
export const bearerLabels: Readonly<Record<Bearer, string>> = { company: '加盟商', platform: '平台', partner: '合作方' }

export const effectSchema = z.discriminatedUnion('off', [
  /** The start fee and every unit of time that begins within the first minutes. */
  z.strictObject({ off: z.literal('minutes'), minutes: z.int().min(1).max(1_440) }),
  z.strictObject({ off: z.literal('start') }),
  /** A percentage of what riding still costs, up to so many cents. */
  z.strictObject({
    off: z.literal('percent'),
    percent: z.int().min(1).max(100),
    maxCents: centsSchema.min(1).nullable(),
  }),
  z.strictObject({ off: z.literal('cents'), cents: centsSchema.min(1) }),
  /** The fee for where the vehicle was returned. */
  z.strictObject({ off: z.literal('fee') }),
])
export type BenefitEffect = z.output<typeof effectSchema>

export const weathers = ['fair', 'rain', 'snow', 'heat'] as const
export type Weather = (typeof weathers)[number]
export const weatherLabels: Readonly<Record<Weather, string>> = { fair: '晴好', rain: '雨', snow: '雪', heat: '高温' }

const minuteOfDay = z.int().min(0).max(1_440)

/** Where and when a benefit holds. An empty list or null: everywhere, always. */
export const benefitConditionsSchema = z.strictObject({
  areaIds: z.array(z.int().positive()).max(500).default([]),
  /** 1 is Monday, 7 is Sunday, by business time; the ride begins then. */
  weekdays: z.array(z.int().min(1).max(7)).max(7).default([]),
  /** Hours of the day in which the ride begins. They may go on beyond midnight: then `from` is the later of the two. */
  hours: z.strictObject({ from: minuteOfDay, to: minuteOfDay }).nullable().default(null),
  /** Vehicle models by name. */
  models: z.array(plainTextSchema.min(1).max(40)).max(100).default([]),
  weathers: z.array(z.enum(weathers)).max(weathers.length).default([]),
  /** The ride ended in a parking place. */
  parked: z.boolean().default(false),
  minMinutes: z.int().min(0).max(1_440).default(0),
  minMetres: z.int().min(0).max(100_000).default(0),
})
export type BenefitConditions = z.output<typeof benefitConditionsSchema>

/** Whether a ride that begins at a moment is within weekdays and hours. */
export function beginsWithin(
  { weekdays, hours }: Pick<BenefitConditions, 'weekdays' | 'hours'>,
  startedAt: number,
): boolean {
  const local = new Date(startedAt + businessOffsetMs)
  const weekday = local.getUTCDay() === 0 ? 7 : local.getUTCDay()
  if (weekdays.length > 0 && !weekdays.includes(weekday)) return false
  if (hours === null) return true
  const minute = local.getUTCHours() * 60 + local.getUTCMinutes()
  return hours.from <= hours.to ? minute >= hours.from && minute < hours.to : minute >= hours.from || minute < hours.to
}

/** Kind and number of a benefit at its source: `coupon:17`. */
export const benefitReferenceSchema = z.string().regex(/^[a-z_]{3,20}:\d{1,16}$/)

export const benefitSchema = z.strictObject({
  kind: z.enum(benefitKinds),
  /** Its number at its source, such as the coupon's. */
  id: z.int().nonnegative(),
  name: plainTextSchema.trim().min(1).max(40),
  effect: effectSchema,
  /** What riding must cost at least, after what was applied before it. */
  fromCents: centsSchema.default(0),
  conditions: benefitConditionsSchema.default(() => benefitConditionsSchema.parse({})),
  bearer: z.enum(bearers).default('company'),
  /** Nothing else lowers the same charge. */
  alone: z.boolean().default(false),
  /** When it lapses, in milliseconds since 1970. Of two that take off as much, the one that lapses first is used. */
  endsAt: z.int().nonnegative().nullable().default(null),
})
export type Benefit = z.output<typeof benefitSchema>

export const skipReasons = [
  'area',
  'time',
  'model',
  'weather',
  'place',
  'too_short',
  'below_minimum',
  'nothing_left',
  'other_is_better',
  'stands_alone',
  'used_up',
  'used_up_today',
  'used_up_device',
  'budget_spent',
  'revoked',
  'lapsed',
  'stopped',
] as const
export type SkipReason = (typeof skipReasons)[number]
export const skipReasonLabels: Readonly<Record<SkipReason, string>> = {
  area: '不适用于该服务区',
  time: '不在适用时间内',
  model: '不适用于该车型',
  weather: '不符合天气条件',
  place: '未在停车点内还车',
  too_short: '骑行时长或里程不足',
  below_minimum: '骑行费未达到使用门槛',
  nothing_left: '已没有可抵扣的费用',
  other_is_better: '另一项优惠抵扣更多',
  stands_alone: '不与其他优惠同享',
  used_up: '可用次数已用完',
  used_up_today: '今日可用次数已用完',
  used_up_device: '本手机可用次数已用完',
  budget_spent: '活动预算已用完',
  revoked: '已被收回',
  lapsed: '已过期',
  stopped: '活动已停止',
}

/** A lot of gift balance that paid for an order. */
export const usedGiftSchema = z.object({
  lotId: z.int().positive(),
  name: z.string(),
  cents: z.int(),
  /** Of that: what lapsed when the order was refunded. */
  lapsedCents: z.int(),
  endsAt: z.int().nonnegative().nullable(),
  bearer: z.enum(bearers),
  activityId: z.int().positive().nullable(),
})
export type UsedGift = z.output<typeof usedGiftSchema>

/** A benefit that the rider had and that did not lower the charge, with the reason. */
export const skippedBenefitSchema = z.strictObject({
  kind: z.enum(skippedKinds),
  id: z.int().nonnegative(),
  name: z.string(),
  why: z.enum(skipReasons),
})
export type SkippedBenefit = z.output<typeof skippedBenefitSchema>
