import { z } from 'zod'
import { answeredIdSchema, answerOf, idSchema, instantSchema, searchTextSchema } from '#contract/answers.ts'
import { basePath, pageSizeMax, phonePattern, scopeListMax } from '#contract/constants.ts'
import { bodyLimits, defineEndpoints } from '#contract/endpoint.ts'
import { accountKinds, entryKinds, type EntryKind } from '#contract/finance/ledger.ts'
import { commandSchema } from '#contract/fleet/commands.ts'
import { stretchSchema } from '#contract/fleet/past.ts'
import { fenceSchema } from '#contract/geography/fences.ts'
import { benefitSchema, chargeLineSchema, returnKinds } from './price.ts'
import { priceVersionSchema } from './prices.ts'
import { refundSchema } from './refunds.ts'
import { returnReviewSchema } from './returns.ts'

/** In the order of their cells: see `orderCells`. */
export const orderStates = [
  'reserved',
  'unlocking',
  'riding',
  'paused',
  'returning',
  'cancelled',
  'failed',
  'due',
  'paid',
  'part_refunded',
  'refunded',
] as const
export type OrderState = (typeof orderStates)[number]
export const orderStateLabels: Readonly<Record<OrderState, string>> = {
  reserved: '预约中',
  unlocking: '开锁中',
  riding: '骑行中',
  paused: '临时锁车',
  returning: '还车中',
  cancelled: '已取消',
  failed: '开锁失败',
  due: '待支付',
  paid: '已支付',
  part_refunded: '部分退款',
  refunded: '已退款',
}
/** States of an order that still occupies its vehicle and its rider. */
export const busyStates = ['reserved', 'unlocking', 'riding', 'paused', 'returning'] as const satisfies OrderState[]

/** Amounts that a list can be cut at: a filter by amount is a choice of the spans between them. */
export const amountMarksCents = [1, 200, 300, 500, 1_000, 2_000, 5_000] as const
const statesWithAmount: ReadonlySet<OrderState> = new Set(['due', 'paid', 'part_refunded', 'refunded'])

export type OrderCellFilter = {
  readonly states?: readonly OrderState[] | undefined
  readonly amountFromCents?: number | undefined
  readonly amountBelowCents?: number | undefined
}

/**
 * State and amount as one number, as the database's `order_cell` computes it.
 */
export function orderCell(state: OrderState, cents: number): number {
  return (orderStates.indexOf(state) + 1) * 16 + amountMarksCents.filter((mark) => mark <= cents).length
}

/** The cells that fit a filter; null where it asks for nothing. Orders that were never charged count as 0. */
export function orderCells({ states, amountFromCents, amountBelowCents }: OrderCellFilter): number[] | null {
  if (states === undefined && amountFromCents === undefined && amountBelowCents === undefined) return null
  const from = amountFromCents ?? 0
  const below = amountBelowCents ?? Number.POSITIVE_INFINITY
  return (states ?? orderStates).flatMap((state) => {
    const amounts = statesWithAmount.has(state) ? [0, ...amountMarksCents] : [0]
    return amounts.filter((cents) => cents >= from && cents < below).map((cents) => orderCell(state, cents))
  })
}

const markSchema = z
  .int()
  .refine((cents) => amountMarksCents.some((mark) => mark === cents), { error: '金额只能取给出的分档' })

const orderNumberPattern = /^\d{16}$/

/** Conditions that an order must all meet; one that is absent asks for nothing. */
export const orderFilterSchema = z.strictObject({
  /** Number of an order, or of a vehicle, or a rider's whole phone number. */
  number: searchTextSchema.regex(orderNumberPattern).optional(),
  vehicleNumber: searchTextSchema.min(1).max(20).optional(),
  phone: z.string().regex(phonePattern).optional(),
  riderId: idSchema.optional(),
  areaIds: z.array(idSchema).max(scopeListMax).optional(),
  states: z.array(z.enum(orderStates)).min(1).max(orderStates.length).optional(),
  /** By the time at which the order was placed. */
  from: instantSchema.optional(),
  to: instantSchema.optional(),
  amountFromCents: markSchema.optional(),
  amountBelowCents: markSchema.optional(),
})
export type OrderFilter = z.output<typeof orderFilterSchema>

/** Above so many the count is told as "so many or more". */
export const orderCountMax = 10_000

const entryKindNames = Object.keys(entryKinds) as EntryKind[]
const placeSchema = z.object({ lat: z.number(), lng: z.number() })

export const orderSchema = z.object({
  id: answeredIdSchema,
  number: z.string(),
  agentId: answeredIdSchema,
  company: z.string(),
  areaId: answeredIdSchema,
  areaName: z.string(),
  vehicleId: answeredIdSchema,
  vehicleNumber: z.string(),
  riderId: answeredIdSchema,
  /** Its middle is hidden. */
  riderPhone: z.string(),
  state: z.enum(orderStates),
  placedAt: instantSchema,
  startedAt: instantSchema.nullable(),
  endedAt: instantSchema.nullable(),
  distanceM: z.number().nullable(),
  returnKind: z.enum(returnKinds).nullable(),
  /** Null before the ride has ended. */
  chargedCents: z.int().nullable(),
  refundedCents: z.int(),
})
export type Order = z.infer<typeof orderSchema>

export const returnCheckSchema = z.object({
  id: answeredIdSchema,
  checkedAt: instantSchema,
  place: placeSchema.nullable(),
  kind: z.enum(returnKinds),
  fenceName: z.string().nullable(),
  fenceVersion: z.int().nullable(),
  /** To the nearest place where returning costs nothing; null where there is none. */
  distanceM: z.number().nullable(),
  accepted: z.boolean(),
})
export type ReturnCheck = z.infer<typeof returnCheckSchema>

/** One entry of the ledger about the order. */
export const orderEntrySchema = z.object({
  number: z.int(),
  kind: z.enum(entryKindNames),
  at: instantSchema,
  /** Positive: the account is owed more. */
  lines: z.array(z.object({ account: z.enum(accountKinds), amountCents: z.int() })),
})
export type OrderEntry = z.infer<typeof orderEntrySchema>

/** Everything that explains an order's charge. */
export const orderDetailSchema = z.object({
  order: orderSchema,
  riderName: z.string().nullable(),
  failure: z.string().nullable(),
  start: placeSchema.nullable(),
  end: placeSchema.nullable(),
  priceVersion: priceVersionSchema.nullable(),
  benefits: z.array(benefitSchema),
  lines: z.array(chargeLineSchema.extend({ n: z.int() })),
  checks: z.array(returnCheckSchema),
  review: returnReviewSchema.nullable(),
  returnPhotoCount: z.int(),
  refunds: z.array(refundSchema),
  entries: z.array(orderEntrySchema),
  commands: z.array(commandSchema),
  track: z.array(stretchSchema),
  /** In force at the end of the ride, around its way. */
  fences: z.array(fenceSchema),
})
export type OrderDetail = z.infer<typeof orderDetailSchema>

const cursorSchema = z.string().max(200)
const page = {
  list: z.array(orderSchema),
  /** Null: this was the last page. */
  nextCursor: z.string().nullable(),
}
const orders = { host: 'platform', permission: ['1601'], scope: 'area', idempotency: 'none' } as const

export const orderExportPartRows = 5_000

export const orderEndpoints = defineEndpoints({
  searchOrders: {
    ...orders,
    method: 'GET',
    path: `${basePath}/platform/order`,
    summary: '按条件查找骑行订单，新的在前：按键值续读，总数精确到一万',
    input: z.object({
      filter: orderFilterSchema.default({}),
      cursor: cursorSchema.optional(),
      pageSize: z.coerce.number().int().min(1).max(pageSizeMax).default(20),
    }),
    output: answerOf(
      z.object({
        ...page,
        /** Only with the first page; at most `orderCountMax`. */
        count: z.int().nullable(),
        isCountCut: z.boolean(),
      }),
    ),
  },
  riderOrders: {
    ...orders,
    permission: ['1601', '070101'],
    method: 'GET',
    path: `${basePath}/user/order`,
    summary: '一位骑行者的订单，新的在前',
    input: z
      .object({
        phone: z.string().regex(phonePattern).optional(),
        riderId: idSchema.optional(),
        cursor: cursorSchema.optional(),
        pageSize: z.coerce.number().int().min(1).max(pageSizeMax).default(20),
      })
      .refine(({ phone, riderId }) => phone !== undefined || riderId !== undefined, { error: '请给出手机号或骑行者' }),
    output: answerOf(z.object(page)),
  },
  orderDetail: {
    ...orders,
    permission: ['1601', 'returnCarApp'],
    method: 'GET',
    path: `${basePath}/platform/order/detail`,
    summary: '一个订单的全部依据：轨迹、围栏、计价版本、还车判定、指令、费用明细、退款',
    input: z.object({ id: idSchema }),
    output: answerOf(orderDetailSchema),
  },
  exportOrders: {
    ...orders,
    method: 'POST',
    path: `${basePath}/platform/order/export`,
    bodyLimitBytes: bodyLimits.lists,
    load: 'file',
    summary: '导出订单（CSV）：逐段取回，每一段都重新核对权限与范围',
    input: z.object({
      filter: orderFilterSchema.default({}),
      /** Both from the part before; absent for the first. */
      cursor: cursorSchema.optional(),
      exportId: z.uuid().optional(),
    }),
    output: answerOf(
      z.object({
        exportId: z.string(),
        fileName: z.string(),
        text: z.string(),
        rows: z.int(),
        nextCursor: z.string().nullable(),
      }),
    ),
  },
})
