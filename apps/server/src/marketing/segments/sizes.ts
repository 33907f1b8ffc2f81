import { sql } from 'kysely'
import { dayMs } from '@saddle/contract/time.ts'
import { rowOf, rowsOf } from '#kit/db/rows.ts'
import type { Kit } from '#kit/kit.ts'
import { countSegment, termsOf } from './store.ts'

const sizedAtOnce = 50

const dueRow = rowsOf(rowOf('segment', 's', ['id', 'agent_id', 'version']), rowOf('segment_version', 'v', ['terms']))

/**
 * Counts the riders of segments that were not counted within a day, so that a list of segments says how many each has.
 * Resolves to the number of segments. A change of the segment counts by itself.
 */
export async function sizeSegments({ db, clock }: Pick<Kit, 'db' | 'clock'>): Promise<number> {
  const at = new Date(clock.now())
  const { rows } = await db.system((tx) =>
    dueRow.select`
      from segment s join segment_version v on v.segment_id = s.id and v.version = s.version
      where s.state = 'on' and (s.sized_at is null or s.sized_at <= ${new Date(at.getTime() - dayMs)})
      order by s.sized_at nulls first, s.id limit ${sizedAtOnce}`.execute(tx),
  )
  for (const { id, agent_id: agentId, version, terms } of rows) {
    await db.system(async (tx) => {
      const size = await countSegment(tx, { agentId, terms: termsOf(terms), at: at.getTime() })
      await sql`update segment set size = ${size}, sized_at = ${at} where id = ${id} and version = ${version}`.execute(
        tx,
      )
    })
  }
  return rows.length
}
