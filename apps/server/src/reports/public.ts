import type { reportFigureEndpoints } from '@saddle/contract/reports/figures.ts'
import type { screenFigureEndpoints } from '@saddle/contract/reports/screens.ts'
import type { reportCalendarEndpoints } from '@saddle/contract/reports/calendar.ts'
import type { reconciliationEndpoints } from '@saddle/contract/reports/reconciliation.ts'
import type { sourceRowEndpoints } from '@saddle/contract/reports/sources.ts'
import type { overviewEndpoints } from '@saddle/contract/reports/overview.ts'
import type { Audit } from '#audit/public.ts'
import type { Handlers } from '#kit/call.ts'
import type { Kit } from '#kit/kit.ts'
import { createCalendarHandlers } from './calendar/handlers.ts'
import { createFigureHandlers } from './figures/handlers.ts'
import { createOverviewHandlers } from './overview/handlers.ts'
import { createScreenHandlers } from './screens/handlers.ts'
import { createReconciliationHandlers } from './reconciliation/handlers.ts'
import { createSourceHandlers } from './sources/handlers.ts'
import { runRollups, startRollups, type RollupRun } from './rollups/job.ts'

export { createReportSchedules, type ReportSchedules } from './schedules/create.ts'

export type Reports = {
  readonly handlers: Handlers<
    typeof reportFigureEndpoints &
      typeof sourceRowEndpoints &
      typeof reconciliationEndpoints &
      typeof reportCalendarEndpoints &
      typeof overviewEndpoints &
      typeof screenFigureEndpoints
  >
  /** Brings the figures up to what has changed. For the worker; safe on several at once. */
  runRollups(): Promise<RollupRun>
  startBackground(): () => Promise<void>
}

type AnyHandlers = Readonly<Record<string, (...given: never[]) => Promise<unknown>>>

/** Calls that only show figures: a replica may answer them. */
function fromReadDatabase<H extends AnyHandlers>({ db }: Pick<Kit, 'db'>, handlers: H): H {
  const entries = Object.entries(handlers).map(([name, handler]) => [
    name,
    // A handler that makes a file has more than its call.
    Object.assign((...given: never[]) => db.fromReadDatabase(() => handler(...given)), handler),
  ])
  return Object.fromEntries(entries) as H
}

/** Figures of orders and money by hour, day and month, and the reports that are made of them. It only reads other domains. */
export function createReports(kit: Kit, { audit }: { readonly audit: Audit }): Reports {
  return {
    handlers: {
      ...fromReadDatabase(kit, createFigureHandlers({ kit, audit })),
      ...fromReadDatabase(kit, createSourceHandlers({ kit, audit })),
      ...fromReadDatabase(kit, createReconciliationHandlers({ kit, audit })),
      ...createCalendarHandlers({ kit, audit }),
      ...fromReadDatabase(kit, createOverviewHandlers(kit)),
      ...fromReadDatabase(kit, createScreenHandlers(kit)),
    },
    runRollups: () => runRollups(kit),
    startBackground: () => startRollups(kit),
  }
}
