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
import { basePath } from '#contract/constants.ts'
import { bodyLimits, defineEndpoints } from '#contract/endpoint.ts'
import { fields, list } from '#contract/list.ts'
import { photoIdSchema, photoSchema, shownPhotoSchema } from '#contract/photos/photo.ts'

/** Placements in the riders' app: what stands in which slot, where, when, and how often it was seen and tapped. */

export const adSlots = ['popup', 'banner', 'scan', 'ride_end', 'mine'] as const
export type AdSlot = (typeof adSlots)[number]
export const adSlotLabels: Readonly<Record<AdSlot, string>> = {
  popup: '首页弹窗',
  banner: '首页横幅',
  scan: '扫码页',
  ride_end: '骑行结束页',
  mine: '我的页',
}

interface SlotRule {
  /** Width to height of a picture, with a tolerance of `adRatioTolerance`. */
  readonly ratio: readonly [width: number, height: number]
  readonly minWidth: number
  /** Placements that the slot shows one after another. */
  readonly shown: number
}
export const adSlotRules: Readonly<Record<AdSlot, SlotRule>> = {
  popup: { ratio: [3, 4], minWidth: 480, shown: 1 },
  banner: { ratio: [16, 9], minWidth: 640, shown: 5 },
  scan: { ratio: [3, 1], minWidth: 600, shown: 1 },
  ride_end: { ratio: [2, 1], minWidth: 600, shown: 2 },
  mine: { ratio: [4, 1], minWidth: 600, shown: 1 },
}
export const adRatioTolerance = 0.05

/** Whether a picture fits a slot. */
export function fitsSlot(
  slot: AdSlot,
  { width, height }: { readonly width: number; readonly height: number },
): boolean {
  const { ratio, minWidth } = adSlotRules[slot]
  const wanted = ratio[0] / ratio[1]
  return width >= minWidth && Math.abs(width / height / wanted - 1) <= adRatioTolerance
}

export const adPages = ['activity', 'mall', 'coupon', 'help', 'wallet', 'invite'] as const
export type AdPage = (typeof adPages)[number]
export const adPageLabels: Readonly<Record<AdPage, string>> = {
  activity: '活动',
  mall: '商城',
  coupon: '领券',
  help: '帮助文章',
  wallet: '钱包',
  invite: '邀请好友',
}

/** Pages of which a link can open one thing: an activity, a card, a kind of coupon, an article. */
export const adTargetPages = ['activity', 'mall', 'coupon', 'help'] as const satisfies readonly AdPage[]
export type AdTargetPage = (typeof adTargetPages)[number]
export const isTargetPage = (page: AdPage): page is AdTargetPage => (adTargetPages as readonly AdPage[]).includes(page)
/** Things of one page that a form offers. */
export const adTargetsMax = 500

export const adLinkSchema = z.discriminatedUnion('to', [
  z.strictObject({ to: z.literal('none') }),
  z.strictObject({
    to: z.literal('web'),
    url: z
      .string()
      .trim()
      .max(500)
      .regex(/^https:\/\/[a-z0-9.-]+(?::\d{1,5})?(?:[/?#]\S*)?$/i, { error: '链接须以 https:// 开头' }),
  }),
  z.strictObject({
    to: z.literal('page'),
    page: z.enum(adPages),
    /** Which one of its kind, e.g. the activity; null: the page of all. */
    id: z.int().positive().nullable().default(null),
  }),
])
export type AdLink = z.output<typeof adLinkSchema>

export const adNameMax = 40
export const adTextMax = 60
export const adWeightMax = 100
export const adDayCapMax = 50
/** Placements of one company that are not ended. */
export const adPlacementsMax = 200
const minuteOfDay = z.int().min(0).max(1_440)

/** What a placement shows, as each version stores it. */
export const adContentSchema = z
  .strictObject({
    name: plainTextSchema.trim().min(1).max(adNameMax),
    /** Null: text alone. */
    photoId: photoIdSchema.nullable().default(null),
    /** Of English readers; null: the same picture. */
    photoIdEn: photoIdSchema.nullable().default(null),
    text: plainTextSchema.trim().max(adTextMax).default(''),
    textEn: plainTextSchema.trim().max(120).default(''),
    link: adLinkSchema,
    /** None: all areas of the company. */
    areaIds: z.array(z.int().positive()).max(500).default([]),
    startsAt: instantSchema,
    /** Null: until it is ended. */
    endsAt: instantSchema.nullable().default(null),
    /** Hours of the day. They may go on beyond midnight: then `from` is the later of the two. Null: all day. */
    hours: z
      .strictObject({ from: minuteOfDay, to: minuteOfDay })
      .refine(({ from, to }) => from !== to, { error: '开始与结束时间不能相同' })
      .nullable()
      .default(null),
    weight: z.int().min(1).max(adWeightMax).default(10),
    /** Impressions for one rider on one day at most; null: any number. */
    riderDayCap: z.int().min(1).max(adDayCapMax).nullable().default(null),
  })
  .refine(({ photoId, text }) => photoId !== null || text !== '', { error: '请添加图片或填写文字', path: ['text'] })
  .refine(({ startsAt, endsAt }) => endsAt === null || endsAt > startsAt, {
    error: '结束时间须晚于开始时间',
    path: ['endsAt'],
  })
export type AdContent = z.output<typeof adContentSchema>

export const adStates = ['draft', 'scheduled', 'on', 'paused', 'ended'] as const
export type AdState = (typeof adStates)[number]
export const adStateLabels: Readonly<Record<AdState, string>> = {
  draft: '草稿',
  scheduled: '待投放',
  on: '投放中',
  paused: '已暂停',
  ended: '已结束',
}
/** What a person can do with a placement. */
export const adSteps = ['start', 'pause', 'end'] as const
export type AdStep = (typeof adSteps)[number]

export const adPlacementSchema = z.object({
  id: answeredIdSchema,
  agentId: answeredIdSchema,
  company: z.string(),
  slot: z.enum(adSlots),
  state: z.enum(adStates),
  version: z.int(),
  name: z.string(),
  content: adContentSchema,
  /** The name of the one thing that a tap opens; null where it opens a page of many, a web page or nothing. */
  targetName: z.string().nullable(),
  /** That thing has ended or was withdrawn. */
  isTargetOver: z.boolean(),
  impressions: z.int(),
  taps: z.int(),
  /** Taps for a hundred impressions, to two decimals; null: no impression. */
  rate: z.number().nullable(),
  /** Riders who saw it, counted each day. */
  riderDays: z.int(),
  createdAt: instantSchema,
  changedAt: instantSchema,
  changedBy: z.string(),
})
export type AdPlacement = z.infer<typeof adPlacementSchema>

export const adFilterSchema = z.strictObject({
  states: z.array(z.enum(adStates)).min(1).max(adStates.length).optional(),
  slots: z.array(z.enum(adSlots)).min(1).max(adSlots.length).optional(),
  /** Part of the name. */
  name: searchTextSchema.min(1).max(40).optional(),
  /** Shown in one of these areas. */
  areaIds: z.array(idSchema).min(1).max(500).optional(),
  id: idSchema.optional(),
})
export type AdFilter = z.output<typeof adFilterSchema>

export const adList = list({ row: adPlacementSchema, filter: adFilterSchema, sorts: { created: 'desc' } })

export const adFields = fields<AdPlacement>()({
  id: '编号',
  name: '名称',
  slot: { title: '广告位', labels: adSlotLabels },
  state: { title: '状态', labels: adStateLabels },
  version: { title: '版本', as: 'count' },
  targetName: '点击后打开',
  impressions: { title: '展示', as: 'count' },
  taps: { title: '点击', as: 'count' },
  rate: { title: '点击率', as: 'percent' },
  riderDays: { title: '看到的人次', as: 'count' },
  company: '加盟商',
  createdAt: { title: '创建时间', as: 'instant' },
  changedAt: { title: '修改时间', as: 'instant' },
  changedBy: '修改人',
})

/** What one placement did in one area on one day. */
export const adDaySchema = z.object({
  /** Placement, area and day in one text. */
  id: z.string(),
  placementId: answeredIdSchema,
  agentId: answeredIdSchema,
  name: z.string(),
  slot: z.enum(adSlots),
  areaId: answeredIdSchema,
  area: z.string(),
  /** `YYYY-MM-DD`. */
  day: z.string(),
  impressions: z.int(),
  taps: z.int(),
  rate: z.number().nullable(),
  riders: z.int(),
})
export type AdDay = z.infer<typeof adDaySchema>

export const adDayFilterSchema = z.strictObject({
  placementId: idSchema.optional(),
  slots: z.array(z.enum(adSlots)).min(1).max(adSlots.length).optional(),
  areaIds: z.array(idSchema).min(1).max(500).optional(),
  /** By the day; both inclusive, `YYYY-MM-DD`. */
  fromDay: z.iso.date().optional(),
  toDay: z.iso.date().optional(),
})
export type AdDayFilter = z.output<typeof adDayFilterSchema>

/** Days that are listed at most: beyond it the list begins with the latest. */
export const adDaysMax = 5_000
export const adTrendDaysMax = 92
export const adDayList = list({
  row: adDaySchema,
  filter: adDayFilterSchema,
  sorts: { day: 'desc', impressions: 'desc', taps: 'desc' },
})

export const adDayFields = fields<AdDay>()({
  day: { title: '日期', as: 'date' },
  name: '广告',
  slot: { title: '广告位', labels: adSlotLabels },
  area: '服务区',
  impressions: { title: '展示', as: 'count' },
  taps: { title: '点击', as: 'count' },
  rate: { title: '点击率', as: 'percent' },
  riders: { title: '看到的人数', as: 'count' },
})

/** Taps for a hundred impressions, to two decimals; null: no impression. */
export const adRate = (impressions: number, taps: number): number | null =>
  impressions === 0 ? null : Math.round((taps / impressions) * 10_000) / 100

const path = `${basePath}/marketing/placement`
const rights = { host: 'platform', permission: 'session', scope: 'agent' } as const
/** Everybody who logs in may look at placements; what riders see is decided by those who run the marketing. */
export const adEditors = ['17', '1704', '1709'] as const
const works = { ...rights, permission: adEditors, method: 'POST', idempotency: 'key' } as const

export const adEndpoints = defineEndpoints({
  listAds: { ...rights, ...adList.page, path, summary: '广告：广告位、状态、展示与点击，新的在前' },
  exportAds: { ...rights, ...adList.file, path: `${path}/export`, summary: '导出广告（CSV）' },
  saveAd: {
    ...works,
    path,
    summary: '新增广告，或为已有广告写新版本；投放中的立即生效，广告位不能改',
    input: z
      .object({
        /** Absent: a new placement. */
        id: idSchema.optional(),
        version: versionSchema.optional(),
        agentId: idSchema.optional(),
        slot: z.enum(adSlots).optional(),
        content: adContentSchema,
      })
      .refine(
        ({ id, version, agentId, slot }) =>
          id === undefined ? agentId !== undefined && slot !== undefined : version !== undefined,
        { error: '请给出加盟商与广告位，或广告与版本' },
      ),
    output: answerOf(z.object({ id: answeredIdSchema, version: z.int() })),
  },
  switchAd: {
    ...works,
    path: `${path}/state`,
    reverse: 'switchAd',
    summary: '投放、暂停或结束广告；结束后不能再投放',
    input: z.object({ id: idSchema, step: z.enum(adSteps) }),
    output: answerOf(z.object({ id: answeredIdSchema, state: z.enum(adStates), before: z.enum(adStates) })),
  },
  adVersions: {
    ...rights,
    method: 'GET',
    idempotency: 'none',
    path: `${path}/versions`,
    summary: '一个广告的历次版本，新的在前，最多五十次',
    input: z.object({ id: idSchema }),
    output: answerOf(
      z.object({
        list: z.array(
          z.object({
            version: z.int(),
            content: adContentSchema,
            targetName: z.string().nullable(),
            isTargetOver: z.boolean(),
            madeAt: instantSchema,
            madeBy: z.string(),
          }),
        ),
      }),
    ),
  },
  adTargets: {
    ...rights,
    method: 'GET',
    idempotency: 'none',
    path: `${path}/targets`,
    summary: '广告点击后可以打开的活动、卡、优惠券与文章：未结束的，新的在前，每类最多五百个',
    input: z.object({ agentId: idSchema }),
    output: answerOf(
      z.object({ list: z.array(z.object({ page: z.enum(adTargetPages), id: answeredIdSchema, name: z.string() })) }),
    ),
  },
  keepAdPicture: {
    ...works,
    path: `${path}/picture`,
    bodyLimitBytes: bodyLimits.photos,
    summary: '上传广告图片：尺寸与比例须符合广告位；一天内未使用的会被删除',
    input: z.object({ agentId: idSchema, slot: z.enum(adSlots), photo: photoSchema }),
    output: answerOf(z.object({ photoId: photoIdSchema })),
  },
  adPictures: {
    ...rights,
    method: 'GET',
    idempotency: 'none',
    path: `${path}/picture`,
    summary: '广告的图片，最多两张',
    input: z.object({ ids: z.array(photoIdSchema).min(1).max(2) }),
    output: answerOf(z.object({ list: z.array(shownPhotoSchema) })),
  },
  listAdDays: {
    ...rights,
    ...adDayList.page,
    path: `${path}/days`,
    summary: '展示与点击：按日、服务区与广告位',
  },
  adTrend: {
    ...rights,
    method: 'GET',
    idempotency: 'none',
    path: `${path}/trend`,
    summary: '一个广告每日的展示与点击，最近的最多九十二天',
    input: z.object({ id: idSchema, days: z.coerce.number().int().min(1).max(adTrendDaysMax).default(30) }),
    output: answerOf(
      z.object({
        list: z.array(z.object({ day: z.string(), impressions: z.int(), taps: z.int(), riders: z.int() })),
      }),
    ),
  },
  exportAdDays: { ...rights, ...adDayList.file, path: `${path}/days/export`, summary: '导出展示与点击（CSV）' },
})
