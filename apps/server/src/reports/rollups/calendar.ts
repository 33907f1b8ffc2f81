import { sql } from 'kysely'
import type { ReportZone } from '@saddle/contract/reports/calendar.ts'
import type { Tx } from '#kit/db/pool.ts'
import { lockFigures } from './job.ts'
import { moveMoneyDays } from './money.ts'
import { moveRideDays } from './rides.ts'

/**
 * Sets by which time zone and from which hour on a company's business day counts, and moves its hours into the days of it, in
 * the transaction of the caller: a report shows the one or the other.
 */
export async function changeCalendar(
  tx: Tx,
  change: {
    readonly agentId: number
    readonly zone: ReportZone
    readonly dayStartsAt: number
    readonly by: { readonly operatorId: number; readonly name: string }
    readonly at: Date
  },
): Promise<void> {
  const { agentId, zone, dayStartsAt, by, at } = change
  await lockFigures(tx)
  await sql`
    insert into report_calendar (agent_id, zone, day_starts_at, changed_at, changed_by_id, changed_by)
    values (${agentId}, ${zone}, ${dayStartsAt}, ${at}, ${by.operatorId}, ${by.name})
    on conflict (agent_id) do update set zone = excluded.zone, day_starts_at = excluded.day_starts_at,
      changed_at = excluded.changed_at, changed_by_id = excluded.changed_by_id, changed_by = excluded.changed_by`.execute(
    tx,
  )
  await moveRideDays(tx, agentId)
  await moveMoneyDays(tx, agentId)
}
