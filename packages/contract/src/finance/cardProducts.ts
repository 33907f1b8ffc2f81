import { z } from 'zod'
import {
  answerOf,
  answeredIdSchema,
  idSchema,
  instantSchema,
  searchTextSchema,
  versionSchema,
} from '#contract/answers.ts'
import { basePath } from '#contract/constants.ts'
import { defineEndpoints } from '#contract/endpoint.ts'
import { fields, list } from '#contract/list.ts'
import { cardKindLabels, cardKinds, cardTermsSchema } from './cardTerms.ts'

/** The mall: cards on sale, their order on the shelf, and what they have sold. */

export const cardProductStates = ['draft', 'on', 'paused', 'ended'] as const
export type CardProductState = (typeof cardProductStates)[number]

/** What a state amounts to now, with the days of the sale and the stock. */
export const shelfStates = ['on', 'scheduled', 'sold_out', 'over', 'paused', 'draft', 'ended'] as const
export type ShelfState = (typeof shelfStates)[number]
export const shelfStateLabels: Readonly<Record<ShelfState, string>> = {
  on: '在售',
  scheduled: '待开售',
  sold_out: '已售罄',
  over: '已过售期',
  paused: '已停售',
  draft: '草稿',
  ended: '已下架',
}

/** Stock that is left at which the shelf says so. */
export const fewLeft = 10

export const cardProductSchema = z.object({
  id: answeredIdSchema,
  agentId: answeredIdSchema,
  company: z.string(),
  kind: z.enum(cardKinds),
  name: z.string(),
  state: z.enum(cardProductStates),
  shelf: z.enum(shelfStates),
  version: z.int(),
  terms: cardTermsSchema,
  priceCents: z.int(),
  place: z.int(),
  /** Taken from the stock: sold, and waiting to be paid for. */
  sold: z.int(),
  /** Null: without a limit. */
  left: z.int().nullable(),
  activeCards: z.int(),
  /** Paid for, whatever became of them. */
  soldCards: z.int(),
  givenCards: z.int(),
  salesCents: z.int(),
  refundedCents: z.int(),
  createdAt: instantSchema,
  changedAt: instantSchema,
  changedBy: z.string(),
})
export type CardProduct = z.infer<typeof cardProductSchema>

export const cardProductFilterSchema = z.strictObject({
  shelf: z.array(z.enum(shelfStates)).min(1).max(shelfStates.length).optional(),
  kinds: z.array(z.enum(cardKinds)).min(1).max(cardKinds.length).optional(),
  /** Part of the name. */
  name: searchTextSchema.min(1).max(40).optional(),
  /** Sold for this area: everywhere, or there. */
  areaId: idSchema.optional(),
  id: idSchema.optional(),
})
export type CardProductFilter = z.output<typeof cardProductFilterSchema>

export const cardProductList = list({
  row: cardProductSchema,
  filter: cardProductFilterSchema,
  sorts: { shelf: 'asc', sold: 'desc', sales: 'desc' },
  sums: ['salesCents', 'refundedCents'],
})

export const cardProductFields = fields<CardProduct>()({
  id: '编号',
  name: '卡名称',
  kind: { title: '类型', labels: cardKindLabels },
  shelf: { title: '状态', labels: shelfStateLabels },
  priceCents: { title: '售价', as: 'cents' },
  place: { title: '货架顺序', as: 'count' },
  sold: { title: '已占库存', as: 'count' },
  left: { title: '剩余库存', as: 'count', labels: { null: '不限' } },
  soldCards: { title: '已售', as: 'count' },
  activeCards: { title: '生效中', as: 'count' },
  givenCards: { title: '已赠送', as: 'count' },
  salesCents: { title: '销售额', as: 'cents' },
  refundedCents: { title: '退卡金额', as: 'cents' },
  company: '加盟商',
  createdAt: { title: '创建时间', as: 'instant' },
  changedAt: { title: '修改时间', as: 'instant' },
  changedBy: '修改人',
})

export const cardProductsMax = 500
const path = `${basePath}/config/cards`
const rights = { host: 'platform', permission: ['1703'], scope: 'agent' } as const
const works = { ...rights, method: 'POST', idempotency: 'key' } as const

export const cardProductEndpoints = defineEndpoints({
  listCardProducts: {
    ...rights,
    ...cardProductList.page,
    path,
    summary: '商城：在售与停售的卡，按货架顺序，附库存与销量',
  },
  sumCardProducts: { ...rights, ...cardProductList.sums, path: `${path}/sums`, summary: '符合条件的卡的销售额合计' },
  exportCardProducts: { ...rights, ...cardProductList.file, path: `${path}/export`, summary: '导出商城的卡（CSV）' },
  createCardProduct: {
    ...works,
    path,
    summary: '新增一种卡，存为草稿或直接上架；排在货架末尾',
    input: z.object({ agentId: idSchema, terms: cardTermsSchema, isDraft: z.boolean().default(false) }),
    output: answerOf(z.object({ id: answeredIdSchema, version: z.int() })),
  },
  changeCardProduct: {
    ...works,
    method: 'PUT',
    path,
    summary: '修改一种卡：产生新版本，已售出的卡不变；库存不能低于已占用的',
    input: z.object({ id: idSchema, version: versionSchema, terms: cardTermsSchema }),
    output: answerOf(z.object({ id: answeredIdSchema, version: z.int() })),
  },
  switchCardProduct: {
    ...works,
    path: `${path}/state`,
    reverse: 'switchCardProduct',
    summary: '上架、停售或下架一种卡；已售出的卡继续有效，下架后不能恢复',
    input: z.object({ id: idSchema, state: z.enum(['on', 'paused', 'ended']) }),
    output: answerOf(z.object({ id: answeredIdSchema, state: z.enum(cardProductStates) })),
  },
  orderCardProducts: {
    ...works,
    path: `${path}/order`,
    reverse: 'orderCardProducts',
    summary: '一家加盟商的货架顺序：给出的卡依次排在前面，其余保持原来的先后',
    input: z.object({ agentId: idSchema, ids: z.array(idSchema).min(1).max(cardProductsMax) }),
    output: answerOf(z.object({ ids: z.array(answeredIdSchema) })),
  },
  cardProductVersions: {
    ...rights,
    method: 'GET',
    idempotency: 'none',
    path: `${path}/versions`,
    summary: '一种卡的历次规则与修改人，新的在前，最多五十次',
    input: z.object({ id: idSchema }),
    output: answerOf(
      z.object({
        list: z.array(
          z.object({ version: z.int(), terms: cardTermsSchema, madeAt: instantSchema, madeBy: z.string() }),
        ),
      }),
    ),
  },
  cardProductFigures: {
    ...rights,
    method: 'GET',
    idempotency: 'none',
    path: `${path}/figures`,
    summary: '一种卡卖得怎样：各状态张数、销售额、已确认收入、用了多少次、为骑行者省了多少，以及近三十天每天售出',
    input: z.object({ id: idSchema }),
    output: answerOf(
      z.object({
        waiting: z.int(),
        active: z.int(),
        over: z.int(),
        refunded: z.int(),
        lapsed: z.int(),
        given: z.int(),
        riders: z.int(),
        salesCents: z.int(),
        refundedCents: z.int(),
        /** Sold, neither earned nor paid back yet. */
        unearnedCents: z.int(),
        rides: z.int(),
        savedCents: z.int(),
        days: z.array(z.object({ day: z.string(), sold: z.int() })),
      }),
    ),
  },
})
