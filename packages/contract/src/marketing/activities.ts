import { z } from 'zod'
import {
  answeredIdSchema,
  answerOf,
  idSchema,
  instantSchema,
  plainTextSchema,
  searchTextSchema,
  none,
  versionSchema,
} from '#contract/answers.ts'
import { basePath } from '#contract/constants.ts'
import { bodyLimits, defineEndpoints } from '#contract/endpoint.ts'
import { fields, list } from '#contract/list.ts'
import type { Permission } from '#contract/permissions.ts'
import { bearerLabels, bearers } from '#contract/riding/benefits.ts'
import { holdoutPercentMax } from './holdout.ts'
import { couponBudgetMaxCents, couponBudgetMaxUses } from './couponTerms.ts'

/**
 * What every activity has, whatever its kind: when and where it runs, what it may cost, who bears that, and its versions. A
 * kind adds its terms; `activityCalls` makes its calls.
 */

export const activityKinds = ['recharge', 'riding', 'fixed', 'task', 'invite'] as const
export type ActivityKind = (typeof activityKinds)[number]
export const activityKindLabels: Readonly<Record<ActivityKind, string>> = {
  recharge: '充值活动',
  riding: '骑行活动',
  fixed: '固定活动',
  task: '自定义活动',
  invite: '邀请有礼',
}

/** What a person sets. An activity that has ended stays so. */
export const activityStates = ['draft', 'on', 'paused', 'ended'] as const
export type ActivityState = (typeof activityStates)[number]

/** What it amounts to now: with the time and the budget. */
export const activityShownStates = ['draft', 'scheduled', 'on', 'dry', 'paused', 'over', 'ended'] as const
export type ActivityShownState = (typeof activityShownStates)[number]
export const activityShownStateLabels: Readonly<Record<ActivityShownState, string>> = {
  draft: '草稿',
  scheduled: '未开始',
  on: '进行中',
  dry: '预算用完',
  paused: '已暂停',
  over: '已到期',
  ended: '已结束',
}

/** What is in force: neither a draft nor stopped by a person, by its time or by its budget. */
export function shownStateOf(
  activity: {
    readonly state: ActivityState
    readonly startsAt: number
    readonly endsAt: number | null
    readonly dryAt: number | null
  },
  now: number,
): ActivityShownState {
  const { state, startsAt, endsAt, dryAt } = activity
  if (state === 'draft' || state === 'ended') return state
  if (endsAt !== null && endsAt <= now) return 'over'
  if (state === 'paused') return 'paused'
  if (dryAt !== null) return 'dry'
  return startsAt > now ? 'scheduled' : 'on'
}

export const activityNameMax = 40
export const activityAreasMax = 500
export const activityRiderUsesMax = 10_000
export const activityReasonMax = 100
/** Share of a budget from which whoever runs the activity is warned. */
export const activityWarnPercent = 80
/** Share of a money budget from which it counts as used up once what is left is less than an average use. */
export const budgetRestPercent = 95

/**
 * Whether a budget counts as used up: nothing is left of its uses or its money, or so little money that an average use so far
 * cost more. Otherwise the last cents of a budget would keep it in force and refuse everybody.
 */
export function isBudgetUsedUp(budget: {
  readonly budgetCents: number | null
  readonly budgetUses: number | null
  readonly usedCents: number
  readonly uses: number
}): boolean {
  const { budgetCents, budgetUses, usedCents, uses } = budget
  if (budgetUses !== null && uses >= budgetUses) return true
  if (budgetCents === null) return false
  if (usedCents >= budgetCents) return true
  const isNearlyUsed = usedCents * 100 >= budgetCents * budgetRestPercent
  return isNearlyUsed && uses > 0 && (budgetCents - usedCents) * uses < usedCents
}
export const activityPreviewWeeks = [1, 2, 4] as const

const limit = (max: number) => z.int().min(1).max(max).nullable().default(null)

/** Where, when and within which limits an activity runs; stored with each version. */
export const activityCommonSchema = z
  .strictObject({
    name: plainTextSchema.trim().min(1).max(activityNameMax),
    /** None: all of the company's. */
    areaIds: z.array(idSchema).max(activityAreasMax).default([]),
    startsAt: instantSchema,
    /** Null: it has no end. */
    endsAt: instantSchema.nullable().default(null),
    /** Null: no limit. */
    budgetCents: limit(couponBudgetMaxCents),
    budgetUses: limit(couponBudgetMaxUses),
    riderUses: limit(activityRiderUsesMax),
    /** By business day. */
    riderDayUses: limit(activityRiderUsesMax),
    /** By all riders who were seen on one telephone. */
    deviceUses: limit(activityRiderUsesMax),
    bearer: z.enum(bearers).default('company'),
    /** Whose cost it is when a partner bears it. */
    partner: plainTextSchema.trim().max(40).default(''),
    /** Riders of each hundred that it leaves out, so that its effect can be told. */
    holdoutPercent: z.int().min(0).max(holdoutPercentMax).default(0),
  })
  .refine(({ startsAt, endsAt }) => endsAt === null || endsAt > startsAt, {
    error: '结束时间应晚于开始时间',
    path: ['endsAt'],
  })
  .refine(({ bearer, partner }) => bearer !== 'partner' || partner !== '', {
    error: '请填写合作方名称',
    path: ['partner'],
  })
  .refine(({ riderUses, riderDayUses }) => riderUses === null || riderDayUses === null || riderDayUses <= riderUses, {
    error: '每人每天次数不能多于每人次数',
    path: ['riderDayUses'],
  })
export type ActivityCommon = z.output<typeof activityCommonSchema>

/** Why an activity did not take a use of a rider. */
export const activityRefusals = ['not_on', 'budget_spent', 'rider_cap', 'rider_day_cap', 'device_cap'] as const
export type ActivityRefusal = (typeof activityRefusals)[number]

export const activitySchema = z.object({
  id: answeredIdSchema,
  agentId: answeredIdSchema,
  company: z.string(),
  name: z.string(),
  state: z.enum(activityStates),
  shown: z.enum(activityShownStates),
  version: z.int(),
  areaIds: z.array(answeredIdSchema),
  startsAt: instantSchema,
  endsAt: instantSchema.nullable(),
  budgetCents: z.int().nullable(),
  budgetUses: z.int().nullable(),
  riderUses: z.int().nullable(),
  riderDayUses: z.int().nullable(),
  deviceUses: z.int().nullable(),
  bearer: z.enum(bearers),
  partner: z.string(),
  holdoutPercent: z.int(),
  usedCents: z.int(),
  uses: z.int(),
  /** Riders who have used it. */
  riders: z.int(),
  /** Since when 80 % of its budget are used, and since when it counts as used up: see `isBudgetUsedUp`. */
  warnedAt: instantSchema.nullable(),
  dryAt: instantSchema.nullable(),
  createdAt: instantSchema,
  changedAt: instantSchema,
  changedBy: z.string(),
  /** By the schema of its kind. */
  terms: z.unknown(),
})
export type Activity<Terms = unknown> = Omit<z.infer<typeof activitySchema>, 'terms'> & { readonly terms: Terms }

export const activityFilterSchema = z.strictObject({
  states: z.array(z.enum(activityShownStates)).min(1).max(activityShownStates.length).optional(),
  /** Part of the name. */
  name: searchTextSchema.min(1).max(activityNameMax).optional(),
  id: idSchema.optional(),
  /** It runs in one of these, or everywhere. */
  areaIds: z.array(idSchema).min(1).max(activityAreasMax).optional(),
  /** At least 80 % of its budget are used, or all of it. */
  low: z.boolean().optional(),
})
export type ActivityFilter = z.output<typeof activityFilterSchema>

const listOfActivities = <T extends z.ZodType>(terms: T) =>
  list({
    row: activitySchema.extend({ terms }),
    filter: activityFilterSchema,
    sorts: { created: 'desc' },
    sums: ['usedCents'],
  })

/** The list of any kind; its terms are not looked at. */
export const activityList = listOfActivities(z.unknown())

export const activityFields = fields<Activity>()({
  id: '编号',
  name: '活动',
  shown: { title: '状态', labels: activityShownStateLabels },
  startsAt: { title: '开始时间', as: 'instant' },
  endsAt: { title: '结束时间', as: 'instant', labels: { null: '长期' } },
  uses: { title: '已使用次数', as: 'count' },
  riders: { title: '参与人数', as: 'count' },
  usedCents: { title: '已用金额', as: 'cents' },
  budgetCents: { title: '预算金额', as: 'cents', labels: { null: '不限' } },
  budgetUses: { title: '预算次数', as: 'count', labels: { null: '不限' } },
  riderUses: { title: '每人次数', as: 'count', labels: { null: '不限' } },
  riderDayUses: { title: '每人每天次数', as: 'count', labels: { null: '不限' } },
  deviceUses: { title: '每台手机次数', as: 'count', labels: { null: '不限' } },
  bearer: { title: '承担方', labels: bearerLabels },
  partner: '合作方',
  holdoutPercent: { title: '对照组', as: 'percent' },
  company: '加盟商',
  createdAt: { title: '创建时间', as: 'instant' },
  changedAt: { title: '修改时间', as: 'instant' },
  changedBy: '修改人',
})

/** What an activity would have done over the last weeks. */
export const activityPreviewSchema = z.object({
  weeks: z.int(),
  /** Rides, recharges or whatever the kind looks at. */
  considered: z.int(),
  /** More than are looked at: the newest of them are. */
  isCut: z.boolean(),
  reached: z.int(),
  riders: z.int(),
  costCents: z.int(),
  /** When its budget would have been used up; null: not at all. */
  dryAt: instantSchema.nullable(),
  byArea: z.array(z.object({ areaId: answeredIdSchema, area: z.string(), reached: z.int(), costCents: z.int() })),
})
export type ActivityPreview = z.infer<typeof activityPreviewSchema>

export const activityVersionsMax = 50

const changed = answerOf(z.object({ id: answeredIdSchema, version: z.int() }))

/**
 * The calls of a kind of activity. The kind gives them their names, and names its `switchState` as what reverses it:
 * `switchRidingActivity: { ...calls.switchState, reverse: 'switchRidingActivity' }`.
 */
export function activityCalls<T extends z.ZodType>(kind: {
  /** Of the calls, below the base path. */
  readonly path: string
  readonly permission: readonly [Permission, ...Permission[]]
  readonly terms: T
  /** As it stands in the summaries. */
  readonly title: string
  /** Longest body of a call with terms; absent: the ordinary. */
  readonly bodyLimitBytes?: number
}) {
  const { path, permission, terms, title, bodyLimitBytes = bodyLimits.ordinary } = kind
  const rights = { host: 'platform', permission, scope: 'agent' } as const
  const works = { ...rights, method: 'POST', idempotency: 'key', bodyLimitBytes } as const
  const reads = { ...rights, method: 'GET', idempotency: 'none' } as const
  const own = listOfActivities(terms)
  return {
    list: { ...rights, ...own.page, path, summary: `${title}：状态、用量与预算，新的在前` },
    sums: { ...rights, ...own.sums, path: `${path}/sums`, summary: `符合条件的${title}的已用金额合计` },
    file: { ...rights, ...own.file, path: `${path}/export`, summary: `导出${title}（CSV）` },
    create: {
      ...works,
      path,
      summary: `新增${title}，先为草稿`,
      input: z.object({ agentId: idSchema, common: activityCommonSchema, terms }),
      output: changed,
    },
    change: {
      ...works,
      method: 'PUT',
      path,
      summary: `修改${title}：新版本立即生效，已发生的保持当时的版本`,
      input: z.object({ id: idSchema, version: versionSchema, common: activityCommonSchema, terms }),
      output: changed,
    },
    switchState: {
      ...rights,
      method: 'POST',
      idempotency: 'key',
      path: `${path}/state`,
      summary: `启动、暂停、恢复或结束${title}；结束后不能恢复`,
      input: z.object({ id: idSchema, state: z.enum(['on', 'paused', 'ended']) }),
      output: answerOf(z.object({ id: answeredIdSchema, state: z.enum(activityStates) })),
    },
    versions: {
      ...reads,
      path: `${path}/versions`,
      summary: `${title}的历次规则，新的在前，最多五十次`,
      input: z.object({ id: idSchema }),
      output: answerOf(
        z.object({
          list: z.array(
            z.object({
              version: z.int(),
              common: activityCommonSchema,
              terms,
              madeAt: instantSchema,
              madeBy: z.string(),
            }),
          ),
        }),
      ),
    },
    preview: {
      ...rights,
      method: 'POST',
      idempotency: 'none',
      bodyLimitBytes,
      path: `${path}/preview`,
      summary: `这样的${title}在过去几周会产生的效果，不保存任何内容`,
      input: z.object({
        agentId: idSchema,
        common: activityCommonSchema,
        terms,
        weeks: z.literal(activityPreviewWeeks).default(4),
      }),
      output: answerOf(activityPreviewSchema),
    },
  } as const
}
/** The calls of a kind whose terms are of this schema. */
export type ActivityCalls<T extends z.ZodType> = ReturnType<typeof activityCalls<T>>

/** The page of each kind, and the permission that it takes. */
export const activityPages = {
  recharge: { path: '/marketing/recharge-activity', permission: '1701' },
  riding: { path: '/marketing/activity-config', permission: '1706' },
  fixed: { path: '/marketing/activity-task', permission: '1707' },
  task: { path: '/marketing/custom-activity-task', permission: '1710' },
  invite: { path: '/marketing/invite-activity-task', permission: 'yqyl' },
} as const satisfies Readonly<Record<ActivityKind, { readonly path: string; readonly permission: Permission }>>

export const activityEndpoints = defineEndpoints({
  activityAlerts: {
    method: 'GET',
    path: `${basePath}/marketing/activityAlerts`,
    host: 'platform',
    permission: ['1701', '1706', '1707', '1710', 'yqyl'],
    scope: 'agent',
    idempotency: 'none',
    summary: '预算用完或即将用完的活动数，按本人有权限的活动类型',
    input: none,
    output: answerOf(
      z.object({ list: z.array(z.object({ kind: z.enum(activityKinds), dry: z.int(), low: z.int() })) }),
    ),
  },
})
