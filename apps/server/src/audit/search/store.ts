import { sql, type RawBuilder } from 'kysely'
import type { Scope } from '#kit/db/scope.ts'
import type { AuditPlace } from './rules.ts'

/** A thing by its kind and id, as lines name it. */
export interface Thing {
  readonly kind: string
  readonly id: string
}

export interface Search {
  readonly scope: Pick<Scope, 'agentIds' | 'areaIds'>
  readonly from?: number | undefined
  /** Not included. */
  readonly to?: number | undefined
  /** Any of these people; undefined: anybody, and the system. */
  readonly operatorIds?: readonly number[] | undefined
  readonly actions?: readonly string[] | undefined
  readonly kinds?: readonly string[] | undefined
  /** Lines that are about any of these, or mention it. */
  readonly things?: readonly Thing[] | undefined
  readonly after: AuditPlace | null
  readonly limit: number
}

export type SearchRow = {
  id: number
  /** Exact: a Date would cut it to milliseconds. */
  at_micros: number
  agent_id: number
  company: string
  area_id: number | null
  operator_id: number | null
  action: string
  subject_kind: string
  subject_id: string
  before: Record<string, unknown> | null
  after: Record<string, unknown> | null
  address: string | null
  request_id: string | null
}

/** Companies × people (or actions, or kinds) that are looked for one by one; beyond, lines are gone through by time. */
const probesMax = 4_000
/** Names that are typed may fit many people. */
const peopleProbedMax = 20

/**
 * The newest lines that meet the conditions, one page of them. The most telling condition is looked up in its own index,
 * once for each company and value, newest first and no more than a page; what these bring together is one page again.
 * The rest of the line is read for the rows of the page alone.
 */
export function selectLines(search: Search) {
  return sql<SearchRow>`
    select line.id, (extract(epoch from line.at) * 1000000)::bigint as at_micros, line.agent_id, agent.company,
      line.area_id, line.operator_id, line.action, line.subject_kind, line.subject_id, line.before, line.after,
      line.address, line.request_id
    from (
      select distinct found.at, found.id from (${sql.join(sources(search), sql` union all `)}) found
      order by found.at desc, found.id desc limit ${search.limit}
    ) page
    join audit_line line on line.id = page.id
    join agent on agent.id = line.agent_id
    order by page.at desc, page.id desc`
}

type Probe = 'things' | 'people' | 'actions' | 'kinds' | 'time'

function probeOf({ scope, things, operatorIds, actions, kinds }: Search): Probe {
  const isFew = (values: readonly unknown[] | undefined, most = Infinity): boolean =>
    values !== undefined && values.length <= most && values.length * scope.agentIds.length <= probesMax
  if (things !== undefined) return 'things'
  if (isFew(operatorIds, peopleProbedMax)) return 'people'
  if (isFew(actions)) return 'actions'
  return isFew(kinds) ? 'kinds' : 'time'
}

function sources(search: Search): RawBuilder<unknown>[] {
  const probe = probeOf(search)
  const agents = sql`unnest(${search.scope.agentIds}::bigint[]) as company (id)`
  const conditions = sql.join(conditionsOf(search, probe), sql` and `)
  const own = (values: RawBuilder<unknown>, match: RawBuilder<unknown>) => sql`
    select hit.at, hit.id from ${agents} ${values} cross join lateral (
      select line.at, line.id from audit_line line
      where line.agent_id = company.id and ${match} and ${conditions} and ${span(search, 'line.at', 'line.id')}
      order by line.at desc, line.id desc limit ${search.limit}
    ) hit`
  if (probe === 'people') {
    return [
      own(sql`cross join unnest(${search.operatorIds}::bigint[]) as person (id)`, sql`line.operator_id = person.id`),
    ]
  }
  if (probe === 'actions') {
    return [own(sql`cross join unnest(${search.actions}::text[]) as act (name)`, sql`line.action = act.name`)]
  }
  if (probe === 'kinds') {
    return [own(sql`cross join unnest(${search.kinds}::text[]) as kind (name)`, sql`line.subject_kind = kind.name`)]
  }
  if (probe === 'time') return [own(sql``, sql`true`)]
  const things = search.things ?? []
  const named = sql`cross join unnest(${things.map(({ kind }) => kind)}::text[], ${things.map(({ id }) => id)}::text[])
    as thing (kind, id)`
  return [
    own(named, sql`line.subject_kind = thing.kind and line.subject_id = thing.id`),
    sql`
      select hit.at, hit.id from ${agents} ${named} cross join lateral (
        select mention.at, line.id from audit_mention mention join audit_line line on line.id = mention.line_id
        where mention.agent_id = company.id and mention.subject_kind = thing.kind and mention.subject_id = thing.id
          and ${conditions} and ${span(search, 'mention.at', 'mention.line_id')}
        order by mention.at desc, mention.line_id desc limit ${search.limit}
      ) hit`,
  ]
}

function conditionsOf({ scope, operatorIds, actions, kinds }: Search, probe: Probe): RawBuilder<unknown>[] {
  const found = [sql`(line.area_id is null or line.area_id = any (${scope.areaIds}::bigint[]))`]
  if (operatorIds !== undefined && probe !== 'people')
    found.push(sql`line.operator_id = any (${operatorIds}::bigint[])`)
  if (actions !== undefined && probe !== 'actions') found.push(sql`line.action = any (${actions}::text[])`)
  if (kinds !== undefined && probe !== 'kinds') found.push(sql`line.subject_kind = any (${kinds}::text[])`)
  return found
}

function span({ from, to, after }: Search, at: string, id: string): RawBuilder<unknown> {
  const [time, key] = [sql.raw(at), sql.raw(id)]
  const found = [sql`true`]
  if (from !== undefined) found.push(sql`${time} >= ${new Date(from)}`)
  if (to !== undefined) found.push(sql`${time} < ${new Date(to)}`)
  if (after !== null) {
    // Split in two, because a time zone's name never enters: microseconds since 1970, exactly.
    const place = sql`timestamptz 'epoch' + ${after.atMicros} * interval '1 microsecond'`
    found.push(sql`(${time}, ${key}) < (${place}, ${after.id})`)
  }
  return sql.join(found, sql` and `)
}
