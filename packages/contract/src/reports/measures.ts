import type { AccountKind, EntryKind } from '#contract/finance/ledger.ts'

/** Columns of the figures of orders, by the time at which an order was placed. A running order is in none of them. */
export const rideMeasures = {
  rides: 'rides',
  cancelled: 'cancelled',
  failed: 'failed',
  dueRides: 'due_rides',
  freeRides: 'free_rides',
  shortRides: 'short_rides',
  chargedCents: 'charged_cents',
  refundedCents: 'refunded_cents',
  dueCents: 'due_cents',
  rideSeconds: 'ride_seconds',
  distanceM: 'distance_m',
} as const
export type RideMeasure = keyof typeof rideMeasures

/** Columns of the fleet's figures by business day; added up over days they are vehicle-days. */
export const fleetMeasures = {
  vehicleDays: 'vehicles',
  riddenVehicleDays: 'ridden',
  trips: 'trips',
  tripSeconds: 'ride_seconds',
  tripMetres: 'distance_m',
  lowBatteryVehicleDays: 'low_battery',
} as const
export type FleetMeasure = keyof typeof fleetMeasures

/** Columns of the fleet's figures at the beginning of each hour; added up over hours they are vehicle-hours. */
export const supplyMeasures = { serviceHours: 'vehicles', availableHours: 'available' } as const
type SupplyMeasure = keyof typeof supplyMeasures

/** Which side of the accounts is added up, or how often it was posted to. */
type Side = 'credit' | 'debit' | 'credit_net' | 'debit_net' | 'credits' | 'debits'

/** Postings to some accounts by some kinds of entries, by when the entry happened. */
export interface MoneyMeasureRow {
  readonly accounts: readonly AccountKind[]
  readonly side: Side
  readonly kinds?: readonly EntryKind[]
  /** Every kind but these. */
  readonly except?: readonly EntryKind[]
}
const money = (side: Side, accounts: AccountKind[], kinds?: readonly EntryKind[]): MoneyMeasureRow =>
  kinds === undefined ? { accounts, side } : { accounts, side, kinds }

const channelAccounts: AccountKind[] = ['clearing_wechat', 'clearing_alipay', 'clearing_sandbox']
const paidIn: EntryKind[] = ['recharge', 'ride_charge', 'deposit_pay', 'card_sale']

export const moneyMeasures = {
  /** Whatever earns; dividing a closed day's income moves it on and is none. */
  income: { accounts: ['agent_revenue'], side: 'credit_net', except: ['bill_split'] },
  rideIncome: money('credit_net', ['agent_revenue'], ['ride_charge', 'ride_refund']),
  cardIncome: money('credit_net', ['agent_revenue'], ['card_earning']),
  channelPaid: money('debit', channelAccounts, paidIn),
  channelRefunded: money('credit', channelAccounts, ['refund_paid']),
  channelFees: money('debit_net', ['channel_fee'], ['channel_fee']),
  recharged: money('credit', ['rider_balance'], ['recharge']),
  recharges: money('credits', ['rider_balance'], ['recharge']),
  balanceOnRides: money('debit', ['rider_balance'], ['ride_charge']),
  balanceOnCards: money('debit', ['rider_balance'], ['card_sale']),
  balanceCharged: money('debit', ['rider_balance'], ['platform_charge']),
  balanceReturned: money('credit', ['rider_balance'], ['ride_refund', 'card_refund', 'refund_returned']),
  balanceRefunded: money('debit', ['rider_balance'], ['balance_refund']),
  balanceChange: money('credit_net', ['rider_balance']),
  giftGranted: money('credit', ['rider_gift'], ['gift_grant']),
  giftOnRides: money('debit', ['rider_gift'], ['ride_charge']),
  giftReturned: money('credit', ['rider_gift'], ['ride_refund']),
  giftLapsed: money('debit', ['rider_gift'], ['gift_expiry']),
  giftRevoked: money('debit', ['rider_gift'], ['gift_revoke']),
  giftChange: money('credit_net', ['rider_gift']),
  depositsPaid: money('credit', ['rider_deposit'], ['deposit_pay']),
  depositPayments: money('credits', ['rider_deposit'], ['deposit_pay']),
  depositsRefunded: money('debit', ['rider_deposit'], ['deposit_refund']),
  depositRefunds: money('debits', ['rider_deposit'], ['deposit_refund']),
  depositsFrozen: money('credit', ['rider_deposit_frozen'], ['deposit_freeze']),
  depositsUnfrozen: money('debit', ['rider_deposit_frozen'], ['deposit_unfreeze']),
  depositsRecovered: money('credit', ['deposit_recovered'], ['deposit_recovery']),
  depositChange: money('credit_net', ['rider_deposit', 'rider_deposit_frozen']),
  cardsSold: money('credits', ['card_unearned'], ['card_sale']),
  cardSales: money('credit', ['card_unearned'], ['card_sale']),
  cardEarned: money('debit_net', ['card_unearned'], ['card_earning']),
  cardsRefunded: money('debits', ['card_unearned'], ['card_refund']),
  cardRefunds: money('debit', ['card_unearned'], ['card_refund']),
  cardUnearnedChange: money('credit_net', ['card_unearned']),
} as const satisfies Readonly<Record<string, MoneyMeasureRow>>
export type MoneyMeasure = keyof typeof moneyMeasures

export type MetricSource = 'rides' | 'money' | 'fleet' | 'supply'
export type Measure = RideMeasure | MoneyMeasure | FleetMeasure | SupplyMeasure

export function sourceOf(measure: Measure): MetricSource {
  if (measure in rideMeasures) return 'rides'
  if (measure in supplyMeasures) return 'supply'
  return measure in fleetMeasures ? 'fleet' : 'money'
}

/** In what a measure counts: what a row behind a figure adds to it is written so. */
export type MeasureUnit = 'cents' | 'count' | 'seconds' | 'metres'

export function unitOfMeasure(measure: Measure): MeasureUnit {
  const source = sourceOf(measure)
  if (measure === 'tripSeconds') return 'seconds'
  if (measure === 'tripMetres') return 'metres'
  if (source === 'fleet' || source === 'supply') return 'count'
  if (source === 'money') {
    const { side } = moneyMeasures[measure as MoneyMeasure]
    return side === 'credits' || side === 'debits' ? 'count' : 'cents'
  }
  if (measure === 'rideSeconds') return 'seconds'
  if (measure === 'distanceM') return 'metres'
  return measure.endsWith('Cents') ? 'cents' : 'count'
}
