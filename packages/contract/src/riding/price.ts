import { z } from 'zod'
import { plainTextSchema } from '#contract/answers.ts'
import { bearers, benefitReferenceSchema } from './benefits.ts'

/** What a ride costs: the rules of one price version. Money is integer cents, times are business time. */

export const moneyMaxCents = 1_000_000
const centsSchema = z.int().min(0).max(moneyMaxCents)
const minuteOfDay = z.int().min(0).max(1_440)

/** From a minute of the ride on, every begun unit of so many minutes costs so much, until the next step begins. */
const timeStepSchema = z.strictObject({
  fromMinute: z.int().min(0).max(1_440),
  everyMinutes: z.int().min(1).max(1_440),
  cents: centsSchema,
})

/** Hours at which riding costs more. A band may go on beyond midnight: then `fromMinute` is the later of the two. */
const bandSchema = z.strictObject({
  name: plainTextSchema.trim().min(1).max(20),
  /** 1 is Monday, 7 is Sunday: the day on which the charged minute lies. */
  weekdays: z.array(z.int().min(1).max(7)).min(1).max(7),
  fromMinute: minuteOfDay,
  toMinute: minuteOfDay,
  surchargePercent: z.int().min(1).max(300),
})

export const timeStepsMax = 6
export const bandsMax = 6

export const priceRulesSchema = z
  .strictObject({
    /** A ride that is over sooner costs nothing but the fees of its return. */
    freeSeconds: z.int().min(0).max(600),
    startCents: centsSchema,
    /** The first one begins where the minutes end that the start fee covers. */
    timeSteps: z.array(timeStepSchema).min(1).max(timeStepsMax),
    /** From so many metres on, every begun unit of so many metres. */
    distance: z
      .strictObject({ fromM: z.int().min(0).max(100_000), everyM: z.int().min(100).max(100_000), cents: centsSchema })
      .nullable(),
    bands: z.array(bandSchema).max(bandsMax),
    /** What riding itself may cost a rider within one calendar day; fees and insurance come on top. */
    dayCapCents: centsSchema.nullable(),
    insuranceCents: centsSchema,
    outOfPlaceCents: centsSchema,
    outsideAreaCents: centsSchema,
    noStopCents: centsSchema,
    /** False: in a no-stop zone a ride cannot be ended at all. */
    noStopReturnAllowed: z.boolean(),
  })
  .refine(
    ({ timeSteps }) =>
      timeSteps.every((step, at) => at === 0 || step.fromMinute > (timeSteps[at - 1]?.fromMinute ?? 0)),
    {
      error: '阶梯必须按分钟递增',
      path: ['timeSteps'],
    },
  )
export type PriceRules = z.output<typeof priceRulesSchema>

export const returnKinds = ['in_place', 'out_of_place', 'outside_area', 'no_stop', 'unknown'] as const
export type ReturnKind = (typeof returnKinds)[number]
export const returnKindLabels: Readonly<Record<ReturnKind, string>> = {
  in_place: '停车点内',
  out_of_place: '停车点外',
  outside_area: '服务区外',
  no_stop: '禁停区内',
  unknown: '位置未知',
}

export const chargeCodes = [
  'start',
  'time',
  'distance',
  'band',
  'day_cap',
  'riding_card',
  'discount_card',
  'activity',
  'coupon',
  'insurance',
  'out_of_place',
  'outside_area',
  'no_stop',
  'fee_benefit',
  'waived',
] as const
export type ChargeCode = (typeof chargeCodes)[number]
export const chargeCodeLabels: Readonly<Record<ChargeCode, string>> = {
  start: '起步价',
  time: '时长费',
  distance: '里程费',
  band: '时段加价',
  day_cap: '日封顶减免',
  riding_card: '骑行卡抵扣',
  discount_card: '折扣卡优惠',
  activity: '活动优惠',
  coupon: '优惠券抵扣',
  insurance: '骑行保险',
  out_of_place: '停车点外调度费',
  outside_area: '服务区外调度费',
  no_stop: '禁停区还车费',
  fee_benefit: '还车费用优惠',
  waived: '还车费用减免',
}

export const chargeLineSchema = z.object({
  code: z.enum(chargeCodes),
  /** Why, as the rider may read it. */
  reason: z.string(),
  /** The calendar day that the line belongs to, by business time; null where it belongs to the ride as a whole. */
  day: z.string().nullable(),
  quantity: z.int(),
  unitCents: z.int(),
  amountCents: z.int(),
  /** The benefit that the line comes from, such as `coupon:17`; null for every other line. */
  benefit: benefitReferenceSchema.nullable(),
  /** Who bears what a benefit takes off; null for every other line. */
  bearer: z.enum(bearers).nullable(),
})
export type ChargeLine = z.infer<typeof chargeLineSchema>
