import { z } from 'zod'
import { answerOf, idSchema, instantSchema } from '#contract/answers.ts'
import { basePath } from '#contract/constants.ts'
import { defineEndpoints } from '#contract/endpoint.ts'
import { fields, list } from '#contract/list.ts'
import { riderSchema } from '#contract/rider/riders.ts'

/** What an activity or a campaign brought: the riders it reached beside those that were held out of it at random. */

export const effectSubjects = ['campaign', 'activity'] as const
export type EffectSubject = (typeof effectSubjects)[number]

/** Days after a rider was reached that count; those before are compared, so that the interval is narrower. */
export const effectDays = 28
/** Of 100 such intervals about 98 contain the true difference. */
export const effectConfidence = 98
/** Riders of either group below which nothing is said. */
export const effectRidersMin = 50

export const effectVerdicts = ['no_holdout', 'few', 'up', 'down', 'none'] as const
export type EffectVerdict = (typeof effectVerdicts)[number]
export const effectVerdictLabels: Readonly<Record<EffectVerdict, string>> = {
  no_holdout: '没有对照组，无法衡量',
  few: '用户还不够多',
  up: '确有提升',
  down: '确有下降',
  none: '没有看到差异',
}

const differenceSchema = z.object({
  /** Per rider of each group; of the treated one after it was adjusted by the time before. */
  treated: z.number(),
  heldOut: z.number(),
  difference: z.number(),
  low: z.number(),
  high: z.number(),
})
export type EffectDifference = z.infer<typeof differenceSchema>

export const effectSchema = z.object({
  verdict: z.enum(effectVerdicts),
  treatedRiders: z.int(),
  heldOutRiders: z.int(),
  /** Null where nothing can be said. */
  rides: differenceSchema.nullable(),
  cents: differenceSchema.nullable(),
  /** Rides more of all riders that were reached. */
  extraRides: z.object({ value: z.number(), low: z.number(), high: z.number() }).nullable(),
  costCents: z.int(),
  /** Null: no ride more is certain. `high` null: the cost of one may be of any height. */
  costPerRideCents: z.object({ value: z.number(), low: z.number(), high: z.number().nullable() }).nullable(),
  from: instantSchema.nullable(),
  to: instantSchema.nullable(),
})
export type Effect = z.infer<typeof effectSchema>

/** The two groups that are compared. */
export const effectArms = ['treated', 'heldOut'] as const
export type EffectArm = (typeof effectArms)[number]

export const effectRiderSchema = riderSchema.pick({ id: true, agentId: true, phone: true, registeredAt: true }).extend({
  /** In the days before the activity reached the rider, and since, as the comparison counts them. */
  ridesBefore: z.int(),
  rides: z.int(),
  cents: z.int(),
})
export type EffectRider = z.infer<typeof effectRiderSchema>

/** The riders of an activity whose rides are compared. */
export const effectRiderList = list({
  row: effectRiderSchema,
  filter: z.strictObject({ activityId: idSchema, arm: z.enum(effectArms) }),
  sorts: { registered: 'desc' },
})

export const effectRiderFields = fields<EffectRider>()({
  id: '用户编号',
  phone: '手机号',
  ridesBefore: { title: '之前骑行', as: 'count' },
  rides: { title: '期间骑行', as: 'count' },
  cents: { title: '期间消费', as: 'cents' },
  registeredAt: { title: '注册时间', as: 'instant' },
})

const rights = {
  host: 'platform',
  permission: ['1701', '1703', '1706', '1707', '1709', '1710', 'yqyl'],
  scope: 'agent',
} as const

export const effectEndpoints = defineEndpoints({
  marketingEffect: {
    ...rights,
    method: 'GET',
    idempotency: 'none',
    path: `${basePath}/marketing/effect`,
    summary: '一项活动或一次推送带来的骑行：与对照组相比的差异及 98% 区间',
    input: z.object({ of: z.enum(effectSubjects), id: idSchema }),
    output: answerOf(effectSchema),
  },
  listEffectRiders: {
    ...rights,
    ...effectRiderList.page,
    path: `${basePath}/marketing/effect/riders`,
    summary: '衡量一项活动效果时比较的用户：触达组或对照组，之前与期间的骑行',
  },
  exportEffectRiders: {
    ...rights,
    ...effectRiderList.file,
    path: `${basePath}/marketing/effect/riders/export`,
    summary: '导出衡量一项活动效果时比较的用户（CSV）：手机号只含一部分',
  },
})
