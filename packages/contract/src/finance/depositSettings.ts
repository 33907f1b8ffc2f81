import { z } from 'zod'
import { answerOf, answeredIdSchema, idSchema, instantSchema, searchTextSchema } from '#contract/answers.ts'
import { basePath, scopeListMax } from '#contract/constants.ts'
import { bodyLimits, defineEndpoints } from '#contract/endpoint.ts'
import { fields, list } from '#contract/list.ts'

/** What riders must deposit in an area, whom a certificate or a card exempts, and how fast deposits go back. */

export const depositMaxCents = 1_000_000
/** Of the mean cost of a vehicle: more may not be asked for. */
export const depositBoundPercent = 10
/** Working days within which a deposit must be given back. */
export const depositRefundDays = 2
const productsMax = 100

/** Riders who have deposited nothing need not, and why. */
export const depositExemptions = ['student', 'profession', 'card'] as const
export type DepositExemption = (typeof depositExemptions)[number]
export const depositExemptionLabels: Readonly<Record<DepositExemption, string>> = {
  student: '学生认证',
  profession: '职业认证',
  card: '持卡会员',
}

const terms = {
  cents: z.int(),
  freeStudents: z.boolean(),
  freeProfessions: z.boolean(),
  freeCardHolders: z.boolean(),
  /** Cards whose holders need no deposit; empty: riding cards of every product. */
  freeProductIds: z.array(answeredIdSchema),
}

export const depositSettingSchema = z.object({
  agentId: answeredIdSchema,
  company: z.string(),
  /** Null: for every area of the franchisee that has none of its own. */
  areaId: answeredIdSchema.nullable(),
  areaName: z.string().nullable(),
  ...terms,
  /** From then on the area had what its company asks for. */
  inherits: z.boolean(),
  authorName: z.string(),
  createdAt: instantSchema,
})
export type DepositSetting = z.infer<typeof depositSettingSchema>

export const depositSources = ['area', 'company', 'none'] as const
export type DepositSource = (typeof depositSources)[number]
export const depositSourceLabels: Readonly<Record<DepositSource, string>> = {
  area: '单独设置',
  company: '跟随加盟商',
  none: '未设置',
}

export const depositAreaSchema = z.object({
  areaId: answeredIdSchema,
  areaName: z.string(),
  agentId: answeredIdSchema,
  company: z.string(),
  source: z.enum(depositSources),
  ...terms,
  authorName: z.string().nullable(),
  createdAt: instantSchema.nullable(),
})
export type DepositArea = z.infer<typeof depositAreaSchema>

export const depositAreaFilterSchema = z.strictObject({
  sources: z.array(z.enum(depositSources)).min(1).max(depositSources.length).optional(),
  /** Part of the area's name. */
  name: searchTextSchema.min(1).max(40).optional(),
})
export type DepositAreaFilter = z.output<typeof depositAreaFilterSchema>

export const depositAreaList = list({
  row: depositAreaSchema,
  filter: depositAreaFilterSchema,
  sorts: { name: 'asc', cents: 'desc' },
})

const yesNo = { true: '是', false: '否' }
export const depositAreaFields = fields<DepositArea>()({
  areaId: '服务区编号',
  areaName: '服务区',
  company: '加盟商',
  source: { title: '来源', labels: depositSourceLabels },
  cents: { title: '押金', as: 'cents' },
  freeStudents: { title: '学生免押', labels: yesNo },
  freeProfessions: { title: '职业认证免押', labels: yesNo },
  freeCardHolders: { title: '持卡免押', labels: yesNo },
  authorName: '修改人',
  createdAt: { title: '修改时间', as: 'instant' },
})

const asked = {
  areaIds: z.array(idSchema).max(scopeListMax).default([]),
  cents: z.int().min(0).max(depositMaxCents),
  freeStudents: z.boolean(),
  freeProfessions: z.boolean().default(false),
  freeCardHolders: z.boolean(),
  freeProductIds: z.array(idSchema).max(productsMax).default([]),
}

const groupSchema = z.object({
  /** Need none, by a certificate or a card. */
  exempt: z.int(),
  /** Have deposited enough. */
  paid: z.int(),
  /** Would have to pay before their next ride, and how much together. */
  mustPay: z.int(),
  missingCents: z.int(),
})

const path = `${basePath}/config/depositSet`
const settings = { host: 'platform', permission: ['1705'], scope: 'area' } as const
const read = { ...settings, method: 'GET', idempotency: 'none' } as const

export const depositSettingEndpoints = defineEndpoints({
  depositSettings: {
    ...read,
    path,
    summary: '各服务区现行的押金要求，以及修改记录；押金上限按车辆平均成本的十分之一',
    input: z.object({}),
    output: answerOf(
      z.object({
        settings: z.array(depositSettingSchema),
        history: z.array(depositSettingSchema),
        /** The most that may be asked for, by the mean cost of a vehicle. */
        maxCents: z.int(),
        vehicleCostCents: z.int(),
      }),
    ),
  },
  setDeposit: {
    ...settings,
    method: 'POST',
    idempotency: 'key',
    path,
    bodyLimitBytes: bodyLimits.lists,
    summary: '设置服务区或加盟商的押金与免押人群，超过上限的拒绝；inherits 让服务区重新跟随加盟商；只影响之后的骑行',
    input: z
      .object({
        ...asked,
        /** For all areas of the company that have no setting of their own. */
        agentId: idSchema.optional(),
        inherits: z.boolean().default(false),
      })
      .refine(({ areaIds, agentId }) => areaIds.length > 0 !== (agentId !== undefined), {
        error: '请选择服务区或加盟商之一',
        path: ['areaIds'],
      })
      .refine(({ inherits, agentId }) => !inherits || agentId === undefined, {
        error: '加盟商没有可以跟随的设置',
        path: ['inherits'],
      }),
    output: answerOf(z.object({ areas: z.int() })),
  },
  listDepositAreas: {
    ...settings,
    ...depositAreaList.page,
    path: `${path}/areas`,
    summary: '每个服务区现行的押金与免押人群，来自哪里、谁何时设置',
  },
  exportDepositAreas: {
    ...settings,
    ...depositAreaList.file,
    path: `${path}/areas/export`,
    summary: '导出各服务区的押金（CSV）',
  },
  depositHistory: {
    ...read,
    path: `${path}/history`,
    summary: '一个服务区历次的押金设置与修改人，包括加盟商的，新的在前，最多一百次',
    input: z.object({ areaId: idSchema }),
    output: answerOf(z.object({ list: z.array(depositSettingSchema) })),
  },
  previewDeposit: {
    ...settings,
    method: 'POST',
    idempotency: 'none',
    path: `${path}/preview`,
    bodyLimitBytes: bodyLimits.lists,
    summary: '设置之前：近三十天在这些服务区骑行过的人，有多少免押、多少已交足、多少要补交，与现行的相比',
    input: z.object({ ...asked, areaIds: z.array(idSchema).min(1).max(scopeListMax) }),
    output: answerOf(z.object({ riders: z.int(), isCut: z.boolean(), now: groupSchema, after: groupSchema })),
  },
  depositRefundTimes: {
    ...read,
    path: `${path}/refundTimes`,
    scope: 'agent',
    summary: '近九十天退押金用了多久：按时、超过两个工作日、仍在退款中的笔数，中位数与九成以内的小时数',
    input: z.object({}),
    output: answerOf(
      z.object({
        sinceAt: instantSchema,
        done: z.int(),
        inTime: z.int(),
        /** Done or not, after the time that the law allows. */
        late: z.int(),
        waiting: z.int(),
        medianHours: z.number().nullable(),
        p90Hours: z.number().nullable(),
      }),
    ),
  },
})
