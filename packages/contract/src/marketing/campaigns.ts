import { z } from 'zod'
import {
  answeredIdSchema,
  answerOf,
  idSchema,
  instantSchema,
  plainTextSchema,
  searchTextSchema,
  versionSchema,
} from '#contract/answers.ts'
import { basePath, phonePattern } from '#contract/constants.ts'
import { defineEndpoints } from '#contract/endpoint.ts'
import { fields, list } from '#contract/list.ts'
import { holdoutPercentMax } from './holdout.ts'

/** Campaigns: coupons or messages to the riders of a segment, once each, with who got none and why. */

export const campaignStates = ['draft', 'scheduled', 'running', 'paused', 'done', 'cancelled'] as const
export type CampaignState = (typeof campaignStates)[number]
export const campaignStateLabels: Readonly<Record<CampaignState, string>> = {
  draft: '草稿',
  scheduled: '待开始',
  running: '发送中',
  paused: '已暂停',
  done: '已完成',
  cancelled: '已取消',
}

export const campaignChannels = ['coupon', 'message'] as const
export type CampaignChannel = (typeof campaignChannels)[number]
export const campaignChannelLabels: Readonly<Record<CampaignChannel, string>> = {
  coupon: '发优惠券',
  message: '应用内消息',
}

/** What stopped it, or ended it before it had gone through all riders. */
export const campaignHalts = ['person', 'budget', 'over', 'coupon_off', 'coupon_spent', 'coupon_over', 'fault'] as const
export type CampaignHalt = (typeof campaignHalts)[number]
export const campaignHaltLabels: Readonly<Record<CampaignHalt, string>> = {
  person: '人工操作',
  budget: '已达发送上限',
  over: '已到截止时间',
  coupon_off: '优惠券已暂停发放',
  coupon_spent: '优惠券预算已用完',
  coupon_over: '优惠券已过期',
  fault: '多次发送失败',
}

export const campaignOutcomes = ['sent', 'held_out', 'control', 'weekly', 'capped', 'failed'] as const
export type CampaignOutcome = (typeof campaignOutcomes)[number]
export const campaignOutcomeLabels: Readonly<Record<CampaignOutcome, string>> = {
  sent: '已发送',
  held_out: '留作对照',
  control: '全局对照组',
  weekly: '已达每周触达上限',
  capped: '已达优惠券持有上限',
  failed: '发送失败',
}

export const campaignNameMax = 40
export const messageTitleMax = 30
export const messageBodyMax = 300
export const campaignSendsMax = 10_000_000
export const weeklyMax = 50
const minutesOfDay = 1_440

const minute = z
  .int()
  .min(0)
  .max(minutesOfDay - 1)

export const campaignTermsSchema = z
  .strictObject({
    name: plainTextSchema.trim().min(1).max(campaignNameMax),
    segmentId: answeredIdSchema,
    channel: z.enum(campaignChannels),
    templateId: answeredIdSchema.nullable().default(null),
    title: plainTextSchema.trim().max(messageTitleMax).default(''),
    body: plainTextSchema.trim().max(messageBodyMax).default(''),
    /** Null: as soon as somebody starts it. */
    startsAt: instantSchema.nullable().default(null),
    /** Riders who were not reached by then are reached no more. */
    endsAt: instantSchema.nullable().default(null),
    /** Nothing is sent between these minutes of the riders' day; null: at any time. */
    quiet: z.strictObject({ from: minute, to: minute }).nullable().default({ from: 1_320, to: 480 }),
    /** Riders of the segment that get nothing, so that the effect can be seen. */
    holdoutPercent: z.int().min(0).max(holdoutPercentMax).default(10),
    /** Riders that it reaches at most, by the order of their registration; null: all. */
    budgetSends: z.int().min(1).max(campaignSendsMax).nullable().default(null),
  })
  .refine(({ channel, templateId }) => (channel === 'coupon') === (templateId !== null), {
    error: '请选择优惠券',
    path: ['templateId'],
  })
  .refine(({ channel, title }) => channel !== 'message' || title !== '', { error: '请填写标题', path: ['title'] })
  .refine(({ channel, body }) => channel !== 'message' || body !== '', { error: '请填写内容', path: ['body'] })
  .refine(({ quiet }) => quiet === null || quiet.from !== quiet.to, { error: '免打扰时段不能为全天', path: ['quiet'] })
  .refine(({ startsAt, endsAt }) => startsAt === null || endsAt === null || startsAt < endsAt, {
    error: '截止时间须晚于开始时间',
    path: ['endsAt'],
  })
export type CampaignTerms = z.output<typeof campaignTermsSchema>

const outcomes = {
  sent: z.int(),
  heldOut: z.int(),
  control: z.int(),
  weekly: z.int(),
  capped: z.int(),
  failed: z.int(),
}

export const campaignSchema = z.object({
  id: answeredIdSchema,
  agentId: answeredIdSchema,
  company: z.string(),
  name: z.string(),
  state: z.enum(campaignStates),
  halt: z.enum(campaignHalts).nullable(),
  version: z.int(),
  terms: campaignTermsSchema,
  channel: z.enum(campaignChannels),
  segmentName: z.string(),
  /** Of the coupon that it sends. */
  templateName: z.string().nullable(),
  batchId: answeredIdSchema.nullable(),
  /** Riders of the segment when it started. */
  audience: z.int().nullable(),
  ...outcomes,
  startsAt: instantSchema.nullable(),
  startedAt: instantSchema.nullable(),
  endedAt: instantSchema.nullable(),
  createdAt: instantSchema,
  createdBy: z.string(),
  changedAt: instantSchema,
  changedBy: z.string(),
})
export type Campaign = z.infer<typeof campaignSchema>

export const campaignFilterSchema = z.strictObject({
  states: z.array(z.enum(campaignStates)).min(1).max(campaignStates.length).optional(),
  channel: z.enum(campaignChannels).optional(),
  /** Part of the name. */
  name: searchTextSchema.min(1).max(campaignNameMax).optional(),
  segmentId: idSchema.optional(),
  id: idSchema.optional(),
})

export const campaignList = list({ row: campaignSchema, filter: campaignFilterSchema, sorts: { created: 'desc' } })

export const campaignFields = fields<Campaign>()({
  id: '编号',
  name: '推送',
  state: { title: '状态', labels: campaignStateLabels },
  halt: { title: '停止原因', labels: { ...campaignHaltLabels, null: '' } },
  channel: { title: '方式', labels: campaignChannelLabels },
  segmentName: '人群',
  templateName: '优惠券名称',
  audience: { title: '目标人数', as: 'count' },
  sent: { title: '已发送', as: 'count' },
  heldOut: { title: '留作对照', as: 'count' },
  control: { title: '全局对照组', as: 'count' },
  weekly: { title: '已达每周触达上限', as: 'count' },
  capped: { title: '已达优惠券持有上限', as: 'count' },
  failed: { title: '发送失败', as: 'count' },
  company: '加盟商',
  startsAt: { title: '计划开始', as: 'instant' },
  startedAt: { title: '开始时间', as: 'instant' },
  endedAt: { title: '结束时间', as: 'instant' },
  createdAt: { title: '创建时间', as: 'instant' },
  createdBy: '创建人',
})

export const campaignRiderSchema = z.object({
  riderId: answeredIdSchema,
  agentId: answeredIdSchema,
  /** Its middle is hidden. */
  phone: z.string(),
  outcome: z.enum(campaignOutcomes),
  at: instantSchema,
})
export type CampaignRider = z.infer<typeof campaignRiderSchema>

export const campaignRiderList = list({
  row: campaignRiderSchema,
  filter: z.strictObject({
    campaignId: idSchema,
    outcomes: z.array(z.enum(campaignOutcomes)).min(1).max(campaignOutcomes.length).optional(),
    riderId: idSchema.optional(),
  }),
  sorts: { at: 'desc' },
})

export const campaignRiderFields = fields<CampaignRider>()({
  riderId: '用户编号',
  phone: '手机号',
  outcome: { title: '结果', labels: campaignOutcomeLabels },
  at: { title: '时间', as: 'instant' },
})

/** What a person does with a campaign. */
export const campaignActs = ['start', 'pause', 'resume', 'cancel'] as const
export type CampaignAct = (typeof campaignActs)[number]

const actsOf: Readonly<Record<CampaignState, readonly CampaignAct[]>> = {
  draft: ['start', 'cancel'],
  scheduled: ['pause', 'cancel'],
  running: ['pause', 'cancel'],
  paused: ['resume', 'cancel'],
  done: [],
  cancelled: [],
}
export const canAct = (state: CampaignState, act: CampaignAct): boolean => actsOf[state].includes(act)
/** Terms change until it has started. */
export const canChange = ({ state, startedAt }: { state: CampaignState; startedAt: number | null }): boolean =>
  startedAt === null && (state === 'draft' || state === 'scheduled' || state === 'paused')

export const marketingSettingSchema = z.object({
  controlPercent: z.int().min(0).max(holdoutPercentMax),
  /** Sends of all campaigns that a rider gets in seven days; null: any number. */
  weeklyMax: z.int().min(1).max(weeklyMax).nullable(),
})
export type MarketingSetting = z.infer<typeof marketingSettingSchema>
export const marketingSettingDefault: MarketingSetting = { controlPercent: 0, weeklyMax: 3 }

const path = `${basePath}/marketing/campaign`
const rights = { host: 'platform', permission: ['1709'], scope: 'agent' } as const
const works = { ...rights, method: 'POST', idempotency: 'key' } as const
const campaignAnswer = answerOf(z.object({ id: answeredIdSchema, version: z.int() }))

export const campaignEndpoints = defineEndpoints({
  listCampaigns: { ...rights, ...campaignList.page, path, summary: '推送：方式、人群、进度与结果，新的在前' },
  exportCampaigns: { ...rights, ...campaignList.file, path: `${path}/export`, summary: '导出推送（CSV）' },
  createCampaign: {
    ...works,
    path,
    summary: '新增一次推送，保存为草稿',
    input: z.object({ agentId: idSchema, terms: campaignTermsSchema }),
    output: campaignAnswer,
  },
  changeCampaign: {
    ...works,
    method: 'PUT',
    path,
    summary: '修改一次尚未开始的推送',
    input: z.object({ id: idSchema, version: versionSchema, terms: campaignTermsSchema }),
    output: campaignAnswer,
  },
  campaignVersions: {
    ...rights,
    method: 'GET',
    idempotency: 'none',
    path: `${path}/versions`,
    summary: '一次推送开始前的历次内容，新的在前，最多五十次',
    input: z.object({ id: idSchema }),
    output: answerOf(
      z.object({
        list: z.array(
          z.object({
            version: z.int(),
            terms: campaignTermsSchema,
            segmentName: z.string(),
            templateName: z.string().nullable(),
            madeAt: instantSchema,
            madeBy: z.string(),
          }),
        ),
      }),
    ),
  },
  actOnCampaign: {
    ...works,
    path: `${path}/state`,
    reverse: 'actOnCampaign',
    summary: '开始、暂停、继续或取消一次推送；已发出的不收回',
    input: z.object({ id: idSchema, act: z.enum(campaignActs) }),
    output: answerOf(z.object({ id: answeredIdSchema, state: z.enum(campaignStates) })),
  },
  testCampaign: {
    ...works,
    path: `${path}/test`,
    summary: '向一个手机号试发：不计入结果，不受对照与上限约束',
    input: z.object({ id: idSchema, phone: z.string().regex(phonePattern) }),
    output: answerOf(z.object({ riderId: answeredIdSchema })),
  },
  listCampaignRiders: {
    ...rights,
    ...campaignRiderList.page,
    path: `${path}/riders`,
    summary: '一次推送对每位用户的结果，新的在前',
  },
  exportCampaignRiders: {
    ...rights,
    ...campaignRiderList.file,
    path: `${path}/riders/export`,
    summary: '导出一次推送的结果（CSV）：手机号只含一部分',
  },
  marketingSetting: {
    ...rights,
    method: 'GET',
    idempotency: 'none',
    path: `${path}/setting`,
    summary: '公司的全局对照组比例与每周触达上限，以及设置人与时间',
    input: z.object({ agentId: idSchema }),
    output: answerOf(
      marketingSettingSchema.extend({ changedAt: instantSchema.nullable(), changedBy: z.string().nullable() }),
    ),
  },
  setMarketingSetting: {
    ...works,
    method: 'PUT',
    path: `${path}/setting`,
    summary: '设置公司的全局对照组比例与每周触达上限',
    input: z.object({ agentId: idSchema, setting: marketingSettingSchema }),
    output: answerOf(marketingSettingSchema),
  },
})

const app = { host: 'platform', permission: 'app', scope: 'none', idempotency: 'none' } as const
const riderPath = '/rider/v1/message'
const phone = z.string().regex(phonePattern)

export const riderMessageSchema = z.object({
  id: answeredIdSchema,
  title: z.string(),
  body: z.string(),
  sentAt: instantSchema,
  readAt: instantSchema.nullable(),
})

/** Messages as applications of riders see them. */
export const riderMessageEndpoints = defineEndpoints({
  riderMessages: {
    ...app,
    method: 'GET',
    path: riderPath,
    summary: '骑行者的消息，新的在前，最多一百条',
    input: z.object({ phone, agentId: idSchema.optional() }),
    output: answerOf(z.object({ list: z.array(riderMessageSchema), unread: z.int() })),
  },
  riderReadMessages: {
    ...app,
    method: 'POST',
    path: `${riderPath}/read`,
    summary: '把骑行者的消息记为已读',
    input: z.object({ phone, agentId: idSchema.optional() }),
    output: answerOf(z.object({ read: z.int() })),
  },
})
