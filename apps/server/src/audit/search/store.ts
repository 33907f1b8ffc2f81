import { sql, type RawBuilder } from 'kysely'
import type { Direction } from '@saddle/contract/list.ts'
import { computed, rowOf, rowOfValues, rowsOf, type RowOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import type { Cursor } from '#kit/list/cursor.ts'

/** A subject by kind and id, as records name it. */
export interface Subject {
  readonly kind: string
  readonly id: string
}

export interface Search {
  readonly scope: Pick<Scope, 'agentIds' | 'areaIds'>
  readonly from?: number | undefined
  /** Not included. */
  readonly to?: number | undefined
  /** Any of these operators; undefined: all operators and the system. */
  readonly operatorIds?: readonly number[] | undefined
  readonly actions?: readonly string[] | undefined
  readonly kinds?: readonly string[] | undefined
  /** Records about any of these, or mentioning it. */
  readonly subjects?: readonly Subject[] | undefined
  /** Actions included beside those kinds. */
  readonly alsoActions: readonly string[]
  /** Include commands of rider apps. */
  readonly withRiders: boolean
}

/** A part of what a search finds: the records after a cursor of microseconds and id, in one direction of time. */
export interface SearchPart extends Search {
  readonly direction: Direction
  readonly after: Cursor | null
  readonly limit: number
}

// `riderRecords` gives the same columns in the same order.
const searchRow = rowsOf(
  rowOf('audit_record', 'line', ['id']),
  rowOfValues({ at_micros: computed('bigint', sql`extract(epoch from line.at) * 1000000`) }),
  rowOf('audit_record', 'line', ['agent_id']),
  rowOf('agent', 'agent', ['company']),
  rowOf('audit_record', 'line', [
    'area_id',
    'operator_id',
    'action',
    'subject_kind',
    'subject_id',
    'before',
    'after',
  ]).json<{
    before: Record<string, unknown> | null
    after: Record<string, unknown> | null
  }>(),
  rowOf('audit_record', 'line', ['address', 'request_id']),
  rowOfValues({ actor: computed('text?', sql`null`) }),
)
export type SearchRow = RowOf<typeof searchRow>

/** Up to this many companies are searched one by one; for more, all records are scanned from the newest. */
const companiesMax = 300

/**
 * One page of the records that match. The most selective condition is looked up in its own index, in the order of time,
 * at most one page per value; the results are cut to one page again. The other columns are read only for the rows of
 * that page.
 */
export function selectRecords(search: SearchPart) {
  // A line may be about one of the things and mention another.
  const order = sql.raw(search.direction)
  const several = search.subjects === undefined && search.alsoActions.length === 0 ? sql`` : sql`distinct`
  return searchRow.query(
    (columns) => sql`
    with page as materialized (
      select ${several} found.at, found.id from (${sql.join(sources(search), sql` union all `)}) found
      order by found.at ${order}, found.id ${order} limit ${search.limit}
    )
    select ${columns} from page join audit_record line on line.id = page.id join agent on agent.id = line.agent_id
    ${search.withRiders ? sql`union all ${riderRecords}` : sql``}
    order by at_micros ${order}, id ${order}`,
  )
}

/** What a search finds that can find nothing. */
export const selectNoRecords = () =>
  searchRow.select`from audit_record line join agent on agent.id = line.agent_id where false`

/** A command of a rider app in the form of a record. */
const riderRecords = sql`
  select -c.id, (extract(epoch from c.queued_at) * 1000000)::bigint, c.agent_id, agent.company, c.area_id, null,
    'vehicle.' || c.kind, 'vehicle', c.vehicle_id::text, null,
    jsonb_build_object('commandId', c.id, 'reason', c.reason, 'state', c.state), null, null, c.operator_name
  from page join vehicle_command c on c.id = -page.id join agent on agent.id = c.agent_id where page.id < 0`

/**
 * A sub-select is hashed once, where an array would be scanned for every record. `is true` keeps it a filter: as a
 * join it would lose the order of time.
 */
const oneOf = (column: string, values: readonly unknown[], type: string) =>
  sql`(${sql.ref(column)} in (select unnest(${values}::${sql.raw(type)}[]))) is true`

function sources(search: SearchPart): RawBuilder<unknown>[] {
  return search.withRiders ? [...recordSources(search), ...riderSources(search)] : recordSources(search)
}

/** Operators do not give these commands: a search for an operator finds none of them. */
function riderSources(search: SearchPart): RawBuilder<unknown>[] {
  const { scope, subjects, operatorIds, actions } = search
  if (operatorIds !== undefined) return []
  const vehicleIds = subjects?.flatMap(({ kind, id }) =>
    kind === 'vehicle' && /^\d{1,15}$/.test(id) ? [Number(id)] : [],
  )
  const found = [sql`c.operator_id = 0`, oneOf('c.area_id', scope.areaIds, 'bigint')]
  if (actions !== undefined) {
    const kinds = actions.flatMap((action) => (action.startsWith('vehicle.') ? [action.slice('vehicle.'.length)] : []))
    found.push(oneOf('c.kind', kinds, 'text'))
  }
  found.push(span(search, 'c.queued_at', '-c.id'))
  const from =
    vehicleIds === undefined
      ? sql`unnest(${scope.agentIds}::bigint[]) as company (id)`
      : sql`unnest(${vehicleIds}::bigint[]) as vehicle (id)`
  const match =
    vehicleIds === undefined
      ? sql`c.agent_id = company.id`
      : sql`c.vehicle_id = vehicle.id and ${oneOf('c.agent_id', scope.agentIds, 'bigint')}`
  return [
    sql`
    select hit.at, hit.id from ${from} cross join lateral (
      select c.queued_at as at, -c.id as id from vehicle_command c
      where ${match} and ${sql.join(found, sql` and `)}
      order by c.queued_at ${sql.raw(search.direction)}, -c.id ${sql.raw(search.direction)} limit ${search.limit}
    ) hit`,
  ]
}

function recordSources(search: SearchPart): RawBuilder<unknown>[] {
  const { scope, subjects, operatorIds, actions, kinds } = search
  const companies = sql`unnest(${scope.agentIds}::bigint[]) as company (id)`
  const isFew = scope.agentIds.length <= companiesMax
  if (subjects !== undefined) return ofSubjects(search, subjects)
  if (operatorIds !== undefined) {
    const people = sql`unnest(${operatorIds}::bigint[]) as person (id)`
    return [probe(search, { from: people, match: sql`line.operator_id = person.id`, met: ['operatorIds'] })]
  }
  if (actions !== undefined) {
    const acts = sql`unnest(${actions}::text[]) as act (name)`
    const match = sql`line.action = act.name`
    return [eachCompany({ search, isFew, companies, values: acts, match, met: 'actions' })]
  }
  if (kinds !== undefined) {
    const wanted = sql`unnest(${kinds}::text[]) as kind (name)`
    const match = sql`line.subject_kind = kind.name`
    const ofKinds = eachCompany({ search, isFew, companies, values: wanted, match, met: 'kinds' })
    if (search.alsoActions.length === 0) return [ofKinds]
    const acts = sql`unnest(${search.alsoActions}::text[]) as act (name)`
    const isAct = sql`line.action = act.name`
    return [ofKinds, eachCompany({ search, isFew, companies, values: acts, match: isAct, met: 'kinds' })]
  }
  if (isFew) return [probe(search, { from: companies, match: sql`line.agent_id = company.id`, met: ['companies'] })]
  return [probe(search, { from: sql`(select 1) as once`, match: sql`true`, met: [] })]
}

/** Looks values up per company for a few companies, or over all of them. */
function eachCompany(options: {
  search: SearchPart
  isFew: boolean
  companies: RawBuilder<unknown>
  values: RawBuilder<unknown>
  match: RawBuilder<unknown>
  met: Condition
}): RawBuilder<unknown> {
  const { search, isFew, companies, values, match, met } = options
  if (!isFew) return probe(search, { from: values, match, met: [met] })
  const from = sql`${companies} cross join ${values}`
  return probe(search, { from, match: sql`line.agent_id = company.id and ${match}`, met: ['companies', met] })
}

type Condition = 'companies' | 'operatorIds' | 'actions' | 'kinds'

function probe(
  search: SearchPart,
  options: { from: RawBuilder<unknown>; match: RawBuilder<unknown>; met: readonly Condition[] },
): RawBuilder<unknown> {
  const { from, match, met } = options
  const order = sql.raw(search.direction)
  return sql`
    select hit.at, hit.id from ${from} cross join lateral (
      select line.at, line.id from audit_record line
      where ${match} and ${conditionsOf(search, met)} and ${span(search, 'line.at', 'line.id')}
      order by line.at ${order}, line.id ${order} limit ${search.limit}
    ) hit`
}

/** Records about a subject, and records that mention it. */
function ofSubjects(search: SearchPart, subjects: readonly Subject[]): RawBuilder<unknown>[] {
  const named = sql`unnest(${subjects.map(({ kind }) => kind)}::text[], ${subjects.map(({ id }) => id)}::text[])
    as thing (kind, id)`
  const order = sql.raw(search.direction)
  return [
    probe(search, {
      from: named,
      match: sql`line.subject_kind = thing.kind and line.subject_id = thing.id`,
      met: [],
    }),
    sql`
      select hit.at, hit.id from ${named} cross join lateral (
        select mention.at, mention.line_id as id from audit_mention mention join audit_record line on line.id = mention.line_id
        where mention.subject_kind = thing.kind and mention.subject_id = thing.id
          and ${conditionsOf(search, [])} and ${span(search, 'mention.at', 'mention.line_id')}
        order by mention.at ${order}, mention.line_id ${order} limit ${search.limit}
      ) hit`,
  ]
}

function conditionsOf(
  { scope, operatorIds, actions, kinds, alsoActions }: SearchPart,
  met: readonly Condition[],
): RawBuilder<unknown> {
  const found = [
    ...(met.includes('companies') ? [] : [oneOf('line.agent_id', scope.agentIds, 'bigint')]),
    sql`(line.area_id is null or ${oneOf('line.area_id', scope.areaIds, 'bigint')})`,
  ]
  if (operatorIds !== undefined && !met.includes('operatorIds'))
    found.push(oneOf('line.operator_id', operatorIds, 'bigint'))
  if (actions !== undefined && !met.includes('actions')) found.push(oneOf('line.action', actions, 'text'))
  if (kinds !== undefined && !met.includes('kinds')) {
    const ofKind = oneOf('line.subject_kind', kinds, 'text')
    found.push(alsoActions.length === 0 ? ofKind : sql`(${ofKind} or ${oneOf('line.action', alsoActions, 'text')})`)
  }
  return sql.join(found, sql` and `)
}

function span({ from, to, direction, after }: SearchPart, at: string, id: string): RawBuilder<unknown> {
  const [time, key] = [sql.raw(at), sql.raw(id)]
  const found = [sql`true`]
  if (from !== undefined) found.push(sql`${time} >= ${new Date(from)}`)
  if (to !== undefined) found.push(sql`${time} < ${new Date(to)}`)
  if (after !== null) {
    // Microseconds since 1970 are exact and independent of time zones.
    const [atMicros, afterId] = after
    const lastAt = sql`timestamptz 'epoch' + ${atMicros}::double precision * interval '1 microsecond'`
    found.push(sql`(${time}, ${key}) ${sql.raw(direction === 'desc' ? '<' : '>')} (${lastAt}, ${afterId}::bigint)`)
  }
  return sql.join(found, sql` and `)
}
