import { z } from 'zod'
import { basePath } from '#contract/constants.ts'
import { defineEndpoints } from '#contract/endpoint.ts'
import { activityCalls } from './activities.ts'
import { rewardSchema, rewardsMax } from './rewards.ts'

/** Invite activities: what both sides get when a rider brings another one, and what must be true for it. */

export const inviteWaitHoursMin = 24
export const inviteWaitHoursMax = 72
export const inviteBindDaysMax = 30
export const inviteRideDaysMax = 90
export const inviteMinutesMax = 120
export const inviteMetresMax = 20_000
export const inviteDepthMax = 20

const rewards = z.array(rewardSchema).max(rewardsMax)

export const inviteTermsSchema = z
  .strictObject({
    inviterRewards: rewards.default([]),
    invitedRewards: rewards.default([]),
    /** The first paid ride that counts lasts and reaches at least so long. */
    minMinutes: z.int().min(0).max(inviteMinutesMax).default(5),
    minMetres: z.int().min(0).max(inviteMetresMax).default(500),
    /** Hours between that ride and the rewards; a ride that is refunded until then earns none. */
    waitHours: z.int().min(inviteWaitHoursMin).max(inviteWaitHoursMax).default(inviteWaitHoursMin),
    /** Days after registering in which a rider may say who brought them. */
    bindDays: z.int().min(1).max(inviteBindDaysMax).default(7),
    /** Days after that in which the ride must take place. */
    rideDays: z.int().min(1).max(inviteRideDaysMax).default(30),
    refuseSameDevice: z.boolean().default(true),
    refuseSamePayer: z.boolean().default(true),
    refuseSamePerson: z.boolean().default(true),
    /** How far below the first inviter of a tree invitations earn rewards. */
    depthMax: z.int().min(1).max(inviteDepthMax).default(5),
  })
  .refine(({ inviterRewards, invitedRewards }) => inviterRewards.length + invitedRewards.length > 0, {
    error: '请至少设置一方的奖励',
    path: ['inviterRewards'],
  })
export type InviteTerms = z.output<typeof inviteTermsSchema>

const calls = activityCalls({
  path: `${basePath}/marketing/inviteActivity`,
  permission: ['yqyl'],
  terms: inviteTermsSchema,
  title: '邀请活动',
})

export const inviteActivityEndpoints = defineEndpoints({
  listInviteActivities: calls.list,
  sumInviteActivities: calls.sums,
  exportInviteActivities: calls.file,
  createInviteActivity: calls.create,
  changeInviteActivity: calls.change,
  switchInviteActivity: { ...calls.switchState, reverse: 'switchInviteActivity' },
  inviteActivityVersions: calls.versions,
  previewInviteActivity: calls.preview,
})
