import { pastDays } from './past.ts'
import type { OtherSpecimens, Specimens } from './specimen.ts'

export const reportSpecimens = {
  readReport: (of) => ({ filter: { ...pastDays, areaIds: [of.areaIds[0]] } }),
  listReportRows: (of) => ({ filter: { ...pastDays, by: 'area', areaIds: [of.areaIds[0]] } }),
  exportReportRows: (of) => ({ filter: { ...pastDays, by: 'area', areaIds: [of.areaIds[0]] } }),
} satisfies Partial<Specimens>

export const otherReportSpecimens = {
  readReport: [
    () => ({ filter: pastDays }),
    () => ({ filter: { ...pastDays, report: 'orders', by: 'model' } }),
    () => ({ filter: { ...pastDays, report: 'orders', by: 'hour' } }),
    () => ({ filter: { ...pastDays, by: 'company' } }),
    () => ({ filter: { ...pastDays, by: 'month' } }),
    () => ({ filter: { ...pastDays, by: 'channel' } }),
  ],
  listReportRows: [(of) => ({ filter: { ...pastDays, agentIds: [of.agentId], by: 'company' } })],
} satisfies OtherSpecimens
