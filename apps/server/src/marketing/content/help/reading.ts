import { sql } from 'kysely'
import { AppError } from '@saddle/contract/errors.ts'
import { helpOpinions, type HelpOpinion } from '@saddle/contract/marketing/help.ts'
import type { Tx } from '#kit/db/pool.ts'
import { computed, rowOf, rowOfValues, rowsOf, type RowOf } from '#kit/db/rows.ts'
import { shardOf } from '../checks.ts'
import { viewEveryMs } from './rules.ts'
import { contentOf, liveAt } from './store.ts'

const liveRow = rowsOf(
  rowOf('help_article', 'ha', ['id']),
  rowOf('help_version', 'v', ['version', 'content', 'made_at']),
)
const readerRow = rowOf('help_reader', 'h', ['id', 'opinion', 'last_at']).codes({ opinion: helpOpinions })

/** The article as riders read it. Throws not_found for one that is not published. */
export async function readLive(tx: Tx, { agentId, id, nowMs }: { agentId: number; id: number; nowMs: number }) {
  const { rows } = await liveRow.select`
    from help_article ha join help_version v on v.article_id = ha.id and v.version = ${liveAt(new Date(nowMs))}
    where ha.id = ${id} and ha.agent_id = ${agentId}`.execute(tx)
  const [row] = rows
  if (row === undefined) throw new AppError('not_found')
  return { id: row.id, version: row.version, content: contentOf(row.content), changedAt: row.made_at.getTime() }
}

export interface Reading {
  readonly articleId: number
  readonly agentId: number
  readonly riderId: number
  readonly version: number
  readonly nowMs: number
}

/** Counts one view of a rider; one that follows within a minute is the same view. */
export async function noteReading(tx: Tx, reading: Reading): Promise<RowOf<typeof readerRow>> {
  const { articleId, agentId, riderId, version, nowMs } = reading
  const at = new Date(nowMs)
  const { rows: added } = await readerRow
    .query(
      (list) => sql`
      with h as (
        insert into help_reader (article_id, rider_id, agent_id, version, first_at, last_at)
        values (${articleId}, ${riderId}, ${agentId}, ${version}, ${at}, ${at})
        on conflict (article_id, rider_id) do nothing returning *
      ) select ${list} from h`,
    )
    .execute(tx)
  const [first] = added
  if (first !== undefined) {
    await count(tx, reading, { readers: 1, views: 1 })
    return first
  }
  const { rows } = await readerRow.select`
    from help_reader h where h.article_id = ${articleId} and h.rider_id = ${riderId} and h.agent_id = ${agentId}
    for update`.execute(tx)
  const [known] = rows
  if (known === undefined) throw new Error('a reader that was just found is not there')
  if (nowMs - known.last_at.getTime() < viewEveryMs) return known
  await sql`
    update help_reader set views = views + 1, version = ${version}, last_at = ${at} where id = ${known.id}`.execute(tx)
  await count(tx, reading, { views: 1 })
  return known
}

/** Notes what a rider says of an article; the earlier opinion no longer counts. */
export async function noteOpinion(tx: Tx, reading: Reading, opinion: 'useful' | 'useless'): Promise<void> {
  const known = await noteReading(tx, reading)
  if (known.opinion === opinion) return
  await sql`
    update help_reader set opinion = ${opinion}, opinion_at = ${new Date(reading.nowMs)} where id = ${known.id}`.execute(
    tx,
  )
  const one = (of: HelpOpinion): number => (opinion === of ? 1 : known.opinion === of ? -1 : 0)
  await count(tx, reading, { useful: one('useful'), useless: one('useless') })
}

interface Counts {
  readonly readers?: number
  readonly views?: number
  readonly useful?: number
  readonly useless?: number
}

async function count(tx: Tx, { articleId, agentId, riderId }: Reading, counts: Counts): Promise<void> {
  const { readers = 0, views = 0, useful = 0, useless = 0 } = counts
  const shard = shardOf(riderId)
  // The row is there before it is changed: an insert with a negative number would be refused.
  await sql`
    insert into help_count (article_id, shard, agent_id) values (${articleId}, ${shard}, ${agentId})
    on conflict do nothing`.execute(tx)
  await sql`
    update help_count set readers = readers + ${readers}::int, views = views + ${views}::int,
      useful = useful + ${useful}::int, useless = useless + ${useless}::int
    where article_id = ${articleId} and shard = ${shard} and agent_id = ${agentId}`.execute(tx)
}

const headRow = rowsOf(rowOf('help_article', 'ha', ['id']), rowOfValues({ content: computed('jsonb', sql`v.content`) }))

/** The published articles of a company that an area reads, in their order. */
export function selectLive(asked: {
  readonly agentId: number
  readonly areaId: number | undefined
  readonly category: string | undefined
  readonly text: string | undefined
  readonly now: Date
  readonly limit: number
}) {
  const { agentId, areaId, category, text, now, limit } = asked
  const inArea =
    areaId === undefined
      ? sql`true`
      : sql`(v.content -> 'areaIds' = '[]' or v.content -> 'areaIds' @> to_jsonb(${areaId}::bigint))`
  const ofCategory = category === undefined ? sql`true` : sql`v.content ->> 'category' = ${category}`
  const found =
    text === undefined
      ? sql`true`
      : sql`strpos(lower(concat_ws(' ', v.content ->> 'title', v.content ->> 'body', v.content ->> 'titleEn',
          v.content ->> 'bodyEn')), lower(${text})) > 0`
  return headRow.select`
    from help_article ha join help_version v on v.article_id = ha.id and v.version = ${liveAt(now)}
    where ha.agent_id = ${agentId} and ${inArea} and ${ofCategory} and ${found}
    order by ha.category_rank, ha.position, ha.id limit ${limit}`
}
export const presentHead = (row: RowOf<typeof headRow>) => ({ id: row.id, content: contentOf(row.content) })
