import { z } from 'zod'
import {
  answeredIdSchema,
  answerOf,
  idSchema,
  instantSchema,
  plainTextSchema,
  searchTextSchema,
} from '#contract/answers.ts'
import { basePath, phonePattern, scopeListMax } from '#contract/constants.ts'
import { bodyLimits, defineEndpoints } from '#contract/endpoint.ts'
import { fields, list } from '#contract/list.ts'
import { photosSchema, shownPhotoSchema } from '#contract/photos/photo.ts'
import { returnKindLabels, returnKinds } from './price.ts'

export const reviewStates = ['open', 'kept', 'waived'] as const
export type ReviewState = (typeof reviewStates)[number]
export const reviewStateLabels: Readonly<Record<ReviewState, string>> = {
  open: '待审批',
  kept: '维持收费',
  waived: '已免除',
}

/** Opened by the fee itself, or because the rider disputes it. */
export const reviewCauses = ['fee', 'dispute'] as const

/** A return that a person has to look at, or has looked at. */
export const returnReviewSchema = z.object({
  orderId: answeredIdSchema,
  openedAt: instantSchema,
  cause: z.enum(reviewCauses),
  claim: z.string(),
  feeCents: z.int(),
  state: z.enum(reviewStates),
  decidedAt: instantSchema.nullable(),
  decidedBy: z.string().nullable(),
  note: z.string(),
})

export const listedReviewSchema = returnReviewSchema.extend({
  number: z.string(),
  riderId: answeredIdSchema,
  vehicleNumber: z.string(),
  riderPhone: z.string(),
  areaId: answeredIdSchema,
  areaName: z.string(),
  endedAt: instantSchema.nullable(),
  chargedCents: z.int().nullable(),
  refundedCents: z.int(),
  returnKind: z.enum(returnKinds).nullable(),
  /** Metres to the nearest place where returning costs nothing. */
  distanceM: z.number().nullable(),
  /** Where the vehicle was left; null: it did not report a position. */
  lat: z.number().nullable(),
  lng: z.number().nullable(),
  photoCount: z.int(),
})
export type ListedReview = z.infer<typeof listedReviewSchema>

/** Choices of the farthest distance to a place, in metres: a position is not more exact than the first. */
export const nearReturnsM = [30, 50, 100] as const
export const nearReturnMaxM = 1_000

/** Returns that are decided together. */
export const decisionBatchMax = 100
export const decisionNoteMax = 200
/** In one call, and of one order in all. */
export const returnPhotosMax = 3
export const returnPhotosInAllMax = 9
/** What a rider sends along with a return or a dispute. */
export const returnPhotosSchema = photosSchema(returnPhotosMax).optional()

/** Conditions that a return must all meet; one that is absent asks for nothing. */
export const reviewFilterSchema = z.strictObject({
  /** Absent: those that wait. */
  states: z.array(z.enum(reviewStates)).min(1).max(reviewStates.length).optional(),
  /** Number of an order, or of a vehicle, or a rider's whole phone number. */
  number: searchTextSchema.regex(/^\d{16}$/).optional(),
  vehicleNumber: searchTextSchema.min(1).max(20).optional(),
  phone: z.string().regex(phonePattern).optional(),
  areaIds: z.array(idSchema).max(scopeListMax).optional(),
  kinds: z.array(z.enum(returnKinds)).min(1).max(returnKinds.length).optional(),
  /** Only what riders dispute. */
  disputed: z.boolean().optional(),
  /** Left outside of a place, and no farther from it. */
  withinM: z.int().min(1).max(nearReturnMaxM).optional(),
  /** By the time at which it was opened. */
  from: instantSchema.optional(),
  to: instantSchema.optional(),
})
export type ReviewFilter = z.output<typeof reviewFilterSchema>

/** What becomes of a return: a fee that was kept may be thought over again, money that was given back stays given. */
export const reviewDecisions = ['kept', 'waived', 'open'] as const
export type ReviewDecision = (typeof reviewDecisions)[number]

export const reviewFields = fields<ListedReview>()({
  number: '订单编号',
  riderPhone: '手机号',
  vehicleNumber: '车辆编号',
  areaName: '服务区',
  endedAt: { title: '还车时间', as: 'instant' },
  returnKind: { title: '还车判定', labels: returnKindLabels },
  distanceM: { title: '距停车点', as: 'count', unit: '米' },
  feeCents: { title: '还车费用', as: 'cents' },
  claim: '骑行者说明',
  photoCount: { title: '照片', as: 'count', unit: '张' },
  openedAt: { title: '提交时间', as: 'instant' },
  state: { title: '状态', labels: reviewStateLabels },
  decidedBy: '审批人',
  decidedAt: { title: '审批时间', as: 'instant' },
  note: '审批说明',
})

export const reviewList = list({
  row: listedReviewSchema,
  filter: reviewFilterSchema,
  // What was disputed or opened first can be looked at first.
  sorts: { opened: 'desc', fee: 'desc' },
  sums: ['feeCents'],
  secret: ['phone'],
})

const reviews = {
  host: 'platform',
  permission: ['returnCarApp'],
  scope: 'area',
  path: `${basePath}/platform/order/return`,
} as const

export const returnEndpoints = defineEndpoints({
  listReturnReviews: {
    ...reviews,
    ...reviewList.page,
    summary: '还车审批：停车点外、区外、禁停区还车与骑行者提出异议的还车，按时间或费用排序',
  },
  sumReturnReviews: {
    ...reviews,
    ...reviewList.sums,
    path: `${basePath}/platform/order/return/sums`,
    summary: '符合条件的还车的数量与费用合计',
  },
  returnPhotos: {
    ...reviews,
    permission: ['returnCarApp', '1601'],
    method: 'GET',
    idempotency: 'none',
    path: `${basePath}/platform/order/return/photos`,
    summary: '一次还车的照片：还车时拍的与提出异议时补的',
    input: z.object({ orderId: idSchema }),
    output: answerOf(z.object({ list: z.array(shownPhotoSchema) })),
  },
  exportReturnReviews: {
    ...reviews,
    ...reviewList.file,
    path: `${basePath}/platform/order/return/export`,
    bodyLimitBytes: bodyLimits.lists,
    summary: '导出还车审批（CSV）：逐段取回，每一段都重新核对权限与范围',
  },
  decideReturns: {
    writes: 'ledger',
    // A fee that was kept is opened again.
    reverse: 'decideReturns',
    ...reviews,
    method: 'POST',
    idempotency: 'key',
    summary: '批量审批还车：维持收费，或免除费用（已付的退还，未付的减免）；维持收费的可重新打开或改为免除',
    input: z.object({
      orderIds: z.array(idSchema).min(1).max(decisionBatchMax),
      decision: z.enum(reviewDecisions),
      note: plainTextSchema.trim().max(decisionNoteMax).default(''),
    }),
    output: answerOf(
      z.object({
        decided: z.array(answeredIdSchema),
        /** Each for itself: what could not be decided does not hold up the rest. */
        refused: z.array(z.object({ orderId: answeredIdSchema, promot: z.string() })),
      }),
    ),
  },
})
