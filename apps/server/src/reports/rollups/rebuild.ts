import { sql } from 'kysely'
import type { Kit } from '#kit/kit.ts'
import { isCounted } from './rides.ts'
import { finishRollups, lockFigures } from './job.ts'

const runsMax = 100_000

/**
 * Throws all figures away and makes them from orders and ledger. Until it is done reports show less than there is; changes
 * that happen meanwhile are taken in.
 */
export async function rebuildFigures(deps: Pick<Kit, 'db' | 'log'>): Promise<void> {
  await deps.db.system(async (tx) => {
    await sql`set local statement_timeout = 0`.execute(tx)
    await lockFigures(tx)
    for (const table of [
      'ride_hour',
      'ride_day',
      'ride_month',
      'money_hour',
      'money_day',
      'money_month',
      'money_cursor',
    ]) {
      await sql`delete from ${sql.table(`report_${table}`)}`.execute(tx)
    }
    await sql`
      insert into report_backlog (agent_id, area_id, hour)
      select distinct o.agent_id, o.area_id, date_trunc('hour', o.placed_at, 'UTC') from ride_order o where ${isCounted}
      on conflict do nothing`.execute(tx)
  })
  await finishRollups(deps, { runsMax })
}
