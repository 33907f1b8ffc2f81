import { pastDays } from './past.ts'
import type { OtherSpecimens, Specimens } from './specimen.ts'

const yearAfter = (day: string): string => `${Number(day.slice(0, 4)) + 1}${day.slice(4)}`

export const reportSpecimens = {
  readReport: (of) => ({ filter: { ...pastDays, areaIds: [of.areaIds[0]] } }),
  listReportRows: (of) => ({ filter: { ...pastDays, by: 'area', areaIds: [of.areaIds[0]] } }),
  exportReportRows: (of) => ({ filter: { ...pastDays, by: 'area', areaIds: [of.areaIds[0]] } }),
  readOperationsScreen: () => ({}),
  readRevenueScreen: () => ({}),
} satisfies Partial<Specimens>

/** What is compared with the year before reads the days of `pastDays`, as a total. */
const nextYear = { from: yearAfter(pastDays.from), to: yearAfter(pastDays.to) }

export const otherReportSpecimens = {
  readReport: [
    () => ({ filter: pastDays }),
    () => ({ filter: { ...pastDays, report: 'orders', by: 'model' } }),
    () => ({ filter: { ...pastDays, report: 'orders', by: 'hour' } }),
    () => ({ filter: nextYear }),
    (of) => ({ filter: { ...nextYear, areaIds: [of.areaIds[0]] } }),
    () => ({ filter: { ...nextYear, report: 'orders', by: 'model' } }),
    () => ({ filter: { ...pastDays, by: 'company' } }),
    () => ({ filter: { ...pastDays, by: 'month' } }),
    () => ({ filter: { ...pastDays, by: 'channel' } }),
  ],
  listReportRows: [(of) => ({ filter: { ...pastDays, agentIds: [of.agentId], by: 'company' } })],
} satisfies OtherSpecimens
