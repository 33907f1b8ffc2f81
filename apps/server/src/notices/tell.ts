import type { NoticeEventName, NoticeValues } from '@saddle/contract/notices/events.ts'
import type { Permission } from '@saddle/contract/permissions.ts'
import { sql } from 'kysely'
import type { Tx } from '#kit/db/pool.ts'
import { unnest } from '#kit/db/unnest.ts'

/** Something that staff are told of. */
export type NewNotice = {
  readonly [E in NoticeEventName]: {
    readonly event: E
    /** The company that it is about; it lies within the transaction's scope. */
    readonly agentId: number
    /** Narrows it to people of this area. */
    readonly areaId?: number
    /** Names the thing that it is about, e.g. `vehicle 17`. */
    readonly subject: string
    /** Names the cause: of one key a company is told once. Absent: the subject. */
    readonly key?: string
    readonly values: NoticeValues<E>
    /** The page that it leads to, e.g. `/vehicle-info?id=17`. */
    readonly path: string
    /** Who is told, where the event names people; otherwise narrows it to them. */
    readonly operatorIds?: readonly number[]
    /** Permissions instead of those of the event. */
    readonly codes?: readonly Permission[]
    readonly at: Date
  }
}[NoticeEventName]

const operatorsMax = 200

/**
 * Tells of what happened, in the transaction in which it happens: both commit or none. Who hears of it, by which channel and
 * in which words is decided by the worker afterwards.
 */
export async function tell(tx: Tx, notices: NewNotice | readonly NewNotice[]): Promise<void> {
  const all: readonly NewNotice[] = 'event' in notices ? [notices] : notices
  const rows = all.filter(({ operatorIds }) => operatorIds === undefined || operatorIds.length > 0)
  if (rows.length === 0) return
  if (rows.some(({ operatorIds = [] }) => operatorIds.length > operatorsMax))
    throw new RangeError(`a notice names more than ${operatorsMax} people`)
  await sql`
    insert into notice (agent_id, area_id, event, subject, key, "values", path, operator_ids, codes, at)
    select r.agent_id, r.area_id, r.event, r.subject, r.key, r.given::jsonb, r.path, r.operator_ids::bigint[],
      r.codes::text[], r.at
    from ${unnest<NewNotice>({
      rows,
      alias: 'r',
      columns: {
        agent_id: ['bigint', ({ agentId }) => agentId],
        area_id: ['bigint', ({ areaId }) => areaId ?? null],
        event: ['text', ({ event }) => event],
        subject: ['text', ({ subject }) => subject],
        key: ['text', ({ key, subject }) => key ?? subject],
        given: ['text', ({ values }) => JSON.stringify(values)],
        path: ['text', ({ path }) => path],
        operator_ids: ['text', ({ operatorIds }) => literalOf(operatorIds)],
        codes: ['text', ({ codes }) => literalOf(codes)],
        at: ['timestamptz', ({ at }) => at.getTime()],
      },
    })}
    on conflict (agent_id, event, key) do nothing`.execute(tx)
}

/** An array as a PostgreSQL literal: arrays of arrays would have to be of one length. Ids and codes need no quotes. */
const literalOf = (list: readonly (number | string)[] | undefined): string | null =>
  list === undefined ? null : `{${list.join(',')}}`
