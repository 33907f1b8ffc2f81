import { z } from 'zod'
import {
  answeredIdSchema,
  answerOf,
  idSchema,
  instantSchema,
  none,
  plainTextSchema,
  versionSchema,
} from '#contract/answers.ts'
import { basePath } from '#contract/constants.ts'
import { bodyLimits, defineEndpoints } from '#contract/endpoint.ts'
import { boundarySchema } from './mds.ts'

/** What cities demand (MDS policy and geography): brought, shown with its effect, and taken on rule by rule. */

export const mdsPolicyLimits = {
  perJurisdiction: 100,
  rules: 50,
  /** Polygons that one rule may name, with all its geographies. */
  polygons: 50,
  urlMax: 300,
  /** Characters of one document that is uploaded, and of one that is fetched. */
  textMax: 500_000,
  fetchedMax: 5_000_000,
  /** Faults of a document that are told. */
  faults: 20,
} as const
/** Days whose effect is shown. */
export const mdsEffectDays = 7

export const mdsRuleTypes = ['count', 'time', 'speed', 'rate', 'user'] as const
export const mdsRuleBecomes = ['no_stop', 'cap', 'nothing'] as const
export type MdsRuleBecomes = (typeof mdsRuleBecomes)[number]
export const mdsRuleBecomesTitles = {
  no_stop: '禁停区',
  cap: '车辆数上限',
  nothing: '不采用',
} as const satisfies Record<MdsRuleBecomes, string>

/** Why a rule becomes neither a fence nor a cap: a person has to see to it. */
export const mdsRuleReasons = {
  time: '限制的是停放或使用时长',
  speed: '限制的是速度',
  rate: '规定的是费用',
  user: '是给骑行者的提示',
  provider: '不适用于本公司',
  vehicle: '不适用于本公司的车型',
  hours: '只在部分时段生效',
  events: '只针对部分事件',
  riding: '限制的是骑行中的车辆',
  no_maximum: '没有规定上限',
  order: '其中一部分由更具体的规则规定',
  shape: '区域的形状无法作为围栏',
} as const
export type MdsRuleReason = keyof typeof mdsRuleReasons
export const mdsRuleReasonCodes = Object.keys(mdsRuleReasons) as [MdsRuleReason, ...MdsRuleReason[]]

export const mdsPolicyEnds = { expired: '已到期', replaced: '已被替代', removed: '已移除' } as const
export type MdsPolicyEnd = keyof typeof mdsPolicyEnds
export const mdsPolicyEndCodes = Object.keys(mdsPolicyEnds) as [MdsPolicyEnd, ...MdsPolicyEnd[]]

export const mdsRuleSchema = z.object({
  id: answeredIdSchema,
  ruleId: z.string(),
  name: z.string(),
  becomes: z.enum(mdsRuleBecomes),
  reason: z.enum(mdsRuleReasonCodes).nullable(),
  maximum: z.int().nullable(),
  boundary: boundarySchema,
  /** Areas of the company that it touches. */
  areas: z.array(z.object({ id: answeredIdSchema, name: z.string() })),
  takenAt: instantSchema.nullable(),
  takenBy: z.string().nullable(),
  fences: z.int(),
  /** Of a cap that was taken on: vehicles that stand there, and since when there are too many. */
  counted: z.int().nullable(),
  countedAt: instantSchema.nullable(),
  overSince: instantSchema.nullable(),
  version: z.int(),
})
export type MdsRule = z.infer<typeof mdsRuleSchema>

export const mdsPolicySchema = z.object({
  id: answeredIdSchema,
  policyId: z.string(),
  name: z.string(),
  description: z.string(),
  publishedAt: instantSchema,
  startsAt: instantSchema,
  endsAt: instantSchema.nullable(),
  /** Names of those that it replaces, as far as they are known here. */
  replaces: z.array(z.string()),
  sourceUrl: z.string().nullable(),
  createdAt: instantSchema,
  createdBy: z.string(),
  endedAt: instantSchema.nullable(),
  endReason: z.enum(mdsPolicyEndCodes).nullable(),
  rules: z.array(mdsRuleSchema).max(mdsPolicyLimits.rules),
})
export type MdsPolicy = z.infer<typeof mdsPolicySchema>

/** What a cap would have meant. */
export const mdsCapEffectSchema = z.object({
  now: z.int(),
  peak: z.int(),
  peakAt: instantSchema,
  /** Hours of the last days, begun ones counted, in which more vehicles stood there than may. */
  hoursOver: z.int(),
  hours: z.int(),
  days: z.array(z.object({ day: z.string(), peak: z.int() })),
  /** There were more stays than were looked at. */
  isCut: z.boolean(),
})
export type MdsCapEffect = z.infer<typeof mdsCapEffectSchema>

const managed = { host: 'platform', permission: ['1104'], scope: 'agent', idempotency: 'none' } as const
const path = `${basePath}/platform/mds/policy`
const documentSchema = plainTextSchema.max(mdsPolicyLimits.textMax)
const seen = { ruleId: idSchema, version: versionSchema }

export const mdsPolicyEndpoints = defineEndpoints({
  listMdsPolicies: {
    ...managed,
    method: 'GET',
    path,
    summary: '一个辖区的 MDS 政策：各条规则会成为围栏还是车辆数上限，哪些已经采用',
    input: z.object({ jurisdictionId: idSchema }),
    output: answerOf(z.object({ list: z.array(mdsPolicySchema).max(mdsPolicyLimits.perJurisdiction) })),
  },
  bringMdsPolicies: {
    ...managed,
    method: 'POST',
    path,
    bodyLimitBytes: bodyLimits.fences,
    summary: '读入城市的 MDS Policy 与 Geography：来自文件，或来自城市的接口地址；有错误时不保存',
    input: z
      .object({
        jurisdictionId: idSchema,
        policies: documentSchema.optional(),
        geographies: documentSchema.optional(),
        url: plainTextSchema.trim().min(1).max(mdsPolicyLimits.urlMax).optional(),
      })
      .refine((of) => (of.url === undefined) === (of.policies !== undefined && of.geographies !== undefined), {
        error: '请提供 Policy 与 Geography 两个文件，或填写接口地址',
        path: ['url'],
      }),
    output: answerOf(
      z.object({
        added: z.int(),
        /** Brought before; a policy never changes. */
        known: z.int(),
        faults: z
          .array(z.object({ document: z.enum(['policies', 'geographies']), at: z.string(), text: z.string() }))
          .max(mdsPolicyLimits.faults),
      }),
    ),
  },
  mdsCapEffect: {
    ...managed,
    method: 'GET',
    path: `${path}/effect`,
    summary: '车辆数上限的效果预览：近 7 天该区域内停放车辆最多时有多少，超出上限多少小时',
    input: z.object({ ruleId: idSchema }),
    output: answerOf(mdsCapEffectSchema),
  },
  takeMdsRule: {
    ...managed,
    method: 'POST',
    path: `${path}/rule`,
    summary: '采用一条规则：生成禁停区，或开始按上限清点车辆',
    input: z.object(seen),
    output: answerOf(z.object({ fences: z.int() })),
  },
  undoMdsRule: {
    ...managed,
    method: 'DELETE',
    path: `${path}/rule`,
    summary: '撤销采用：删除由它生成的禁停区，或停止清点',
    input: z.object(seen),
    output: answerOf(z.object({ fences: z.int() })),
  },
  removeMdsPolicy: {
    ...managed,
    method: 'DELETE',
    path,
    summary: '移除误读入的政策；其中已采用的规则须先撤销',
    input: z.object({ id: idSchema }),
    output: answerOf(none),
  },
})
