import { sql } from 'kysely'
import type { Kit } from '#kit/kit.ts'
import { makeAllRides } from './rides.ts'
import { finishRollups } from './job.ts'
import { lockFigures } from './lock.ts'
import { makeAllMoney } from './money.ts'

const runsMax = 100_000
const tables = [
  'ride_hour',
  'ride_day',
  'ride_month',
  'company',
  'ride_company_hour',
  'ride_company_day',
  'money_hour',
  'money_day',
  'money_month',
  'money_company_hour',
  'money_company_day',
  'money_cursor',
] as const

/**
 * Throws all figures away and makes them from orders and ledger, in one transaction: reports show the old ones until it ends.
 * Changes that happen meanwhile are taken in afterwards.
 */
export async function rebuildFigures(deps: Pick<Kit, 'db' | 'log' | 'clock'>): Promise<void> {
  await deps.db.system(async (tx) => {
    await sql`set local statement_timeout = 0`.execute(tx)
    // Groups of a year of hours fit into it: sorting them on the disk takes several times as long.
    await sql`set local work_mem = '256MB'`.execute(tx)
    await lockFigures(tx)
    // What is noted until here is in the orders that are read now.
    await sql`delete from report_backlog`.execute(tx)
    for (const table of tables) await sql`delete from ${sql.table(`report_${table}`)}`.execute(tx)
    await makeAllRides(tx)
    await makeAllMoney(tx)
  })
  await finishRollups(deps, { runsMax })
}
