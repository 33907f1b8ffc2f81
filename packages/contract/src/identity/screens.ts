import { z } from 'zod'
import {
  answerOf,
  answeredIdSchema,
  idSchema,
  instantSchema,
  none,
  plainTextSchema,
  visibleText,
} from '#contract/answers.ts'
import { basePath, scopeListMax } from '#contract/constants.ts'
import { bodyLimits, defineEndpoints, type Endpoint } from '#contract/endpoint.ts'
import { screenFigureEndpoints, screenPages, screenPermissions } from '#contract/reports/screens.ts'
import { dayMs, minuteMs } from '#contract/time.ts'

/** So long a code on a wall is good. */
export const screenCodeLifetimeMs = 10 * minuteMs
/** Without letters and digits that look alike: a code is read from a wall and typed. */
export const screenCodeAlphabet = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'
export const screenCodeLength = 8
/** A session of a screen ends after this at the latest; it has no idle limit. */
export const screenSessionLifetimeMs = 365 * dayMs
/** Codes that one address may show at the same time, and the whole platform. */
export const screenPairingsPerAddress = 20
export const screenPairingsMax = 2_000
/** Screens of one company. */
export const screensPerCompanyMax = 200

const pagesSchema = z
  .array(z.enum(screenPages))
  .min(1, { error: '请选择至少一个页面' })
  .max(screenPages.length)
  .overwrite((pages) => [...new Set(pages)])
export const screenNameSchema = plainTextSchema
  .overwrite(visibleText)
  .min(1, { error: '请输入名称' })
  .max(40, { error: '名称最多 40 个字' })
/** As it was typed: with spaces, hyphens or small letters. */
export const screenCodeSchema = z
  .string()
  .max(20)
  .overwrite((text) => text.toUpperCase().replaceAll(/[\s-]/g, ''))
  .regex(new RegExp(`^[${screenCodeAlphabet}]{${screenCodeLength}}$`), { error: '请输入大屏上显示的 8 位配对码' })

export const wallScreenSchema = z.object({
  id: answeredIdSchema,
  name: z.string(),
  pages: z.array(z.enum(screenPages)),
  /** Null: all areas of the person whose rights it has. */
  areaCount: z.int().nullable(),
  company: z.string(),
  /** Whose rights it has. */
  operatorName: z.string(),
  pairedAt: instantSchema,
  /** Null: its session has ended, so it shows a code again. */
  lastSeenAt: instantSchema.nullable(),
})
export type WallScreen = z.infer<typeof wallScreenSchema>

const open = { host: 'platform', permission: 'public', scope: 'none', idempotency: 'none', method: 'POST' } as const
const path = `${basePath}/auth/screen`
const managed = {
  host: 'platform',
  permission: [screenPermissions.operations, screenPermissions.revenue],
  scope: 'agent',
  idempotency: 'none',
} as const

/** Screens on walls log in without a person: the wall shows a code, and staff who may see its pages enter it. */
export const wallScreenEndpoints = defineEndpoints({
  beginScreenPairing: {
    ...open,
    path: `${path}/pairing`,
    summary: '大屏终端申请配对：返回十分钟内有效的 8 位配对码，领取凭证放在 HttpOnly cookie 中',
    input: none,
    output: answerOf(z.object({ code: z.string(), expiresAt: instantSchema })),
  },
  collectScreenSession: {
    ...open,
    path: `${path}/session`,
    summary: '大屏终端领取会话：未配对时返回 waiting，配对后建立只读会话（只能领取一次）',
    input: none,
    output: answerOf(
      z.discriminatedUnion('state', [
        z.object({ state: z.literal('waiting') }),
        z.object({ state: z.literal('expired') }),
        z.object({
          state: z.literal('paired'),
          accessToken: z.string(),
          objectId: z.string(),
          agentId: idSchema,
          name: z.string(),
          pages: z.array(z.enum(screenPages)),
        }),
      ]),
    ),
  },
  listScreens: {
    ...managed,
    method: 'GET',
    path,
    summary: '已配对的大屏终端',
    input: none,
    output: answerOf(z.object({ list: z.array(wallScreenSchema).max(screensPerCompanyMax) })),
  },
  pairScreen: {
    ...managed,
    method: 'POST',
    path,
    bodyLimitBytes: bodyLimits.lists,
    summary: '用配对码把一台大屏接入：页面不超出本人权限，服务区不超出本人范围',
    input: z.object({
      code: screenCodeSchema,
      name: screenNameSchema,
      pages: pagesSchema,
      /** Absent: all areas that the person reaches, now and later. */
      areaIds: z.array(idSchema).min(1, { error: '请选择服务区' }).max(scopeListMax).optional(),
    }),
    output: answerOf(z.object({ id: answeredIdSchema })),
  },
  renameScreen: {
    ...managed,
    method: 'PUT',
    path,
    summary: '重命名大屏终端',
    input: z.object({ id: idSchema, name: screenNameSchema }),
    output: answerOf(none),
  },
  removeScreen: {
    ...managed,
    method: 'DELETE',
    path,
    summary: '移除大屏终端，其会话立即结束',
    input: z.object({ id: idSchema }),
    output: answerOf(none),
  },
})

/** All that the session of a screen may call. */
export const callsOfScreens: ReadonlySet<Endpoint> = new Set<Endpoint>([
  screenFigureEndpoints.readOperationsScreen,
  screenFigureEndpoints.readRevenueScreen,
])
