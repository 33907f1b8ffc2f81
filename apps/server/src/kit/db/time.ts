import { CompiledQuery } from 'kysely'
import type { Database } from './pool.ts'

/** Answers `ms`: the database's time at this moment, whatever transaction asks, in milliseconds since 1970 UTC. */
export const databaseTime = 'select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms'

const query = CompiledQuery.raw(databaseTime) as CompiledQuery<{ ms: number }>

/** The database's time in milliseconds since 1970 UTC. */
export async function readDatabaseTime(db: Pick<Database, 'systemRead'>): Promise<number> {
  const [row] = await db.systemRead(query)
  if (row === undefined) throw new Error('the database told no time')
  return row.ms
}
