import type { OrderState } from '#contract/riding/orders.ts'
import { dayMs } from '#contract/time.ts'
import { sourceOf, type Measure, type MetricSource } from './measures.ts'

/**
 * The registry of figures: what each is called, its unit, its formula in words, and of which measures it is made. Reports,
 * screens and exports take a figure from here, so that it is computed in one way. English texts are those of the catalogue.
 */

export type MetricUnit = 'count' | 'cents' | 'percent' | 'minutes' | 'metres' | 'ratio'

/** What figures may be told apart by. `hour` is the hour of the day. */
export const dimensions = ['day', 'month', 'hour', 'company', 'area', 'model', 'channel'] as const
export type Dimension = (typeof dimensions)[number]
export const dimensionLabels: Readonly<Record<Dimension, string>> = {
  day: '日期',
  month: '月份',
  hour: '时段',
  company: '加盟商',
  area: '服务区',
  model: '车型',
  channel: '支付渠道',
}

/** The smallest buckets that the figures of a source are kept in, and what else they can be told apart by. */
const sources: Readonly<
  Record<MetricSource, { readonly grain: 'hour' | 'day'; readonly dimensions: readonly Dimension[] }>
> = {
  rides: { grain: 'hour', dimensions: ['company', 'area', 'model'] },
  money: { grain: 'hour', dimensions: ['company', 'area', 'channel'] },
  fleet: { grain: 'day', dimensions: ['company', 'area'] },
  supply: { grain: 'hour', dimensions: ['company', 'area'] },
}

const canTell = (source: MetricSource, dimension: Dimension): boolean =>
  dimension === 'day' ||
  dimension === 'month' ||
  (dimension === 'hour' && sources[source].grain === 'hour') ||
  sources[source].dimensions.includes(dimension)

/** The list that has the rows behind a figure, with the conditions beside time and area. */
type MetricRows = { readonly list: 'orders'; readonly states: readonly OrderState[] }

export interface Metric<Name extends string = Measure> {
  readonly title: string
  readonly unit: MetricUnit
  readonly formula: string
  readonly plus: readonly Name[]
  readonly minus?: readonly Name[]
  /** The denominator; without one the figure is a sum. */
  readonly over?: readonly Name[]
  /** By which the quotient is multiplied: percent, minutes of seconds. */
  readonly scale?: number
  readonly rows?: MetricRows
  /** More of it is worse. */
  readonly isBad?: boolean
}
const metric = (row: Metric): Metric => row

const charged: MetricRows = { list: 'orders', states: ['due', 'paid', 'part_refunded', 'refunded'] }
const refunded: MetricRows = { list: 'orders', states: ['part_refunded', 'refunded'] }
const inState = (...states: OrderState[]): MetricRows => ({ list: 'orders', states })

const rideMetrics = {
  rides: metric({
    title: '骑行次数',
    unit: 'count',
    formula: '在该时段下单、已结束并计费的订单数',
    plus: ['rides'],
    rows: charged,
  }),
  cancelled: metric({
    title: '取消订单',
    unit: 'count',
    formula: '在该时段下单、后来取消的订单数',
    plus: ['cancelled'],
    rows: inState('cancelled'),
    isBad: true,
  }),
  failed: metric({
    title: '开锁失败',
    unit: 'count',
    formula: '在该时段下单、没有打开车锁的订单数',
    plus: ['failed'],
    rows: inState('failed'),
    isBad: true,
  }),
  failedPercent: metric({
    title: '开锁失败率',
    unit: 'percent',
    formula: '开锁失败 ÷（骑行次数 + 取消订单 + 开锁失败）',
    plus: ['failed'],
    over: ['rides', 'cancelled', 'failed'],
    scale: 100,
    isBad: true,
  }),
  chargedCents: metric({
    title: '订单金额',
    unit: 'cents',
    formula: '在该时段下单的订单计费金额之和，不减退款',
    plus: ['chargedCents'],
    rows: charged,
  }),
  refundedCents: metric({
    title: '订单退款',
    unit: 'cents',
    formula: '在该时段下单的订单至今退款之和，退款记在下单的时段',
    plus: ['refundedCents'],
    rows: refunded,
    isBad: true,
  }),
  netCents: metric({
    title: '订单净额',
    unit: 'cents',
    formula: '订单金额 − 订单退款',
    plus: ['chargedCents'],
    minus: ['refundedCents'],
    rows: charged,
  }),
  dueRides: metric({
    title: '待支付订单',
    unit: 'count',
    formula: '在该时段下单、至今没有付清的订单数',
    plus: ['dueRides'],
    rows: inState('due'),
    isBad: true,
  }),
  dueCents: metric({
    title: '待支付金额',
    unit: 'cents',
    formula: '待支付订单的计费金额之和',
    plus: ['dueCents'],
    rows: inState('due'),
    isBad: true,
  }),
  chargePerRide: metric({
    title: '单均金额',
    unit: 'cents',
    formula: '订单金额 ÷ 骑行次数',
    plus: ['chargedCents'],
    over: ['rides'],
  }),
  minutesPerRide: metric({
    title: '单均时长',
    unit: 'minutes',
    formula: '骑行总时长 ÷ 骑行次数',
    plus: ['rideSeconds'],
    over: ['rides'],
    scale: 1 / 60,
  }),
  metresPerRide: metric({
    title: '单均里程',
    unit: 'metres',
    formula: '骑行总里程 ÷ 骑行次数',
    plus: ['distanceM'],
    over: ['rides'],
  }),
  freeRides: metric({
    title: '零元订单',
    unit: 'count',
    formula: '骑行次数中计费金额为 0 的订单数',
    plus: ['freeRides'],
  }),
  shortPercent: metric({
    title: '短时骑行占比',
    unit: 'percent',
    formula: '不足 2 分钟的骑行 ÷ 骑行次数',
    plus: ['shortRides'],
    over: ['rides'],
    scale: 100,
    isBad: true,
  }),
}

const fleetMetrics = {
  vehicleDays: metric({
    title: '车辆日',
    unit: 'count',
    formula: '每日在册且未移除的车辆数之和',
    plus: ['vehicleDays'],
  }),
  ridesPerVehicleDay: metric({
    title: '车均日单量',
    unit: 'ratio',
    formula: '骑行次数 ÷ 车辆日',
    plus: ['rides'],
    over: ['vehicleDays'],
  }),
  netPerVehicleDay: metric({
    title: '车均日净额',
    unit: 'cents',
    formula: '（订单金额 − 订单退款）÷ 车辆日',
    plus: ['chargedCents'],
    minus: ['refundedCents'],
    over: ['vehicleDays'],
  }),
  riddenPercent: metric({
    title: '动车率',
    unit: 'percent',
    formula: '当日有骑行的车辆日 ÷ 车辆日',
    plus: ['riddenVehicleDays'],
    over: ['vehicleDays'],
    scale: 100,
  }),
  idlePercent: metric({
    title: '闲置率',
    unit: 'percent',
    formula: '当日没有骑行的车辆日 ÷ 车辆日',
    plus: ['vehicleDays'],
    minus: ['riddenVehicleDays'],
    over: ['vehicleDays'],
    scale: 100,
    isBad: true,
  }),
  trips: metric({
    title: '行程数',
    unit: 'count',
    formula: '在该时段打开车锁开始的行程数，含进行中与未计费的',
    plus: ['trips'],
  }),
  tripsPerVehicleDay: metric({
    title: '周转率',
    unit: 'ratio',
    formula: '行程数 ÷ 车辆日',
    plus: ['trips'],
    over: ['vehicleDays'],
  }),
  utilisationPercent: metric({
    title: '利用率',
    unit: 'percent',
    formula: '行程时长 ÷（车辆日 × 24 小时）；当日未过完时只计已过去的时间',
    plus: ['tripSeconds'],
    over: ['vehicleDays'],
    scale: 100 / (dayMs / 1_000),
  }),
  lowBatteryVehicleDays: metric({
    title: '低电量车天',
    unit: 'count',
    formula: '每日结束时电量低于低电量线的车辆数之和',
    plus: ['lowBatteryVehicleDays'],
    isBad: true,
  }),
  tripMetres: metric({
    title: '行程里程',
    unit: 'metres',
    formula: '在该时段开始的行程的里程之和',
    plus: ['tripMetres'],
  }),
}

/** Vehicles by their states at the beginning of each hour, and rides per vehicle that could be ridden. */
const supplyMetrics = {
  availableHours: metric({
    title: '可用车时',
    unit: 'count',
    formula: '每个整点可用车辆数之和',
    plus: ['availableHours'],
  }),
  availablePercent: metric({
    title: '可用率',
    unit: 'percent',
    formula: '可用车时 ÷ 每个整点在册车辆数之和，不含已撤出车辆',
    plus: ['availableHours'],
    over: ['serviceHours'],
    scale: 100,
  }),
  ridesPerAvailableHour: metric({
    title: '可用车时骑行',
    unit: 'ratio',
    formula: '骑行次数 ÷ 可用车时',
    plus: ['rides'],
    over: ['availableHours'],
  }),
}

const sum = (unit: MetricUnit, measure: Measure, title: string, formula: string, isBad = false): Metric => ({
  title,
  unit,
  formula,
  plus: [measure],
  isBad,
})

const moneyMetrics = {
  income: sum('cents', 'income', '营业收入', '账本营业收入科目在该时段的净增加，不含分账转出'),
  rideIncome: sum('cents', 'rideIncome', '骑行收入', '账本营业收入中骑行扣费减骑行退款，按入账时间'),
  cardIncome: sum('cents', 'cardIncome', '卡收入', '账本营业收入中骑行卡与优惠卡已确认的部分，按入账时间'),
  channelPaid: sum('cents', 'channelPaid', '渠道收款', '支付渠道收到的充值、骑行、押金与售卡款，按入账时间'),
  channelRefunded: sum('cents', 'channelRefunded', '渠道退款', '支付渠道已付出的退款，按入账时间', true),
  channelNet: metric({
    title: '渠道净收款',
    unit: 'cents',
    formula: '渠道收款 − 渠道退款',
    plus: ['channelPaid'],
    minus: ['channelRefunded'],
  }),
  channelFees: sum('cents', 'channelFees', '渠道手续费', '支付渠道收取的手续费减退还的手续费，按账单日入账', true),
  recharged: sum('cents', 'recharged', '充值金额', '骑行余额因充值的增加，不含赠送'),
  recharges: sum('count', 'recharges', '充值笔数', '充值入账的笔数'),
  rechargeAverage: metric({
    title: '笔均充值',
    unit: 'cents',
    formula: '充值金额 ÷ 充值笔数',
    plus: ['recharged'],
    over: ['recharges'],
  }),
  balanceOnRides: sum('cents', 'balanceOnRides', '余额付骑行', '骑行扣费从骑行余额扣除的金额'),
  balanceOnCards: sum('cents', 'balanceOnCards', '余额付购卡', '售卡从骑行余额扣除的金额'),
  balanceCharged: sum('cents', 'balanceCharged', '平台扣款', '平台从骑行余额人工扣除的金额'),
  balanceReturned: sum('cents', 'balanceReturned', '退回余额', '骑行退款、退卡与未退成的退款回到骑行余额的金额'),
  balanceRefunded: sum('cents', 'balanceRefunded', '余额退款', '骑行余额申请退回渠道的金额', true),
  balanceChange: sum('cents', 'balanceChange', '余额净变化', '骑行余额科目在该时段的净增加'),
  giftGranted: sum('cents', 'giftGranted', '赠送发放', '赠送余额因发放的增加'),
  giftOnRides: sum('cents', 'giftOnRides', '赠送付骑行', '骑行扣费从赠送余额扣除的金额'),
  giftReturned: sum('cents', 'giftReturned', '退回赠送', '骑行退款回到赠送余额的金额'),
  giftLapsed: sum('cents', 'giftLapsed', '赠送失效', '赠送余额到期未用而失效的金额'),
  giftRevoked: sum('cents', 'giftRevoked', '赠送收回', '赠送余额被收回的金额'),
  giftChange: sum('cents', 'giftChange', '赠送净变化', '赠送余额科目在该时段的净增加'),
  depositsPaid: sum('cents', 'depositsPaid', '押金缴纳', '押金科目因缴纳的增加'),
  depositPayments: sum('count', 'depositPayments', '缴纳笔数', '缴纳押金的笔数'),
  depositsRefunded: sum('cents', 'depositsRefunded', '押金退还', '押金科目因退还的减少', true),
  depositRefunds: sum('count', 'depositRefunds', '退还笔数', '退还押金的笔数'),
  depositsFrozen: sum('cents', 'depositsFrozen', '押金冻结', '转入冻结押金的金额'),
  depositsUnfrozen: sum('cents', 'depositsUnfrozen', '押金解冻', '从冻结押金转回的金额'),
  depositsRecovered: sum('cents', 'depositsRecovered', '押金扣款', '从冻结押金扣作收入的金额'),
  depositChange: sum('cents', 'depositChange', '押金净变化', '押金与冻结押金科目在该时段的净增加'),
  cardsSold: sum('count', 'cardsSold', '售卡张数', '售卡入账的笔数'),
  cardSales: sum('cents', 'cardSales', '售卡金额', '售卡计入预收款的金额'),
  cardPrice: metric({
    title: '卡均售价',
    unit: 'cents',
    formula: '售卡金额 ÷ 售卡张数',
    plus: ['cardSales'],
    over: ['cardsSold'],
  }),
  cardEarned: sum('cents', 'cardEarned', '确认收入', '预收款已确认为收入的金额'),
  cardsRefunded: sum('count', 'cardsRefunded', '退卡张数', '退卡的笔数', true),
  cardRefunds: sum('cents', 'cardRefunds', '退卡金额', '退卡从预收款退出的金额', true),
  cardUnearnedChange: sum('cents', 'cardUnearnedChange', '预收款净变化', '骑行卡预收款科目在该时段的净增加'),
}

export const metrics = { ...rideMetrics, ...fleetMetrics, ...supplyMetrics, ...moneyMetrics } as const
export type MetricName = keyof typeof metrics
export const metricNames = Object.keys(metrics) as MetricName[]
export const metricOf = (name: MetricName): Metric => metrics[name]

/** Every measure that a figure is made of. */
export const measuresOf = ({ plus, minus = [], over = [] }: Metric): readonly Measure[] => [...plus, ...minus, ...over]

/** What a figure can be told apart by: what all of its sources can. */
export function dimensionsOf(name: MetricName): readonly Dimension[] {
  const own = measuresOf(metricOf(name)).map(sourceOf)
  return dimensions.filter((dimension) => own.every((source) => canTell(source, dimension)))
}

function added(names: readonly string[], sums: Readonly<Record<string, number>>): number {
  let total = 0
  for (const name of names) total += sums[name] ?? 0
  return total
}

/** The figure of some sums; null where its denominator is nothing. Money is whole cents, other quotients have four decimals. */
export function figureOf(
  { unit, plus, minus = [], over, scale = 1 }: Metric<string>,
  sums: Readonly<Record<string, number>>,
): number | null {
  const top = added(plus, sums) - added(minus, sums)
  if (over === undefined) return top
  const bottom = added(over, sums)
  if (bottom === 0) return null
  const quotient = (top / bottom) * scale
  return unit === 'cents' ? Math.round(quotient) : Math.round(quotient * 10_000) / 10_000
}
