import { sql } from 'kysely'
import type { Tx } from '#kit/db/pool.ts'
import { moveMoneyDays } from './money.ts'
import { moveRideDays } from './rides.ts'

/**
 * Makes the calendar that a company has asked for its calendar, and moves its hours into the days of it: in one transaction,
 * so that a report shows the one or the other. Whoever calls it holds the lock of the figures.
 */
export async function changeCalendar(tx: Tx, { agent_id: agentId }: { readonly agent_id: number }): Promise<void> {
  await sql`
    update report_calendar set zone = asked_zone, day_starts_at = asked_day_starts_at, changed_at = asked_at,
      changed_by_id = asked_by_id, changed_by = asked_by, asked_zone = null, asked_day_starts_at = null, asked_at = null,
      asked_by_id = null, asked_by = null
    where agent_id = ${agentId} and asked_at is not null`.execute(tx)
  await moveRideDays(tx, agentId)
  await moveMoneyDays(tx, agentId)
}
