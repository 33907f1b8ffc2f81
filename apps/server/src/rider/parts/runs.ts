import { sql, type RawBuilder } from 'kysely'
import { riderCountMax } from '@saddle/contract/rider/riders.ts'
import type { Place } from './place.ts'

/** Index runs that one statement may join: beyond it each run goes over all franchisees. */
const runsMax = 4_096

export type Asked = {
  readonly from?: number | undefined
  readonly to?: number | undefined
  readonly direction: 'asc' | 'desc'
  readonly after: Place | null
  readonly limit: number
  readonly agentIds: readonly number[]
  /** The riders that it is narrowed to; absent: to none. */
  readonly riderIds?: readonly number[] | undefined
}

/** A table that is listed by time, and the column whose values are its runs. Constants of the code. */
export type Listed = {
  readonly table: 'rider' | 'rider_ban' | 'rider_certificate' | 'rider_rebind'
  readonly at: string
  readonly by: {
    readonly column: string
    readonly type: 'smallint' | 'text' | 'boolean'
    readonly values: readonly unknown[]
  }
  /** The column with the rider's id. */
  readonly riderId: string
  /** A condition with an index of its own: its rows are read, and no runs. */
  readonly narrowed?: RawBuilder<unknown>
  /** A condition that is looked at in each row of a run. */
  readonly filter?: RawBuilder<unknown>
}

/**
 * Ids and times of what fits, as sorted runs of one index each: by franchisee and value, or by value alone where
 * somebody may see very many franchisees. A run is read no further than the page (or the count) needs, so the cost does
 * not grow with the table.
 */
function found(listed: Listed, asked: Asked): RawBuilder<unknown> {
  const { by } = listed
  const at = sql.ref(`x.${listed.at}`)
  const value = sql.ref(`x.${by.column}`)
  const { agentIds, riderIds, limit } = asked
  const order = asked.direction === 'asc' ? sql`asc` : sql`desc`
  const rest = [...spanOf(at, asked), ...(listed.filter === undefined ? [] : [listed.filter])]
  const run = (head: RawBuilder<unknown>) => sql`
    select x.id, ${at} as at from ${sql.table(listed.table)} x
    where ${sql.join([head, ...rest], sql` and `)} order by ${at} ${order}, x.id ${order} limit ${limit}`
  const values = sql`${by.values}::${sql.raw(by.type)}[]`
  const narrowed = [
    ...(riderIds === undefined ? [] : [sql`${sql.ref(`x.${listed.riderId}`)} = any (${riderIds}::bigint[])`]),
    ...(listed.narrowed === undefined ? [] : [listed.narrowed]),
  ]
  if (narrowed.length > 0) {
    const own = [sql`x.agent_id = any (${agentIds}::bigint[])`, sql`${value} = any (${values})`]
    return run(sql.join([...narrowed, ...own], sql` and `))
  }
  if (agentIds.length * by.values.length > runsMax) {
    return sql`
      select r.id, r.at from unnest(${values}) c (value)
      cross join lateral (${run(sql`${value} = c.value and x.agent_id = any (${agentIds}::bigint[])`)}) r`
  }
  return sql`
    select r.id, r.at from unnest(${agentIds}::bigint[]) a (id) cross join unnest(${values}) c (value)
    cross join lateral (${run(sql`x.agent_id = a.id and ${value} = c.value`)}) r`
}

function spanOf(at: RawBuilder<unknown>, { from, to, after, direction }: Asked): RawBuilder<unknown>[] {
  const beyond = direction === 'asc' ? sql`>` : sql`<`
  return [
    ...(from === undefined ? [] : [sql`${at} >= ${new Date(from)}`]),
    ...(to === undefined ? [] : [sql`${at} < ${new Date(to)}`]),
    ...(after === null ? [] : [sql`(${at}, x.id) ${beyond} (${new Date(after.at)}, ${after.id})`]),
  ]
}

/** One page of ids in their order, as the table `p`; join it, and sort by `p.at` and `p.id` as `orderOf` says. */
export function pageOf(listed: Listed, asked: Asked): RawBuilder<unknown> {
  const order = asked.direction === 'asc' ? sql`asc` : sql`desc`
  return sql`(
    select f.id, f.at from (${found(listed, asked)}) f order by f.at ${order}, f.id ${order} limit ${asked.limit}
  ) p`
}

export const orderOf = ({ direction }: Asked): RawBuilder<unknown> =>
  direction === 'asc' ? sql`p.at asc, p.id asc` : sql`p.at desc, p.id desc`

/** How many fit, up to one more than is told. */
export function countOf(listed: Listed, asked: Asked) {
  const limit = riderCountMax + 1
  return sql<{ count: number }>`
    select count(*) as count from (select from (${found(listed, { ...asked, after: null, limit })}) f limit ${limit}) c`
}
