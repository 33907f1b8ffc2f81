import { z } from 'zod'
import { basePath } from '#contract/constants.ts'
import { defineEndpoints } from '#contract/endpoint.ts'
import { moneyMaxCents } from '#contract/riding/price.ts'
import { activityCalls } from './activities.ts'
import { rewardsSchema } from './rewards.ts'

/** Fixed activities: one for each occasion in the life of a rider, which gives rewards. */

export const fixedEvents = ['rider_new', 'first_ride', 'identified', 'certified', 'first_recharge', 'wake'] as const
export type FixedEvent = (typeof fixedEvents)[number]
export const fixedEventLabels: Readonly<Record<FixedEvent, string>> = {
  rider_new: '新用户注册',
  first_ride: '首次骑行',
  identified: '完成实名认证',
  certified: '通过专业认证',
  first_recharge: '首次充值',
  wake: '沉默唤醒',
}

export const rewardDelayMaxHours = 168
export const wakeDaysMin = 7
export const wakeDaysMax = 365
/** Riders who have been away for longer are reached by campaigns. */
export const wakeWindowDays = 30

export const fixedTermsSchema = z.strictObject({
  event: z.enum(fixedEvents),
  rewards: rewardsSchema,
  /** So long a reward is pending; a refund in that time takes it back. */
  delayHours: z.int().min(0).max(rewardDelayMaxHours).default(0),
  /** First ride: its least minutes. */
  minMinutes: z.int().min(0).max(240).default(0),
  /** First ride and first recharge: what was paid at least. */
  minCents: z.int().min(0).max(moneyMaxCents).default(0),
  /** Win-back: days without a ride, and the days after which a rider can be woken again. */
  idleDays: z.int().min(wakeDaysMin).max(wakeDaysMax).default(30),
  againDays: z.int().min(wakeDaysMin).max(wakeDaysMax).default(90),
})
export type FixedTerms = z.output<typeof fixedTermsSchema>

const calls = activityCalls({
  path: `${basePath}/marketing/fixedActivity`,
  permission: ['1707'],
  terms: fixedTermsSchema,
  title: '固定活动',
})

export const fixedActivityEndpoints = defineEndpoints({
  listFixedActivities: calls.list,
  sumFixedActivities: calls.sums,
  exportFixedActivities: calls.file,
  createFixedActivity: calls.create,
  changeFixedActivity: calls.change,
  switchFixedActivity: { ...calls.switchState, reverse: 'switchFixedActivity' },
  fixedActivityVersions: calls.versions,
  previewFixedActivity: calls.preview,
})
