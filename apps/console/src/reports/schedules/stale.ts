import { reportScheduleEndpoints } from '@saddle/contract/reports/schedules.ts'

/** Lists that show schedules and what was sent. */
export const staleSchedules = [
  reportScheduleEndpoints.listReportSchedules,
  reportScheduleEndpoints.listReportDeliveries,
] as const
