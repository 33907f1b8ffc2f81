import type { reportScheduleEndpoints } from '@saddle/contract/reports/schedules.ts'
import type { Handlers } from '#kit/call.ts'
import type { ScheduleDeps } from './deps.ts'
import { createScheduleHandlers } from './handlers.ts'
import { runSchedules, startSchedules } from './job.ts'
import { tellReceiver } from './notice.ts'

export interface ReportSchedules {
  readonly handlers: Handlers<typeof reportScheduleEndpoints>
  /** Makes what is due and tells of what is made. For the worker; safe on several at once. */
  run(): ReturnType<typeof runSchedules>
  startBackground(): () => Promise<void>
}

/** Reports by schedule: files in the export centres of their receivers, who are told of them. */
export function createReportSchedules(
  parts: Omit<ScheduleDeps, 'tell'> & Partial<Pick<ScheduleDeps, 'tell'>>,
): ReportSchedules {
  const deps: ScheduleDeps = { tell: tellReceiver, ...parts }
  return {
    handlers: createScheduleHandlers(deps),
    run: () => runSchedules(deps),
    startBackground: () => startSchedules(deps),
  }
}
