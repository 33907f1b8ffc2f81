import { z } from 'zod'
import { answeredIdSchema, idSchema, instantSchema, searchTextSchema } from '#contract/answers.ts'
import { basePath, phonePattern } from '#contract/constants.ts'
import { defineEndpoints } from '#contract/endpoint.ts'
import { fields, list } from '#contract/list.ts'
import { activityKindLabels, activityKinds } from './activities.ts'
import { rewardCauseLabels, rewardCauses } from './rewards.ts'

/** What riders have used of activities: each use with its rider, what it was for and what it cost. */

export const activityUseStates = ['counted', 'given_back'] as const
export type ActivityUseState = (typeof activityUseStates)[number]
export const activityUseStateLabels: Readonly<Record<ActivityUseState, string>> = {
  counted: '已计入',
  given_back: '已退回',
}

export const activityUseSchema = z.object({
  id: answeredIdSchema,
  agentId: answeredIdSchema,
  company: z.string(),
  activityId: answeredIdSchema,
  name: z.string(),
  kind: z.enum(activityKinds),
  version: z.int(),
  riderId: answeredIdSchema,
  /** Its middle is hidden. */
  phone: z.string(),
  cause: z.enum(rewardCauses),
  orderId: answeredIdSchema.nullable(),
  /** What people read of it; null where it is not theirs to see. */
  orderNumber: z.string().nullable(),
  state: z.enum(activityUseStates),
  cents: z.int(),
  usedAt: instantSchema,
  givenBackAt: instantSchema.nullable(),
})
export type ActivityUse = z.infer<typeof activityUseSchema>

export const activityUseFilterSchema = z.strictObject({
  activityId: idSchema.optional(),
  states: z.array(z.enum(activityUseStates)).min(1).max(activityUseStates.length).optional(),
  riderId: idSchema.optional(),
  phone: searchTextSchema.regex(phonePattern).optional(),
  /** By the time of use. */
  from: instantSchema.optional(),
  to: instantSchema.optional(),
})
export type ActivityUseFilter = z.output<typeof activityUseFilterSchema>

export const activityUseList = list({
  row: activityUseSchema,
  filter: activityUseFilterSchema,
  sorts: { used: 'desc' },
  sums: ['cents'],
  secret: ['phone'],
})

export const activityUseFields = fields<ActivityUse>()({
  id: '编号',
  name: '活动',
  kind: { title: '活动类型', labels: activityKindLabels },
  version: { title: '版本', as: 'count' },
  riderId: '用户编号',
  phone: '手机号',
  cause: { title: '用于', labels: rewardCauseLabels },
  orderNumber: '订单编号',
  state: { title: '状态', labels: activityUseStateLabels },
  cents: { title: '金额', as: 'cents' },
  usedAt: { title: '使用时间', as: 'instant' },
  givenBackAt: { title: '退回时间', as: 'instant' },
  company: '加盟商',
})

const path = `${basePath}/marketing/activityUses`
const rights = {
  host: 'platform',
  permission: ['1701', '1706', '1707', '1710', 'yqyl'],
  scope: 'agent',
} as const

export const activityUseEndpoints = defineEndpoints({
  listActivityUses: {
    ...rights,
    ...activityUseList.page,
    path,
    summary: '活动的每一次使用：谁、因何、多少钱，限本人有权限的活动类型，新的在前',
  },
  sumActivityUses: { ...rights, ...activityUseList.sums, path: `${path}/sums`, summary: '符合条件的使用的金额合计' },
  exportActivityUses: {
    ...rights,
    ...activityUseList.file,
    path: `${path}/export`,
    summary: '导出活动的使用记录（CSV）：手机号只含一部分',
  },
})
