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
import { helpBlocksMax, helpPicturesMax, picturesOf, unsafeLinkOf } from './helpText.ts'

/** Help articles that riders read: their versions, order, areas, and who has read them. */

/** In the order in which the riders' app shows them. */
export const helpCategories = ['start', 'ride', 'return', 'charge', 'account', 'safety', 'other'] as const
export type HelpCategory = (typeof helpCategories)[number]
export const helpCategoryLabels: Readonly<Record<HelpCategory, string>> = {
  start: '开始用车',
  ride: '骑行',
  return: '还车',
  charge: '费用',
  account: '账户与押金',
  safety: '安全',
  other: '其他',
}

export const helpStates = ['draft', 'scheduled', 'published', 'withdrawn'] as const
export type HelpState = (typeof helpStates)[number]
export const helpStateLabels: Readonly<Record<HelpState, string>> = {
  draft: '草稿',
  scheduled: '待发布',
  published: '已发布',
  withdrawn: '已撤下',
}

export const helpTitleMax = 60
export const helpBodyMax = 8_000
export const helpAreasMax = 500
/** Articles of one company. */
export const helpArticlesMax = 300
export const helpVersionsMax = 50

const body = plainTextSchema
  .trim()
  .max(helpBodyMax)
  .refine((text) => unsafeLinkOf(text) === null, { error: '链接只能是 https:// 或 tel: 开头' })
  .refine((text) => text.split('\n').length <= helpBlocksMax * 4, { error: '正文段落过多' })
  .refine((text) => picturesOf(text).length <= helpPicturesMax, { error: '一篇文章最多 8 张图片' })

/** What an article says, as each version stores it. English may be missing: riders then read Chinese. */
export const helpContentSchema = z
  .strictObject({
    category: z.enum(helpCategories),
    /** None: all areas of the company. */
    areaIds: z.array(z.int().positive()).max(helpAreasMax).default([]),
    title: plainTextSchema.trim().min(1).max(helpTitleMax),
    body: body.min(1),
    titleEn: plainTextSchema.trim().max(helpTitleMax).default(''),
    bodyEn: body.default(''),
  })
  .refine(({ titleEn, bodyEn }) => (titleEn === '') === (bodyEn === ''), {
    error: '英文标题与正文须一起填写，或都留空',
    path: ['titleEn'],
  })
export type HelpContent = z.output<typeof helpContentSchema>

export const helpArticleSchema = z.object({
  id: answeredIdSchema,
  agentId: answeredIdSchema,
  company: z.string(),
  category: z.enum(helpCategories),
  /** From 1, within the company and category. */
  position: z.int(),
  state: z.enum(helpStates),
  title: z.string(),
  titleEn: z.string(),
  areaIds: z.array(answeredIdSchema),
  version: z.int(),
  /** What riders read; null: nothing. */
  liveVersion: z.int().nullable(),
  /** When another version takes its place. */
  nextAt: instantSchema.nullable(),
  nextVersion: z.int().nullable(),
  pictures: z.int(),
  views: z.int(),
  readers: z.int(),
  useful: z.int(),
  useless: z.int(),
  createdAt: instantSchema,
  changedAt: instantSchema,
  changedBy: z.string(),
})
export type HelpArticle = z.infer<typeof helpArticleSchema>

export const helpFilterSchema = z.strictObject({
  states: z.array(z.enum(helpStates)).min(1).max(helpStates.length).optional(),
  categories: z.array(z.enum(helpCategories)).min(1).max(helpCategories.length).optional(),
  /** Part of a title or a text, in either language. */
  text: searchTextSchema.min(1).max(40).optional(),
  /** Shown in one of these areas. */
  areaIds: z.array(idSchema).min(1).max(helpAreasMax).optional(),
  /** English is missing. */
  isUntranslated: z.boolean().optional(),
  id: idSchema.optional(),
})
export type HelpFilter = z.output<typeof helpFilterSchema>

export const helpList = list({
  row: helpArticleSchema,
  filter: helpFilterSchema,
  sorts: { order: 'asc', changed: 'desc' },
})

export const helpFields = fields<HelpArticle>()({
  id: '编号',
  title: '标题',
  titleEn: { title: '英文标题', labels: { '': '缺少英文' } },
  category: { title: '分类', labels: helpCategoryLabels },
  position: { title: '顺序', as: 'count' },
  state: { title: '状态', labels: helpStateLabels },
  version: { title: '版本', as: 'count' },
  liveVersion: { title: '发布的版本', as: 'count' },
  nextAt: { title: '定时发布', as: 'instant' },
  pictures: { title: '图片', as: 'count' },
  views: { title: '阅读次数', as: 'count' },
  readers: { title: '读者', as: 'count' },
  useful: { title: '有用', as: 'count' },
  useless: { title: '没用', as: 'count' },
  company: '加盟商',
  createdAt: { title: '创建时间', as: 'instant' },
  changedAt: { title: '修改时间', as: 'instant' },
  changedBy: '修改人',
})

export const helpOpinions = ['useful', 'useless', 'none'] as const
export type HelpOpinion = (typeof helpOpinions)[number]
export const helpOpinionLabels: Readonly<Record<HelpOpinion, string>> = {
  useful: '有用',
  useless: '没用',
  none: '未评价',
}

export const helpReaderSchema = z.object({
  id: answeredIdSchema,
  agentId: answeredIdSchema,
  articleId: answeredIdSchema,
  riderId: answeredIdSchema,
  /** Its middle is hidden. */
  phone: z.string(),
  version: z.int(),
  views: z.int(),
  opinion: z.enum(helpOpinions),
  firstAt: instantSchema,
  lastAt: instantSchema,
  opinionAt: instantSchema.nullable(),
})
export type HelpReader = z.infer<typeof helpReaderSchema>

export const helpReaderFilterSchema = z.strictObject({
  articleId: idSchema.optional(),
  opinions: z.array(z.enum(helpOpinions)).min(1).max(helpOpinions.length).optional(),
  /** By the last view. */
  from: instantSchema.optional(),
  to: instantSchema.optional(),
})
export type HelpReaderFilter = z.output<typeof helpReaderFilterSchema>

export const helpReaderList = list({
  row: helpReaderSchema,
  filter: helpReaderFilterSchema,
  sorts: { last: 'desc' },
})

export const helpReaderFields = fields<HelpReader>()({
  riderId: '用户编号',
  phone: '手机号',
  opinion: { title: '评价', labels: helpOpinionLabels },
  opinionAt: { title: '评价时间', as: 'instant' },
  version: { title: '读到的版本', as: 'count' },
  views: { title: '阅读次数', as: 'count' },
  firstAt: { title: '首次阅读', as: 'instant' },
  lastAt: { title: '最近阅读', as: 'instant' },
})

const path = `${basePath}/config/help`
const rights = { host: 'platform', permission: ['1704'], scope: 'agent' } as const
const works = { ...rights, method: 'POST', idempotency: 'key' } as const
const stateAnswer = answerOf(z.object({ id: answeredIdSchema, state: z.enum(helpStates) }))

export const helpEndpoints = defineEndpoints({
  listHelp: { ...rights, ...helpList.page, path, summary: '帮助文章：按分类与顺序，含阅读与评价' },
  exportHelp: { ...rights, ...helpList.file, path: `${path}/export`, summary: '导出帮助文章（CSV）' },
  saveHelp: {
    ...works,
    path,
    bodyLimitBytes: bodyLimits.shape,
    summary: '新增帮助文章，或为已有文章写新版本；发布之前骑行者看不到',
    input: z
      .object({
        /** Absent: a new article. */
        id: idSchema.optional(),
        /** The version that was read; of an existing article. */
        version: versionSchema.optional(),
        /** The company of a new article. */
        agentId: idSchema.optional(),
        content: helpContentSchema,
      })
      .refine(({ id, version, agentId }) => (id === undefined ? agentId : version) !== undefined, {
        error: '请给出加盟商，或文章与版本',
      }),
    output: answerOf(z.object({ id: answeredIdSchema, version: z.int() })),
  },
  publishHelp: {
    ...works,
    path: `${path}/publish`,
    reverse: 'withdrawHelp',
    summary: '发布最新版本：立即，或在给定时间',
    input: z.object({
      id: idSchema,
      version: versionSchema,
      /** Absent: now. */
      at: instantSchema.optional(),
    }),
    output: stateAnswer,
  },
  withdrawHelp: {
    ...works,
    path: `${path}/withdraw`,
    reverse: 'publishHelp',
    summary: '撤下文章，并取消定时发布；可再次发布',
    input: z.object({ id: idSchema }),
    output: stateAnswer,
  },
  moveHelp: {
    ...works,
    path: `${path}/move`,
    reverse: 'moveHelp',
    summary: '在同一分类中把文章移到给定位置，其余顺延',
    input: z.object({ id: idSchema, position: z.int().min(1).max(helpArticlesMax) }),
    output: answerOf(z.object({ id: answeredIdSchema, position: z.int(), before: z.int() })),
  },
  helpVersions: {
    ...rights,
    method: 'GET',
    idempotency: 'none',
    path: `${path}/versions`,
    summary: '一篇文章的历次版本，新的在前，最多五十次',
    input: z.object({ id: idSchema }),
    output: answerOf(
      z.object({
        list: z.array(
          z.object({ version: z.int(), content: helpContentSchema, madeAt: instantSchema, madeBy: z.string() }),
        ),
      }),
    ),
  },
  keepHelpPicture: {
    ...works,
    path: `${path}/picture`,
    bodyLimitBytes: bodyLimits.photos,
    summary: '上传文章的图片；一天内未用于文章的会被删除',
    input: z.object({ agentId: idSchema, photo: photoSchema }),
    output: answerOf(z.object({ photoId: photoIdSchema })),
  },
  helpPictures: {
    ...rights,
    method: 'GET',
    idempotency: 'none',
    path: `${path}/picture`,
    summary: '文章的图片，最多八张',
    input: z.object({ ids: z.array(photoIdSchema).min(1).max(helpPicturesMax) }),
    output: answerOf(z.object({ list: z.array(shownPhotoSchema) })),
  },
  listHelpReaders: {
    ...rights,
    ...helpReaderList.page,
    path: `${path}/readers`,
    summary: '谁读过文章、是否有用，最近的在前',
  },
  exportHelpReaders: {
    ...rights,
    ...helpReaderList.file,
    path: `${path}/readers/export`,
    summary: '导出文章的读者与评价（CSV）：手机号只含一部分',
  },
})
