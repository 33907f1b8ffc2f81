import { z } from 'zod'
import { answerOf, idSchema, instantSchema } from '#contract/answers.ts'
import { basePath } from '#contract/constants.ts'
import { defineEndpoints } from '#contract/endpoint.ts'

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

export const effectEndpoints = defineEndpoints({
  marketingEffect: {
    host: 'platform',
    permission: ['1701', '1703', '1706', '1707', '1709', '1710', 'yqyl'],
    scope: 'agent',
    method: 'GET',
    idempotency: 'none',
    path: `${basePath}/marketing/effect`,
    summary: '一项活动或一次推送带来的骑行：与对照组相比的差异及 98% 区间',
    input: z.object({ of: z.enum(effectSubjects), id: idSchema }),
    output: answerOf(effectSchema),
  },
})
