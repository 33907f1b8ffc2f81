import { sql } from 'kysely'
import { reportZones } from '@saddle/contract/reports/calendar.ts'
import type { Tx } from '#kit/db/pool.ts'
import { rowOf } from '#kit/db/rows.ts'

const calendarRow = rowOf('report_calendar', 'c', [
  'agent_id',
  'zone',
  'day_starts_at',
  'changed_at',
  'changed_by',
  'asked_zone',
  'asked_day_starts_at',
  'asked_at',
  'asked_by_id',
  'asked_by',
]).codes({ zone: reportZones, asked_zone: reportZones })

/** The calendar of a company, and the one that it has asked for; no row: the usual one. */
export const selectCalendar = (agentId: number) =>
  calendarRow.select`from report_calendar c where c.agent_id = ${agentId}`

export async function askForCalendar(
  tx: Tx,
  change: {
    readonly agentId: number
    readonly zone: string
    readonly dayStartsAt: number
    readonly at: Date
    readonly by: { readonly operatorId: number; readonly name: string }
  },
): Promise<void> {
  const { agentId, zone, dayStartsAt, at, by } = change
  await sql`
    insert into report_calendar as c (agent_id, changed_at, changed_by_id, changed_by, asked_zone, asked_day_starts_at,
      asked_at, asked_by_id, asked_by)
    values (${agentId}, ${at}, ${by.operatorId}, ${by.name}, ${zone}, ${dayStartsAt}, ${at}, ${by.operatorId}, ${by.name})
    on conflict (agent_id) do update set asked_zone = excluded.asked_zone,
      asked_day_starts_at = excluded.asked_day_starts_at, asked_at = excluded.asked_at, asked_by_id = excluded.asked_by_id,
      asked_by = excluded.asked_by`.execute(tx)
}

/** The calendar that has been asked for the longest, locked until the end of the transaction. */
export async function lockAsked(tx: Tx) {
  const { rows } = await calendarRow.select`
    from report_calendar c where c.asked_at is not null order by c.asked_at limit 1 for update skip locked`.execute(tx)
  return rows[0]
}
