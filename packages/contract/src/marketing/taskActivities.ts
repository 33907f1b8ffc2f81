import { z } from 'zod'
import { answerOf, answeredIdSchema, idSchema, instantSchema } from '#contract/answers.ts'
import { basePath, phonePattern } from '#contract/constants.ts'
import { defineEndpoints } from '#contract/endpoint.ts'
import { benefitConditionsSchema } from '#contract/riding/benefits.ts'
import { moneyMaxCents } from '#contract/riding/price.ts'
import { activityCalls, activityPreviewSchema } from './activities.ts'
import { rewardDelayMaxHours } from './fixedActivities.ts'
import { rewardKinds, rewardsSchema } from './rewards.ts'

/** Custom activities: so many rides, minutes, metres or days in so many days, with a reward for each level. */

export const taskMeasures = ['rides', 'minutes', 'metres', 'days'] as const
export type TaskMeasure = (typeof taskMeasures)[number]
export const taskMeasureLabels: Readonly<Record<TaskMeasure, string>> = {
  rides: '骑行次数',
  minutes: '骑行分钟',
  metres: '骑行距离（米）',
  days: '骑行天数',
}

export const taskDaysMax = 92
export const taskLevelsMax = 5
export const taskTargetMax = 1_000_000

const { hours, weekdays, minMinutes, minMetres } = benefitConditionsSchema.shape

export const taskLevelSchema = z.strictObject({
  target: z.int().min(1).max(taskTargetMax),
  rewards: rewardsSchema,
})
export type TaskLevel = z.output<typeof taskLevelSchema>

export const taskTermsSchema = z
  .strictObject({
    measure: z.enum(taskMeasures),
    /** A round is so many business days; the first begins with the activity. */
    days: z.int().min(1).max(taskDaysMax),
    /** Each level above the one before. */
    levels: z.array(taskLevelSchema).min(1).max(taskLevelsMax),
    /** Which rides count. */
    rides: z
      .strictObject({
        hours,
        weekdays,
        minMinutes,
        minMetres,
        minCents: z.int().min(0).max(moneyMaxCents).default(0),
      })
      .prefault({}),
    /** False: only the first round in which a rider rides. */
    repeats: z.boolean().default(true),
    delayHours: z.int().min(0).max(rewardDelayMaxHours).default(0),
  })
  .refine(({ levels }) => levels.every(({ target }, index) => target > (levels[index - 1]?.target ?? 0)), {
    error: '每一级的目标应高于上一级',
    path: ['levels'],
  })
  .refine(({ measure, days, levels }) => measure !== 'days' || levels.every(({ target }) => target <= days), {
    error: '骑行天数的目标不能超过周期天数',
    path: ['levels'],
  })
export type TaskTerms = z.output<typeof taskTermsSchema>

const path = `${basePath}/marketing/taskActivity`
const calls = activityCalls({ path, permission: ['1710'], terms: taskTermsSchema, title: '自定义活动' })

/** What it would have done, and how many rounds of riders would have reached each level. */
export const taskPreviewSchema = activityPreviewSchema.extend({
  levels: z.array(z.object({ target: z.int(), reached: z.int(), costCents: z.int() })),
})
export type TaskPreview = z.infer<typeof taskPreviewSchema>

export const taskActivityEndpoints = defineEndpoints({
  listTaskActivities: calls.list,
  sumTaskActivities: calls.sums,
  exportTaskActivities: calls.file,
  createTaskActivity: calls.create,
  changeTaskActivity: calls.change,
  switchTaskActivity: { ...calls.switchState, reverse: 'switchTaskActivity' },
  taskActivityVersions: calls.versions,
  previewTaskActivity: { ...calls.preview, output: answerOf(taskPreviewSchema) },
})

/** An activity that counts rides, as a rider sees it. */
export const riderActivitySchema = z.object({
  id: answeredIdSchema,
  agentId: answeredIdSchema,
  name: z.string(),
  measure: z.enum(taskMeasures),
  /** Of the present round, in what the activity counts. */
  value: z.int(),
  /** Until when rides count in this round. */
  roundEndsAt: instantSchema,
  /** Null: it has no end. */
  endsAt: instantSchema.nullable(),
  areaIds: z.array(answeredIdSchema),
  levels: z.array(
    z.object({
      target: z.int(),
      isReached: z.boolean(),
      rewards: z.array(
        z.object({
          kind: z.enum(rewardKinds),
          name: z.string(),
          /** Coupons; otherwise 1. */
          count: z.int(),
          /** Its worth at most; 0 where it depends on the ride. */
          cents: z.int(),
        }),
      ),
    }),
  ),
})
export type RiderActivity = z.infer<typeof riderActivitySchema>

export const riderActivityEndpoints = defineEndpoints({
  riderActivities: {
    host: 'platform',
    permission: 'app',
    scope: 'none',
    idempotency: 'none',
    method: 'GET',
    path: '/rider/v1/activity',
    summary: '骑行者可参加的自定义活动与本期进度、每一级的奖励',
    input: z.object({ phone: z.string().regex(phonePattern), agentId: idSchema.optional() }),
    output: answerOf(z.object({ list: z.array(riderActivitySchema) })),
  },
})
