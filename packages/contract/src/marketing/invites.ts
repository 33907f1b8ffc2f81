import { z } from 'zod'
import { answeredIdSchema, answerOf, idSchema, instantSchema, plainTextSchema } from '#contract/answers.ts'
import { basePath, phonePattern } from '#contract/constants.ts'
import { defineEndpoints } from '#contract/endpoint.ts'
import { fields, list } from '#contract/list.ts'

/** Invites: who brought whom, and what became of it. */

/**
 * An invite is `registered` until a ride of the invited rider counts, then `pending` until both sides are rewarded. It may
 * be `refused` before, and `reversed` when the ride is refunded.
 */
export const inviteStates = ['registered', 'pending', 'rewarded', 'refused', 'reversed'] as const
export type InviteState = (typeof inviteStates)[number]
export const inviteStateLabels: Readonly<Record<InviteState, string>> = {
  registered: '待首骑',
  pending: '待发奖励',
  rewarded: '已发奖励',
  refused: '未通过',
  reversed: '已撤销',
}

/** Why an invite earns nothing. */
export const inviteReasons = [
  'device',
  'payer',
  'person',
  'rode',
  'cycle',
  'depth',
  'held_out',
  'inviter_cap',
  'day_cap',
  'budget',
  'over',
  'late',
  'closed',
  'undelivered',
  'refund',
  'staff',
] as const
export type InviteReason = (typeof inviteReasons)[number]
export const inviteReasonLabels: Readonly<Record<InviteReason, string>> = {
  device: '同一设备',
  payer: '同一支付账户',
  person: '同一证件',
  rode: '此前已是用户',
  cycle: '循环邀请',
  depth: '超出邀请层级',
  held_out: '对照组',
  inviter_cap: '邀请人达到上限',
  day_cap: '邀请人达到当日上限',
  budget: '活动预算已用完',
  over: '活动已结束',
  late: '未在期限内首骑',
  closed: '账户已注销或被禁',
  undelivered: '奖励无法发放',
  refund: '首骑已全额退款',
  staff: '人工判定',
}
/** The same in words that a rider may hear: they do not say how a false account was recognised. */
export const inviteReasonWords: Readonly<Record<InviteReason, string>> = {
  device: '邀请人与好友须为不同的两个人',
  payer: '邀请人与好友须为不同的两个人',
  person: '邀请人与好友须为不同的两个人',
  rode: '好友此前已是用户',
  cycle: '相互邀请不计入',
  depth: '该邀请不在活动范围内',
  held_out: '该邀请不在活动范围内',
  inviter_cap: '邀请奖励已达上限',
  day_cap: '当日邀请奖励已达上限',
  budget: '活动奖励已发完',
  over: '活动已结束',
  late: '好友未在期限内完成首次骑行',
  closed: '账户暂时不能领取奖励',
  undelivered: '奖励暂时无法发放，请联系客服',
  refund: '首次骑行已退款',
  staff: '经核查不符合活动规则',
}

export const inviteNoteMax = 100
export const inviteCodeLength = 6
export const inviteTreePageSize = 50
/** Of a tree that is searched, so many inviters are walked up. */
export const inviteTreeDepthMax = 50

/** What the rules saw when they decided last. */
export const inviteFactsSchema = z.object({
  sameDevice: z.boolean(),
  samePayer: z.boolean(),
  samePerson: z.boolean(),
  /** An older account with the same telephone or document. */
  olderAccount: z.boolean(),
  minutes: z.int().nullable(),
  metres: z.int().nullable(),
  paidCents: z.int().nullable(),
})
export type InviteFacts = z.infer<typeof inviteFactsSchema>

export const inviteSchema = z.object({
  id: answeredIdSchema,
  agentId: answeredIdSchema,
  company: z.string(),
  activityId: answeredIdSchema,
  activity: z.string(),
  version: z.int(),
  inviterId: answeredIdSchema,
  /** Middles of phone numbers are hidden. */
  inviterPhone: z.string(),
  invitedId: answeredIdSchema,
  invitedPhone: z.string(),
  depth: z.int(),
  state: z.enum(inviteStates),
  reason: z.enum(inviteReasons).nullable(),
  note: z.string(),
  facts: inviteFactsSchema,
  boundAt: instantSchema,
  rideBy: instantSchema,
  countedAt: instantSchema.nullable(),
  orderId: answeredIdSchema.nullable(),
  /** What people read of the ride; null where it is not theirs to see. */
  orderNumber: z.string().nullable(),
  dueAt: instantSchema.nullable(),
  endedAt: instantSchema.nullable(),
  /** What both sides got is worth so much at most. */
  costCents: z.int(),
  /** A person let it through: fraud rules are not asked again. */
  isCleared: z.boolean(),
  decidedBy: z.string().nullable(),
  decidedAt: instantSchema.nullable(),
})
export type Invite = z.infer<typeof inviteSchema>

export const inviteFilterSchema = z.strictObject({
  activityId: idSchema.optional(),
  id: idSchema.optional(),
  states: z.array(z.enum(inviteStates)).min(1).max(inviteStates.length).optional(),
  reasons: z.array(z.enum(inviteReasons)).min(1).max(inviteReasons.length).optional(),
  /** Of the inviter or of the invited. */
  phone: z.string().regex(phonePattern).optional(),
  riderId: idSchema.optional(),
  inviterId: idSchema.optional(),
  /** By the time at which the invited rider named the inviter. */
  from: instantSchema.optional(),
  to: instantSchema.optional(),
})
export type InviteFilter = z.output<typeof inviteFilterSchema>

export const inviteList = list({
  row: inviteSchema,
  filter: inviteFilterSchema,
  sorts: { bound: 'desc' },
  sums: ['costCents'],
  secret: ['phone'],
})

export const inviteFields = fields<Invite>()({
  id: '邀请编号',
  activity: '活动',
  inviterId: '邀请人编号',
  inviterPhone: '邀请人',
  invitedId: '好友编号',
  invitedPhone: '好友',
  depth: { title: '层级', as: 'count' },
  state: { title: '状态', labels: inviteStateLabels },
  reason: { title: '原因', labels: inviteReasonLabels },
  note: '说明',
  boundAt: { title: '邀请时间', as: 'instant' },
  rideBy: { title: '首骑期限', as: 'instant' },
  countedAt: { title: '首骑时间', as: 'instant' },
  orderNumber: '首骑订单',
  dueAt: { title: '应发时间', as: 'instant' },
  endedAt: { title: '完成时间', as: 'instant' },
  costCents: { title: '奖励价值', as: 'cents' },
  isCleared: { title: '人工放行', as: 'flag' },
  decidedBy: '处理人',
  decidedAt: { title: '处理时间', as: 'instant' },
  company: '加盟商',
})

/** A rider of the tree of who brought whom. */
export const inviteNodeSchema = z.object({
  riderId: answeredIdSchema,
  phone: z.string(),
  /** How they came; null: nobody brought them. */
  invite: z
    .object({
      id: answeredIdSchema,
      state: z.enum(inviteStates),
      reason: z.enum(inviteReasons).nullable(),
      boundAt: instantSchema,
    })
    .nullable(),
  brought: z.int(),
  rewarded: z.int(),
  refused: z.int(),
})
export type InviteNode = z.infer<typeof inviteNodeSchema>

export const riderInviteSchema = z.object({
  code: z.string().nullable(),
  broughtBy: z
    .object({ riderId: answeredIdSchema, phone: z.string(), state: z.enum(inviteStates), inviteId: answeredIdSchema })
    .nullable(),
  brought: z.int(),
  rewarded: z.int(),
  refused: z.int(),
})

const path = `${basePath}/marketing/invite`
const rights = { host: 'platform', permission: ['yqyl'], scope: 'agent' } as const
const reads = { ...rights, method: 'GET', idempotency: 'none' } as const
const works = { ...rights, method: 'POST', idempotency: 'key' } as const
const note = plainTextSchema.trim().min(1).max(inviteNoteMax)
const decision = answerOf(z.object({ id: answeredIdSchema, state: z.enum(inviteStates) }))

export const inviteEndpoints = defineEndpoints({
  listInvites: { ...rights, ...inviteList.page, path, summary: '邀请记录：谁邀请了谁、状态与原因，新的在前' },
  sumInvites: { ...rights, ...inviteList.sums, path: `${path}/sums`, summary: '符合条件的邀请的奖励价值合计' },
  exportInvites: {
    ...rights,
    ...inviteList.file,
    path: `${path}/export`,
    summary: '导出邀请记录（CSV）：手机号只含一部分',
  },
  inviteTree: {
    ...reads,
    path: `${path}/tree`,
    summary: '邀请关系：没有邀请人的邀请人，邀请最多的在前；或一位邀请人的好友，新的在前',
    input: z.object({ inviterId: idSchema.optional(), after: z.string().max(60).optional() }),
    output: answerOf(
      z.object({
        list: z.array(inviteNodeSchema),
        /** For the next page; null: there is none. */
        after: z.string().nullable(),
      }),
    ),
  },
  findInInviteTree: {
    ...reads,
    path: `${path}/tree/search`,
    summary: '按手机号在邀请关系中查找：从最上层邀请人到该用户',
    input: z.object({ phone: z.string().regex(phonePattern) }),
    output: answerOf(
      z.object({
        /** One for each company that knows the number; the first of a path has no inviter. */
        paths: z.array(z.array(inviteNodeSchema)),
      }),
    ),
  },
  riderInvites: {
    ...reads,
    path: `${path}/rider`,
    summary: '一位用户的邀请：邀请码、由谁邀请、邀请了多少人',
    input: z.object({ riderId: idSchema }),
    output: answerOf(riderInviteSchema),
  },
  refuseInvite: {
    ...works,
    path: `${path}/refuse`,
    summary: '判定一条未发奖励的邀请不通过，写明原因；骑行者只看到“经核查不符合活动规则”',
    input: z.object({ id: idSchema, note }),
    output: decision,
  },
  clearInvite: {
    ...works,
    path: `${path}/clear`,
    summary: '放行一条未通过的邀请，写明原因；预算与每人上限仍然有效',
    input: z.object({ id: idSchema, note }),
    output: decision,
  },
})
