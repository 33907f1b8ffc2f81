import { reconciliationRowSides } from '@saddle/contract/reports/reconciliation.ts'
import { addDays } from '@saddle/contract/time.ts'
import type { TenantFixture } from '#test/tenants.ts'
import { pastDays, scheduleIdOf } from './past.ts'
import type { OtherSpecimens, Specimens } from './specimen.ts'

const yearAfter = (day: string): string => `${Number(day.slice(0, 4)) + 1}${day.slice(4)}`

/** Compared bills of each company, its payments and its entries. */
const billDays = { from: '2026-09-01', to: '2026-11-30' }

const scheduleOf = (of: TenantFixture) => ({
  name: 'monthly',
  report: 'daily' as const,
  by: 'day' as const,
  span: 'last_month' as const,
  frequency: 'monthly' as const,
  weekday: null,
  monthDay: 1,
  hour: 6,
  format: 'csv' as const,
  areaIds: [of.areaIds[0]],
  receiverIds: [of.managerId],
})

export const reportSpecimens = {
  readReport: (of) => ({ filter: { ...pastDays, areaIds: [of.areaIds[0]] } }),
  listReportModels: () => ({}),
  listReportRows: (of) => ({ filter: { ...pastDays, by: 'area', areaIds: [of.areaIds[0]] } }),
  exportReportRows: (of) => ({ filter: { ...pastDays, by: 'area', areaIds: [of.areaIds[0]] } }),
  readOperationsScreen: () => ({}),
  readRevenueScreen: () => ({}),
  listSourceRows: (of) => ({ filter: { ...pastDays, metric: 'rides', areaIds: [of.areaIds[0]] } }),
  sumSourceRows: (of) => ({ filter: { ...pastDays, metric: 'channelPaid', areaIds: [of.areaIds[0]] } }),
  exportSourceRows: (of) => ({ filter: { ...pastDays, metric: 'income', areaIds: [of.areaIds[0]] } }),
  listReportSchedules: () => ({}),
  exportReportSchedules: () => ({}),
  listReportDeliveries: (of) => ({ filter: { scheduleId: scheduleIdOf(of.agentId) } }),
  exportReportDeliveries: (of) => ({ filter: { scheduleId: scheduleIdOf(of.agentId) } }),
  listReportReceivers: () => ({}),
  createReportSchedule: (of) => scheduleOf(of),
  changeReportSchedule: (of) => ({ ...scheduleOf(of), id: scheduleIdOf(of.agentId) }),
  switchReportSchedule: (of) => ({ id: scheduleIdOf(of.agentId), state: 'paused' }),
  removeReportSchedule: (of) => ({ id: scheduleIdOf(of.agentId) }),
  readReportCalendar: () => ({}),
  changeReportCalendar: () => ({ zone: 'Asia/Tokyo', dayStartsAt: 2 }),
  readReconciliation: (of) => ({ filter: { ...billDays, agentIds: [of.agentId] } }),
  listReconciliation: (of) => ({ filter: { ...billDays, by: 'company', agentIds: [of.agentId] } }),
  exportReconciliation: (of) => ({ filter: { ...billDays, agentIds: [of.agentId] } }),
  listReconciliationRows: (of) => ({ filter: { ...billDays, agentIds: [of.agentId] } }),
  sumReconciliationRows: (of) => ({ filter: { ...billDays, side: 'own', agentIds: [of.agentId] } }),
  exportReconciliationRows: (of) => ({ filter: { ...billDays, side: 'ledger', agentIds: [of.agentId] } }),
  readOverview: () => ({}),
  readDemoProgress: () => ({}),
} satisfies Partial<Specimens>

/** Figures of each source, of areas and of the company. */
const sourceFilters = (of: TenantFixture) => [
  ...(['chargedCents', 'income', 'channelNet', 'vehicleDays'] as const).flatMap((metric) => [
    { ...pastDays, metric },
    { ...pastDays, metric, areaIds: [of.areaIds[0]] },
  ]),
  { ...pastDays, metric: 'rideIncome' as const, by: 'company' as const, key: String(of.agentId) },
  { ...pastDays, metric: 'rides' as const, by: 'company' as const, key: String(of.agentId) },
]
const sourceQuestions = Array.from({ length: 10 }, (_, index) => (of: TenantFixture) => ({
  filter: sourceFilters(of)[index],
}))

/** What is compared with the year before reads the days of `pastDays`, as a total. */
const nextYear = { from: yearAfter(pastDays.from), to: yearAfter(pastDays.to) }

/** Seven days that are not over: of the seven before, up to the same hour, each company and area has figures. */
const openWeek = { from: addDays(pastDays.to, -6), to: pastDays.to }
const openFilters = [
  { ...openWeek, report: 'orders', by: 'model' },
  { ...openWeek, by: 'company' },
  { ...openWeek, by: 'channel' },
] as const

export const otherReportSpecimens = {
  readReport: [
    () => ({ filter: pastDays }),
    () => ({ filter: { ...pastDays, report: 'orders', by: 'model' } }),
    () => ({ filter: { ...pastDays, report: 'orders', by: 'hour' } }),
    () => ({ filter: nextYear }),
    (of) => ({ filter: { ...nextYear, areaIds: [of.areaIds[0]] } }),
    () => ({ filter: { ...pastDays, report: 'orders' } }),
    (of) => ({ filter: { ...pastDays, report: 'orders', areaIds: [of.areaIds[0]] } }),
    () => ({ filter: { ...nextYear, report: 'orders' } }),
    (of) => ({ filter: { ...nextYear, report: 'orders', areaIds: [of.areaIds[0]] } }),
    () => ({ filter: { ...nextYear, report: 'orders', by: 'model' } }),
    () => ({ filter: { ...pastDays, by: 'company' } }),
    () => ({ filter: { ...pastDays, by: 'month' } }),
    () => ({ filter: { ...pastDays, by: 'channel' } }),
    ...openFilters.map((filter) => () => ({ filter })),
    ...openFilters.map((filter) => (of: TenantFixture) => ({ filter: { ...filter, areaIds: [of.areaIds[0]] } })),
  ],
  readOverview: [() => ({ day: 'yesterday', basis: 'week' })],
  listReportRows: [(of) => ({ filter: { ...pastDays, agentIds: [of.agentId], by: 'company' } })],
  listSourceRows: sourceQuestions,
  sumSourceRows: sourceQuestions,
  listReportDeliveries: [() => ({})],
  readReconciliation: [() => ({ filter: billDays })],
  listReconciliation: [() => ({ filter: { ...billDays, by: 'company' } })],
  listReconciliationRows: reconciliationRowSides.map((side) => () => ({ filter: { ...billDays, side } })),
  sumReconciliationRows: reconciliationRowSides.map((side) => () => ({ filter: { ...billDays, side } })),
} satisfies OtherSpecimens
