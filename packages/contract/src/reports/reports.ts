import type { CardKind } from '#contract/finance/cardTerms.ts'
import type { Permission } from '#contract/permissions.ts'
import { dimensionsOf, dimensions, type Dimension, type MetricName } from './metrics.ts'

/** Reports that are made of the registry's figures, by their pages. */
export const reportNames = ['daily', 'orders', 'wallet', 'deposit', 'ridingCard', 'discountCard'] as const
export type ReportName = (typeof reportNames)[number]

export interface Report {
  readonly title: string
  readonly path: string
  readonly permission: Permission
  /** In the order of the columns; the first ones are shown large. */
  readonly metrics: readonly MetricName[]
  /** Only postings about cards of this kind count. */
  readonly cardKind?: CardKind
}

const cards: readonly MetricName[] = [
  'cardsSold',
  'cardSales',
  'cardPrice',
  'cardEarned',
  'cardsRefunded',
  'cardRefunds',
  'cardUnearnedChange',
]

export const reports: Readonly<Record<ReportName, Report>> = {
  daily: {
    title: '每日统计',
    path: '/report/financial-statistics',
    permission: '150101',
    metrics: [
      'rides',
      'netCents',
      'income',
      'channelNet',
      'ridesPerVehicleDay',
      'netPerVehicleDay',
      'chargedCents',
      'refundedCents',
      'chargePerRide',
      'rideIncome',
      'cardIncome',
      'channelPaid',
      'channelRefunded',
      'channelFees',
      'recharged',
      'cardSales',
      'depositsPaid',
      'depositsRefunded',
      'vehicleDays',
      'riddenPercent',
    ],
  },
  orders: {
    title: '交易订单',
    path: '/report/transaction-order',
    permission: '1502',
    metrics: [
      'rides',
      'chargedCents',
      'refundedCents',
      'netCents',
      'rideIncome',
      'chargePerRide',
      'dueRides',
      'dueCents',
      'cancelled',
      'failed',
      'failedPercent',
      'freeRides',
      'shortPercent',
      'minutesPerRide',
      'metresPerRide',
    ],
  },
  wallet: {
    title: '钱包报表',
    path: '/report/wallet-report',
    permission: '150301',
    metrics: [
      'recharged',
      'recharges',
      'balanceOnRides',
      'balanceChange',
      'rechargeAverage',
      'balanceOnCards',
      'balanceCharged',
      'balanceReturned',
      'balanceRefunded',
      'giftGranted',
      'giftOnRides',
      'giftReturned',
      'giftLapsed',
      'giftRevoked',
      'giftChange',
    ],
  },
  deposit: {
    title: '押金报表',
    path: '/report/deposit-report',
    permission: '150401',
    metrics: [
      'depositsPaid',
      'depositPayments',
      'depositsRefunded',
      'depositRefunds',
      'depositsFrozen',
      'depositsUnfrozen',
      'depositsRecovered',
      'depositChange',
    ],
  },
  ridingCard: {
    title: '骑行卡报表',
    path: '/report/riding-card-report',
    permission: '150501',
    metrics: cards,
    cardKind: 'riding',
  },
  discountCard: {
    title: '优惠卡报表',
    path: '/report/discount-card-report',
    permission: '150601',
    metrics: cards,
    cardKind: 'discount',
  },
}

/** What a report can be told apart by: what one of its figures can. */
export function dimensionsOfReport(name: ReportName): readonly Dimension[] {
  const known = new Set(reports[name].metrics.flatMap(dimensionsOf))
  return dimensions.filter((dimension) => known.has(dimension))
}

const [first, ...others] = reportNames.map((name) => reports[name].permission)
if (first === undefined) throw new Error('there are no reports')
/** Whoever holds one of them reads reports; the handler asks for that of the report. */
export const reportPermissions: readonly [Permission, ...Permission[]] = [first, ...others]
