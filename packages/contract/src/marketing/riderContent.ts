import { z } from 'zod'
import { answeredIdSchema, answerOf, idSchema, instantSchema } from '#contract/answers.ts'
import { languages, phonePattern } from '#contract/constants.ts'
import { defineEndpoints } from '#contract/endpoint.ts'
import { photoIdSchema, photoKinds } from '#contract/photos/photo.ts'
import { dayMs } from '#contract/time.ts'
import { adLinkSchema, adSlots } from './ads.ts'
import { helpCategories } from './help.ts'

/** Help, telephone lines and placements as applications of riders see them. */

const app = { host: 'platform', permission: 'app', scope: 'none', idempotency: 'none' } as const
const phone = z.string().regex(phonePattern)
const agentId = idSchema.optional()
const language = z.enum(languages).default('zh')

const span = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('text'), text: z.string() }),
  z.object({ kind: z.literal('bold'), text: z.string() }),
  /** `href` is https or a telephone number. */
  z.object({ kind: z.literal('link'), text: z.string(), href: z.string() }),
])
export const helpBlockSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('heading'), spans: z.array(span) }),
  z.object({ kind: z.literal('paragraph'), spans: z.array(span) }),
  z.object({ kind: z.literal('list'), isOrdered: z.boolean(), items: z.array(z.array(span)) }),
  z.object({ kind: z.literal('picture'), photoId: photoIdSchema, alt: z.string() }),
])

const articleHead = {
  id: answeredIdSchema,
  category: z.enum(helpCategories),
  title: z.string(),
  /** The language of the text: Chinese where English is missing. */
  language: z.enum(languages),
}

/** Events of one report, and in which time they are taken. */
export const adEventsMax = 100
export const adEventAgeMaxMs = 2 * dayMs
/** Impressions and taps of one rider on one day that are counted. */
export const adRiderDayMax = 300
export const adEventKinds = ['impression', 'tap'] as const

/** Why an event was not counted. */
export const adEventRefusals = ['unknown', 'late', 'unseen', 'over'] as const
export type AdEventRefusal = (typeof adEventRefusals)[number]

export const adEventSchema = z.strictObject({
  /** Made by the app; the same one is counted once. */
  id: z.string().regex(/^[A-Za-z0-9-]{8,64}$/),
  placementId: idSchema,
  kind: z.enum(adEventKinds),
  at: instantSchema,
})
export type AdEvent = z.output<typeof adEventSchema>

export const riderPlacementSchema = z.object({
  id: answeredIdSchema,
  agentId: answeredIdSchema,
  slot: z.enum(adSlots),
  text: z.string(),
  photoId: photoIdSchema.nullable(),
  link: adLinkSchema,
})

export const riderContentEndpoints = defineEndpoints({
  riderHelp: {
    ...app,
    method: 'GET',
    path: '/rider/v1/help',
    summary: '已发布的帮助文章：按分类与顺序，限一个服务区；可按文字搜索',
    input: z.object({
      agentId,
      areaId: idSchema.optional(),
      language,
      category: z.enum(helpCategories).optional(),
      text: z.string().trim().min(1).max(40).optional(),
    }),
    output: answerOf(z.object({ list: z.array(z.object({ ...articleHead, beginning: z.string() })) })),
  },
  riderReadHelp: {
    ...app,
    method: 'POST',
    path: '/rider/v1/help/read',
    summary: '读一篇帮助文章；给出手机号时计为一次阅读',
    input: z.object({ agentId, phone: phone.optional(), id: idSchema, language }),
    output: answerOf(
      z.object({
        ...articleHead,
        blocks: z.array(helpBlockSchema),
        changedAt: instantSchema,
        /** What the rider said of it. */
        opinion: z.enum(['useful', 'useless', 'none']),
      }),
    ),
  },
  riderJudgeHelp: {
    ...app,
    method: 'POST',
    path: '/rider/v1/help/opinion',
    summary: '骑行者说文章有用或没用；再次提交改为新的评价',
    input: z.object({ agentId, phone, id: idSchema, isUseful: z.boolean() }),
    output: answerOf(z.object({ opinion: z.enum(['useful', 'useless']) })),
  },
  riderTelephones: {
    ...app,
    method: 'GET',
    path: '/rider/v1/telephone',
    summary: '一个服务区此刻可拨打的客服电话，先显示的在前；无人接听时给出下次时间',
    input: z.object({ agentId, areaId: idSchema.optional(), language }),
    output: answerOf(
      z.object({
        lines: z.array(z.object({ label: z.string(), number: z.string() })),
        nextAt: instantSchema.nullable(),
      }),
    ),
  },
  riderPlacements: {
    ...app,
    method: 'GET',
    path: '/rider/v1/placements',
    summary: '一个广告位此刻显示的内容：按权重为该骑行者当日选出，次序固定',
    input: z.object({ agentId, phone, areaId: idSchema, slot: z.enum(adSlots), language }),
    output: answerOf(z.object({ list: z.array(riderPlacementSchema) })),
  },
  riderReportPlacements: {
    ...app,
    method: 'POST',
    path: '/rider/v1/placements/report',
    summary: '上报展示与点击，一次最多一百条；编号相同的只计一次',
    input: z.object({ agentId, phone, areaId: idSchema, events: z.array(adEventSchema).min(1).max(adEventsMax) }),
    output: answerOf(
      z.object({
        counted: z.int(),
        /** Counted before, or twice in this report. */
        repeated: z.int(),
        refused: z.array(z.object({ id: z.string(), why: z.enum(adEventRefusals) })),
      }),
    ),
  },
  riderPicture: {
    ...app,
    method: 'GET',
    path: '/rider/v1/picture',
    summary: '一张图片：已发布文章或投放中广告的；内容不变，可以缓存',
    input: z.object({ agentId, id: photoIdSchema }),
    output: answerOf(
      z.object({
        kind: z.enum(photoKinds),
        width: z.int(),
        height: z.int(),
        base64: z.string(),
      }),
    ),
  },
})
