import { z } from 'zod'
import { answeredIdSchema, answerOf, idSchema, instantSchema, searchTextSchema } from '#contract/answers.ts'
import { basePath, phonePattern, scopeListMax } from '#contract/constants.ts'
import { bodyLimits, defineEndpoints } from '#contract/endpoint.ts'
import { accountKinds, entryKinds, type EntryKind } from '#contract/finance/ledger.ts'
import { fields, list } from '#contract/list.ts'
import { commandSchema } from '#contract/fleet/commands.ts'
import { stretchSchema } from '#contract/fleet/past.ts'
import { fenceSchema } from '#contract/geography/fences.ts'
import { benefitSchema, skippedBenefitSchema, usedGiftSchema } from './benefits.ts'
import { chargeLineSchema, returnKindLabels, returnKinds } from './price.ts'
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

/** Where the cells of orders begin: an index finds an amount by the cells that its span overlaps. */
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

/** The cells that a filter overlaps; null where it asks for nothing. Orders that were never charged count as 0. */
export function orderCells({ states, amountFromCents, amountBelowCents }: OrderCellFilter): number[] | null {
  if (states === undefined && amountFromCents === undefined && amountBelowCents === undefined) return null
  const from = amountFromCents ?? 0
  const below = amountBelowCents ?? Number.POSITIVE_INFINITY
  const begins = [0, ...amountMarksCents]
  return (states ?? orderStates).flatMap((state) => {
    const amounts = statesWithAmount.has(state) ? begins : [0]
    return amounts
      .filter((cents, index) => cents < below && (begins[index + 1] ?? Number.POSITIVE_INFINITY) > from)
      .map((cents) => orderCell(state, cents))
  })
}

/** The highest amount that a filter takes; an order costs less. */
export const orderAmountMaxCents = 100_000_000

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
  amountFromCents: z.int().min(0).max(orderAmountMaxCents).optional(),
  /** Not included. */
  amountBelowCents: z.int().min(0).max(orderAmountMaxCents).optional(),
})
export type OrderFilter = z.output<typeof orderFilterSchema>

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
  /** Benefits that the rider had and that did not lower the charge. */
  skippedBenefits: z.array(skippedBenefitSchema),
  /** The gift balance that paid for it, lot by lot. */
  gifts: z.array(usedGiftSchema),
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

const orders = { host: 'platform', permission: ['1601'], scope: 'area', idempotency: 'none' } as const

export const orderFields = fields<Order>()({
  number: '订单编号',
  riderPhone: '手机号',
  vehicleNumber: '车辆编号',
  company: '加盟商',
  areaName: '服务区',
  state: { title: '状态', labels: orderStateLabels },
  placedAt: { title: '下单时间', as: 'instant' },
  startedAt: { title: '开始时间', as: 'instant' },
  endedAt: { title: '结束时间', as: 'instant' },
  distanceM: { title: '里程', as: 'metres' },
  returnKind: { title: '还车判定', labels: returnKindLabels },
  chargedCents: { title: '订单金额', as: 'cents' },
  refundedCents: { title: '已退款', as: 'cents' },
})

export const orderList = list({
  row: orderSchema,
  filter: orderFilterSchema,
  sorts: { placed: 'desc', charged: 'desc' },
  sums: ['chargedCents', 'refundedCents'],
  secret: ['phone'],
})

export const riderOrderList = list({
  row: orderSchema,
  filter: z
    .strictObject({ phone: z.string().regex(phonePattern).optional(), riderId: idSchema.optional() })
    .refine(({ phone, riderId }) => phone !== undefined || riderId !== undefined, { error: '请给出手机号或骑行者' }),
  sorts: { placed: 'desc', charged: 'desc' },
  secret: ['phone'],
})

const path = `${basePath}/platform/order`

export const orderEndpoints = defineEndpoints({
  searchOrders: { ...orders, ...orderList.page, path, summary: '按条件查找骑行订单，按下单时间或金额排序' },
  sumOrders: { ...orders, ...orderList.sums, path: `${path}/sums`, summary: '符合条件的订单的数量、金额与退款合计' },
  riderOrders: {
    ...orders,
    ...riderOrderList.page,
    permission: ['1601', '070101'],
    path: `${basePath}/user/order`,
    summary: '一位骑行者的订单，新的在前',
  },
  exportRiderOrders: {
    ...orders,
    ...riderOrderList.file,
    permission: ['1601', '070101'],
    path: `${basePath}/user/order/export`,
    summary: '导出一位骑行者的订单（CSV）',
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
    ...orderList.file,
    path: `${path}/export`,
    bodyLimitBytes: bodyLimits.lists,
    summary: '导出订单（CSV）：逐段取回，每一段都重新核对权限与范围',
  },
})
