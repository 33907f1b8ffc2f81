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
import { bodyLimits, defineEndpoints } from '#contract/endpoint.ts'
import { fields, list } from '#contract/list.ts'
import { certificateKindLabels, certificateKinds } from '#contract/rider/certificates.ts'
import { balanceSpans, riderSchema, type RiderFilter } from '#contract/rider/riders.ts'
import { dayMs } from '#contract/time.ts'

/** Segments: saved conditions over the riders of a company, with the number of those who meet them. */

export const segmentStates = ['on', 'off'] as const
export type SegmentState = (typeof segmentStates)[number]
export const segmentStateLabels: Readonly<Record<SegmentState, string>> = { on: '使用中', off: '已停用' }

export const segmentNameMax = 40
export const segmentDaysMax = 3_650
/** Days back over which the rides and the money of each rider are kept as sums. */
export const segmentSpans = [7, 30, 90, 180, 365] as const
export type SegmentSpan = (typeof segmentSpans)[number]
export const segmentRidesMax = 100_000
export const segmentCentsMax = 1_000_000_000
export const segmentChoicesMax = 200
export const riderTagMax = 20
export const riderTagsMax = 20
export const taggedRidersMax = 1_000

export const riddenChoices = ['any', 'ever', 'never'] as const
export const riddenLabels: Readonly<Record<(typeof riddenChoices)[number], string>> = {
  any: '不限',
  ever: '骑过',
  never: '从未骑行',
}
export const cardChoices = ['none', 'riding', 'discount'] as const
export const cardChoiceLabels: Readonly<Record<(typeof cardChoices)[number], string>> = {
  none: '无卡',
  riding: '持有骑行卡',
  discount: '持有优惠卡',
}
export const certifiedChoices = ['any', 'yes', 'no'] as const
export const certifiedLabels: Readonly<Record<(typeof certifiedChoices)[number], string>> = {
  any: '不限',
  yes: '已实名',
  no: '未实名',
}
export const certificateChoices = ['none', ...certificateKinds] as const
export const certificateChoiceLabels: Readonly<Record<(typeof certificateChoices)[number], string>> = {
  none: '无专业认证',
  ...certificateKindLabels,
}
export const deviceSystems = ['ios', 'android', 'harmony'] as const
export const deviceSystemLabels: Readonly<Record<(typeof deviceSystems)[number], string>> = {
  ios: 'iOS',
  android: 'Android',
  harmony: 'HarmonyOS',
}
export const couponHoldings = ['open', 'used', 'never'] as const
export const couponHoldingLabels: Readonly<Record<(typeof couponHoldings)[number], string>> = {
  open: '持有未使用的',
  used: '使用过',
  never: '从未获得',
}

export const riderTagSchema = searchTextSchema.min(1).max(riderTagMax)
const daysAgo = z.int().min(0).max(segmentDaysMax).nullable().default(null)
const count = (max: number) => z.int().min(0).max(max).nullable().default(null)
/** Null: since registration. */
const span = z.literal(segmentSpans).nullable().default(null)
const isOrdered = (from: number | null, to: number | null): boolean => from === null || to === null || from <= to

/** Conditions that a rider must all meet. Riders whose account is closed are in no segment. */
export const segmentTermsSchema = z
  .strictObject({
    name: plainTextSchema.trim().min(1).max(segmentNameMax),
    /** Areas of the latest ride. Empty lists ask for nothing. */
    areaIds: z.array(idSchema).max(segmentChoicesMax).default([]),
    ridden: z.enum(riddenChoices).default('any'),
    /** Days since the latest ride: at least, at most. */
    idleMin: daysAgo,
    idleMax: daysAgo,
    /** Rides of the last days. */
    ridesDays: span,
    ridesMin: count(segmentRidesMax),
    ridesMax: count(segmentRidesMax),
    /** What rides of the last days have cost, less refunds. */
    spentDays: span,
    spentMinCents: count(segmentCentsMax),
    spentMaxCents: count(segmentCentsMax),
    /** Registered in a span, or in the last days. */
    registeredFrom: instantSchema.nullable().default(null),
    registeredTo: instantSchema.nullable().default(null),
    registeredDays: z.int().min(1).max(segmentDaysMax).nullable().default(null),
    cards: z.array(z.enum(cardChoices)).max(cardChoices.length).default([]),
    certified: z.enum(certifiedChoices).default('any'),
    certificates: z.array(z.enum(certificateChoices)).max(certificateChoices.length).default([]),
    balances: z.array(z.enum(balanceSpans)).max(balanceSpans.length).default([]),
    systems: z.array(z.enum(deviceSystems)).max(deviceSystems.length).default([]),
    /** Riders' applications by their numbers. */
    appIds: z.array(idSchema).max(segmentChoicesMax).default([]),
    couponTemplateId: idSchema.nullable().default(null),
    couponHolding: z.enum(couponHoldings).default('open'),
    /** One of them is enough. */
    tags: z.array(riderTagSchema).max(riderTagsMax).default([]),
    /** Riders on the blacklist are left out, unless told. */
    withBanned: z.boolean().default(false),
  })
  .refine(({ idleMin, idleMax }) => isOrdered(idleMin, idleMax), { error: '上限不能小于下限', path: ['idleMax'] })
  .refine(({ ridesMin, ridesMax }) => isOrdered(ridesMin, ridesMax), { error: '上限不能小于下限', path: ['ridesMax'] })
  .refine(({ spentMinCents, spentMaxCents }) => isOrdered(spentMinCents, spentMaxCents), {
    error: '上限不能小于下限',
    path: ['spentMaxCents'],
  })
  .refine(({ registeredFrom, registeredTo }) => isOrdered(registeredFrom, registeredTo), {
    error: '结束不能早于开始',
    path: ['registeredTo'],
  })
  .refine(({ ridden, idleMin, idleMax }) => ridden !== 'never' || (idleMin === null && idleMax === null), {
    error: '从未骑行的用户没有最近骑行',
    path: ['ridden'],
  })
export type SegmentTerms = z.output<typeof segmentTermsSchema>

/**
 * The filter of the riders' list that shows the same riders now; null where the list lacks one of the conditions. The list
 * takes instants, so days before now become some.
 */
export function riderFilterOf(terms: SegmentTerms, nowMs: number): RiderFilter | null {
  const { areaIds, ridden, cards, systems, appIds, tags, couponTemplateId } = terms
  const bounds = [
    terms.idleMin,
    terms.idleMax,
    terms.ridesMin,
    terms.ridesMax,
    terms.spentMinCents,
    terms.spentMaxCents,
    couponTemplateId,
  ]
  const lists = [areaIds, cards, systems, appIds, tags]
  if (ridden !== 'any' || bounds.some((bound) => bound !== null) || lists.some((choice) => choice.length > 0))
    return null
  const { registeredDays, registeredFrom, registeredTo, certified, certificates, balances, withBanned } = terms
  const starts = [
    ...(registeredFrom === null ? [] : [registeredFrom]),
    ...(registeredDays === null ? [] : [nowMs - registeredDays * dayMs]),
  ]
  return {
    state: 'active',
    ...(starts.length > 0 && { from: Math.max(...starts) }),
    ...(registeredTo !== null && { to: registeredTo }),
    ...(certified !== 'any' && { certified: certified === 'yes' }),
    ...(certificates.length > 0 && { certificates }),
    ...(balances.length > 0 && { balances }),
    ...(!withBanned && { banned: false }),
  }
}

export const segmentSchema = z.object({
  id: answeredIdSchema,
  agentId: answeredIdSchema,
  company: z.string(),
  name: z.string(),
  state: z.enum(segmentStates),
  version: z.int(),
  terms: segmentTermsSchema,
  /** Null: not counted yet. */
  size: z.int().nullable(),
  sizedAt: instantSchema.nullable(),
  campaigns: z.int(),
  createdAt: instantSchema,
  changedAt: instantSchema,
  changedBy: z.string(),
})
export type Segment = z.infer<typeof segmentSchema>

export const segmentFilterSchema = z.strictObject({
  states: z.array(z.enum(segmentStates)).min(1).max(segmentStates.length).optional(),
  /** Part of the name. */
  name: searchTextSchema.min(1).max(segmentNameMax).optional(),
  id: idSchema.optional(),
})

export const segmentList = list({ row: segmentSchema, filter: segmentFilterSchema, sorts: { created: 'desc' } })

export const segmentFields = fields<Segment>()({
  id: '编号',
  name: '人群',
  state: { title: '状态', labels: segmentStateLabels },
  size: { title: '人数', as: 'count' },
  sizedAt: { title: '统计时间', as: 'instant' },
  campaigns: { title: '推送次数', as: 'count' },
  company: '加盟商',
  createdAt: { title: '创建时间', as: 'instant' },
  changedAt: { title: '修改时间', as: 'instant' },
  changedBy: '修改人',
})

export const segmentRiderSchema = riderSchema
  .pick({ id: true, agentId: true, phone: true, certified: true, certificateKind: true, registeredAt: true })
  .extend({
    lastRideAt: instantSchema.nullable(),
    rides: z.int(),
    /** What rides have cost in all, less refunds. */
    spentCents: z.int(),
  })
export type SegmentRider = z.infer<typeof segmentRiderSchema>

export const segmentRiderList = list({
  row: segmentRiderSchema,
  filter: z.strictObject({ segmentId: idSchema }),
  sorts: { registered: 'desc' },
})

export const segmentRiderFields = fields<SegmentRider>()({
  id: '用户编号',
  phone: '手机号',
  certified: '已实名',
  certificateKind: { title: '专业认证', labels: certificateKindLabels },
  registeredAt: { title: '注册时间', as: 'instant' },
  lastRideAt: { title: '最近骑行', as: 'instant' },
  rides: { title: '骑行次数', as: 'count' },
  spentCents: { title: '骑行消费', as: 'cents' },
})

const path = `${basePath}/marketing/segment`
const rights = { host: 'platform', permission: ['1709'], scope: 'agent' } as const
const works = { ...rights, method: 'POST', idempotency: 'key' } as const
const segmentAnswer = answerOf(z.object({ id: answeredIdSchema, version: z.int(), size: z.int() }))

export const segmentEndpoints = defineEndpoints({
  listSegments: { ...rights, ...segmentList.page, path, summary: '用户人群：条件与最近统计的人数，新的在前' },
  exportSegments: { ...rights, ...segmentList.file, path: `${path}/export`, summary: '导出用户人群（CSV）' },
  createSegment: {
    ...works,
    path,
    summary: '新增一个人群',
    input: z.object({ agentId: idSchema, terms: segmentTermsSchema }),
    output: segmentAnswer,
  },
  changeSegment: {
    ...works,
    method: 'PUT',
    path,
    summary: '修改一个人群：已开始的推送保持原条件',
    input: z.object({ id: idSchema, version: versionSchema, terms: segmentTermsSchema }),
    output: segmentAnswer,
  },
  switchSegment: {
    ...works,
    path: `${path}/state`,
    reverse: 'switchSegment',
    summary: '停用或恢复一个人群：停用后不能用于新的推送',
    input: z.object({ id: idSchema, state: z.enum(segmentStates) }),
    output: answerOf(z.object({ id: answeredIdSchema, state: z.enum(segmentStates) })),
  },
  segmentVersions: {
    ...rights,
    method: 'GET',
    idempotency: 'none',
    path: `${path}/versions`,
    summary: '一个人群的历次条件，新的在前，最多五十次',
    input: z.object({ id: idSchema }),
    output: answerOf(
      z.object({
        list: z.array(
          z.object({ version: z.int(), terms: segmentTermsSchema, madeAt: instantSchema, madeBy: z.string() }),
        ),
      }),
    ),
  },
  sizeSegment: {
    ...rights,
    method: 'POST',
    idempotency: 'none',
    path: `${path}/size`,
    summary: '符合这些条件的用户人数，以及公司的用户总数',
    input: z.object({ agentId: idSchema, terms: segmentTermsSchema }),
    output: answerOf(z.object({ size: z.int(), riders: z.int() })),
  },
  listSegmentRiders: {
    ...rights,
    ...segmentRiderList.page,
    path: `${path}/riders`,
    summary: '一个人群中的用户：手机号只显示一部分，新注册的在前',
  },
  exportSegmentRiders: {
    ...rights,
    ...segmentRiderList.file,
    path: `${path}/riders/export`,
    summary: '导出一个人群中的用户（CSV）：手机号只含一部分',
  },
  riderTags: {
    ...rights,
    method: 'GET',
    idempotency: 'none',
    path: `${path}/tags`,
    summary: '公司使用的用户标签与人数，最多两百个',
    input: z.object({ agentId: idSchema }),
    output: answerOf(z.object({ list: z.array(z.object({ tag: z.string(), riders: z.int() })) })),
  },
  tagRiders: {
    ...works,
    path: `${path}/tags`,
    bodyLimitBytes: bodyLimits.lists,
    summary: '按手机号给用户加上或去掉标签',
    input: z.object({
      agentId: idSchema,
      tag: riderTagSchema,
      phones: z.array(z.string().regex(phonePattern)).min(1).max(taggedRidersMax),
      isRemoved: z.boolean().default(false),
    }),
    output: answerOf(z.object({ changed: z.int(), unknown: z.int() })),
  },
})
