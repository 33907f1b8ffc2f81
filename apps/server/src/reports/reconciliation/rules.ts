import type { PaymentChannelName } from '@saddle/contract/finance/payments.ts'
import {
  reconciliationSums,
  type ReconciliationGroup,
  type ReconciliationGroupNet,
  type ReconciliationRow,
  type ReconciliationState,
  type ReconciliationSum,
} from '@saddle/contract/reports/reconciliation.ts'
import { addDays, dayMs } from '@saddle/contract/time.ts'
import type { DaySpan } from '../figures/rules.ts'

export type Sums = Record<ReconciliationSum, number>
export const noSums = (): Sums => Object.fromEntries(reconciliationSums.map((name) => [name, 0])) as Sums

/** What the sides say of one day of a company and channel. */
export interface CompanyDay {
  readonly agentId: number
  readonly channel: PaymentChannelName
  readonly day: string
  readonly sums: Sums
  openDifferences: number
  /** Null: there is no compared bill of it. */
  billState: 'matched' | 'parked' | null
}

/** The differences between the sides follow from their sums. */
export function withDifferences(sums: Sums): Sums {
  const net = (side: 'bill' | 'own' | 'ledger'): number => sums[`${side}PaidCents`] - sums[`${side}RefundedCents`]
  return { ...sums, billDifferenceCents: net('bill') - net('own'), ledgerDifferenceCents: net('own') - net('ledger') }
}

const hasMoved = ({ sums }: CompanyDay): boolean =>
  sums.ownPaidCents + sums.ownRefundedCents + sums.ledgerPaidCents + sums.ledgerRefundedCents > 0

function stateOf(days: readonly CompanyDay[]): ReconciliationState {
  if (days.some((day) => day.billState === null && hasMoved(day))) return 'waiting'
  if (days.some(({ billState }) => billState === 'parked')) return 'parked'
  return days.some(({ billState }) => billState !== null) ? 'matched' : 'none'
}

export interface Total extends Sums {
  readonly missingBills: number
  readonly openDifferences: number
}

/** Days of a company and channel whose payments less refunds are not what the ledger has cleared. */
export const unevenDays = (days: readonly CompanyDay[]): Pick<CompanyDay, 'agentId' | 'channel' | 'day'>[] =>
  days.filter(({ sums }) => withDifferences(sums).ledgerDifferenceCents !== 0)

/** The part of a span that is over, when `today` runs; null where nothing of it is. */
export function spanOver({ from, to }: DaySpan, today: string): DaySpan | null {
  const last = to < today ? to : addDays(today, -1)
  return last < from ? null : { from, to: last }
}

/** Of another span the days that stand for those of a span which are over. */
export function asLong(other: DaySpan, over: DaySpan): DaySpan {
  const to = addDays(other.from, (Date.parse(over.to) - Date.parse(over.from)) / dayMs)
  return { from: other.from, to: to < other.to ? to : other.to }
}

/** All that is added up; what a bill that has not come would have is no difference. */
export function totalOf(days: readonly CompanyDay[]): Total {
  const all = noSums()
  for (const { sums } of days) for (const name of reconciliationSums) all[name] += sums[name]
  const missing = days.filter((day) => day.billState === null && hasMoved(day))
  const open = days.filter((day) => day.billState === null)
  const unbilled = open.reduce((sum, { sums }) => sum + sums.ownPaidCents - sums.ownRefundedCents, 0)
  const whole = withDifferences(all)
  return {
    ...whole,
    billDifferenceCents: whole.billDifferenceCents + unbilled,
    missingBills: new Set(missing.map(({ day, channel }) => `${day} ${channel}`)).size,
    openDifferences: days.reduce((sum, { openDifferences }) => sum + openDifferences, 0),
  }
}

const keyOf = ({ day, agentId, channel }: CompanyDay, by: ReconciliationGroup): string =>
  ({ day, month: day.slice(0, 7), company: String(agentId), channel })[by]

/** The rows of a group, each of one channel. */
export function rowsOf(
  days: readonly CompanyDay[],
  { by, nameOf }: { readonly by: ReconciliationGroup; readonly nameOf: (key: string) => string },
): ReconciliationRow[] {
  const groups = Map.groupBy(days, (day) => `${keyOf(day, by)} ${day.channel}`)
  return [...groups].flatMap(([id, own]) => {
    const [first] = own
    if (first === undefined) return []
    const key = keyOf(first, by)
    const sorted = own.map(({ day }) => day).toSorted()
    const span = { from: sorted[0] ?? first.day, to: sorted.at(-1) ?? first.day }
    return [{ id, key, name: nameOf(key), channel: first.channel, ...span, state: stateOf(own), ...totalOf(own) }]
  })
}

/** The rows of all channels of a group as one, by their keys. */
export function groupsOf(rows: readonly ReconciliationRow[]): ReconciliationGroupNet[] {
  const net = (own: readonly ReconciliationRow[], side: 'bill' | 'own' | 'ledger'): number =>
    own.reduce((sum, row) => sum + row[`${side}PaidCents`] - row[`${side}RefundedCents`], 0)
  return [...Map.groupBy(rows, ({ key }) => key)]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, own]) => ({
      key,
      name: own[0]?.name ?? key,
      billCents: net(own, 'bill'),
      ownCents: net(own, 'own'),
      ledgerCents: net(own, 'ledger'),
    }))
}
