import { sql } from 'kysely'
import type { Database } from './pool.ts'

/** The database's time at this moment, whatever transaction asks: milliseconds since 1970 UTC. */
export async function readDatabaseTime(db: Pick<Database, 'systemRead'>): Promise<number> {
  const [row] = await db.systemRead((kysely) =>
    kysely.selectNoFrom(sql<number>`(extract(epoch from clock_timestamp()) * 1000)::float8`.as('ms')).compile(),
  )
  if (row === undefined) throw new Error('the database told no time')
  return row.ms
}
