import { sql, type RawBuilder } from 'kysely'
import type { AnyList, Direction } from '@saddle/contract/list.ts'
import type { Columns } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import type { DB } from '#kit/db/types.ts'
import type { Cursor, KeyKind, KeyValue } from './cursor.ts'
import type { CountedRows, FilterOf, ListQuery, SortOf, SumsOf } from './serveList.ts'

/** Index runs that one statement may join: beyond it each run goes over all companies or areas. */
export const runsMax = 4_096
/** Runs without a value of their own that are joined; beyond it one run over all of them is read by the sort. */
const plainRunsMax = 200
/** Rows that joined runs may hand over to be sorted. */
const joinedRowsMax = 100_000

type Condition = RawBuilder<unknown> | false | undefined
type Tenant = 'agent' | 'area' | ((scope: Scope) => RawBuilder<unknown>)
type SortKey = readonly [column: string, kind: Exclude<KeyKind, 'id'>]

/** What a filter asks of a table. */
export interface Found {
  /** A column that begins the index of every sort, behind company or area, and the values that are asked for. */
  readonly runs?: {
    readonly column: string
    readonly type: 'smallint' | 'text' | 'boolean'
    readonly values: readonly unknown[]
  }
  /** Conditions with an index of their own: their rows are read, and no runs. `undefined` and `false` ask for nothing. */
  readonly narrowed?: readonly Condition[]
  /** Conditions that are looked at in each row of a run. */
  readonly where?: readonly Condition[]
  /** Of the scope's areas, those that are asked for. */
  readonly areaIds?: readonly number[] | undefined
  /** Of the scope's companies, those that are asked for; for rows that belong to a company. */
  readonly agentIds?: readonly number[] | undefined
}

interface TableListOptions<L extends AnyList, Params, Row> {
  readonly table: keyof DB
  readonly alias: string
  /** The column that tells rows apart; `id`, unless told. */
  readonly id?: string
  /** What its values are; `id`, unless told. */
  readonly idKind?: 'id' | 'text'
  /**
   * Whether rows belong to a company or to a service area of it; a condition where they belong to either: then one run is
   * read by the sort alone.
   */
  readonly tenant: Tenant
  /** A function where what is shown of a row depends on the scope. */
  readonly columns: Columns<Row> | ((scope: Scope) => Columns<Row>)
  /** Joins of the tables that the columns come from beside the table itself. */
  readonly joins?: RawBuilder<unknown> | ((scope: Scope) => RawBuilder<unknown>)
  /** The columns of each sort; each sort needs an index of tenant, run, these columns and the id. */
  readonly sorts: Readonly<Record<SortOf<L>, SortKey | readonly SortKey[]>>
  readonly find: (filter: FilterOf<L>, params: Params, query: Pick<ListQuery<L, Params>, 'scope' | 'sort'>) => Found
  /** What is added up, of the table's own columns. */
  readonly sums?: Readonly<Record<L['sumNames'][number], RawBuilder<unknown>>>
}

type Listed<Row> = Row & Readonly<Record<string, unknown>>

/**
 * The statements of a list over one table. Its rows are read as sorted runs of one index each, by company (or area) and
 * value, and a run no further than the page or the count needs: the cost does not grow with the table.
 */
export function tableList<L extends AnyList, Params, Row>(
  _list: L,
  options: TableListOptions<L, Params, Row>,
): CountedRows<L, Params, Listed<Row>> {
  const { table, alias, id = 'id', idKind = 'id', columns, joins = sql``, sums } = options
  const joinsOf = (scope: Scope): RawBuilder<unknown> => (typeof joins === 'function' ? joins(scope) : joins)
  const sortKeys = (sort: string): readonly SortKey[] => keysOf(options.sorts[sort as SortOf<L>])
  const statementOf = ({ filter, params, scope, ...query }: ListQuery<L, Params>): Statement => {
    const found = options.find(filter, params, { scope, sort: query.sort })
    return { ...query, table, alias, id, idKind, tenant: options.tenant, keys: sortKeys(query.sort), found, scope }
  }
  const keyNames = (sort: string): string[] => sortKeys(sort).map((_, index) => `key${index}`)
  return {
    keys: Object.fromEntries(
      Object.keys(options.sorts).map((sort) => [sort, [...sortKeys(sort).map(([, kind]) => kind), idKind]]),
    ) as Record<SortOf<L>, KeyKind[]>,
    select: (query) => {
      const statement = statementOf(query)
      const { keys, limit, direction } = statement
      const shownKeys = keys.map(
        ([, kind], index) => sql`, ${keyShown(`p.key${index}`, kind)} as ${sql.ref(`key${index}`)}`,
      )
      const shown = typeof columns === 'function' ? columns(query.scope) : columns
      return shown.query(
        (list) => sql`
          select ${list}, p.id as key_id${sql.join(shownKeys, sql``)}
          from (select f.* from (${runsOf(statement)}) f order by ${orderOf('f', keys, direction)} limit ${limit}) p
          join ${sql.table(table)} ${sql.raw(alias)} on ${sql.ref(`${alias}.${id}`)} = p.id ${joinsOf(query.scope)}
          order by ${orderOf('p', keys, direction)}`,
      ) as RawBuilder<Listed<Row>>
    },
    count: (query) => {
      const statement = statementOf(query)
      return sql`
        select count(*) as count from (select from (${runsOf(statement)}) f limit ${statement.limit}) c`
    },
    sums:
      sums === undefined
        ? undefined
        : (query) => {
            const names = Object.keys(sums)
            const statement = { ...statementOf(query), keys: [], picked: Object.values<RawBuilder<unknown>>(sums) }
            const totals = names.map(
              (name, index) => sql`coalesce(sum(c.${sql.raw(`sum${index}`)}), 0)::bigint as ${sql.ref(name)}`,
            )
            return sql<{ rows: number } & SumsOf<L>>`
              select ${sql.join([sql`count(*) as rows`, ...totals])}
              from (select f.* from (${runsOf(statement)}) f limit ${statement.limit}) c`
          },
    cursorOf: (row, sort) => [...keyNames(sort), 'key_id'].map((name) => row[name] as KeyValue),
  }
}

interface Statement {
  readonly table: string
  readonly alias: string
  readonly id: string
  readonly idKind: 'id' | 'text'
  readonly tenant: Tenant
  readonly keys: readonly SortKey[]
  readonly direction: Direction
  readonly after: Cursor | null
  readonly limit: number
  readonly found: Found
  readonly scope: Scope
  /** What is handed over of each row beside its id and keys. */
  readonly picked?: readonly RawBuilder<unknown>[]
}

const keysOf = (keys: SortKey | readonly SortKey[]): readonly SortKey[] =>
  typeof keys[0] === 'string' ? [keys as SortKey] : (keys as readonly SortKey[])

/** Ids and keys of the rows that are asked for, unordered where several runs are joined. */
function runsOf(statement: Statement): RawBuilder<unknown> {
  const { alias, tenant, found, scope, limit } = statement
  const { runs } = found
  const column = (name: string) => sql.raw(`${alias}.${name}`)
  const areas = tenant === 'area' ? areasOf(statement) : []
  const agents = agentsOf(statement)
  const ofAgents = sql`${column('agent_id')} = any (${agents}::bigint[])`
  const inAreas = sql`${ofAgents} and ${column('area_id')} = any (${areas}::bigint[])`
  const inScope = typeof tenant === 'function' ? tenant(scope) : tenant === 'area' ? inAreas : ofAgents
  // A value that is asked for twice would be a run that is read twice.
  const wanted = [...new Set(runs?.values)]
  const values = runs === undefined ? sql`` : sql`${wanted}::${sql.raw(runs.type)}[]`
  const narrowed = conditionsOf(found.narrowed)
  if (narrowed.length > 0 || typeof tenant === 'function') {
    const inValues = runs === undefined ? [] : [sql`${column(runs.column)} = any (${values})`]
    return run(statement, [...narrowed, inScope, ...inValues])
  }
  const tenants = tenant === 'area' ? areas : agents
  const ofTenant =
    tenant === 'area' ? sql`${column('area_id')} = a.id and ${ofAgents}` : sql`${column('agent_id')} = a.id`
  if (runs === undefined) {
    if (tenants.length > plainRunsMax || tenants.length * limit > joinedRowsMax) return run(statement, [inScope])
    return sql`
      select r.* from unnest(${tenants}::bigint[]) a (id) cross join lateral (${run(statement, [ofTenant])}) r`
  }
  const ofValue = sql`${column(runs.column)} = c.value`
  if (tenants.length * wanted.length > runsMax) {
    return sql`
      select r.* from unnest(${values}) c (value) cross join lateral (${run(statement, [ofValue, inScope])}) r`
  }
  return sql`
    select r.* from unnest(${tenants}::bigint[]) a (id) cross join unnest(${values}) c (value)
    cross join lateral (${run(statement, [ofTenant, ofValue])}) r`
}

/** One run: rows of one index in the order of the sort. */
function run(statement: Statement, head: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
  const { table, alias, keys, direction, limit, found, picked = [] } = statement
  const id = sql.raw(`${alias}.${statement.id}`)
  const shown = [
    sql`${id} as id`,
    ...keys.map(([column], index) => sql`${sql.raw(`${alias}.${column}`)} as ${sql.raw(`key${index}`)}`),
    ...picked.map((one, index) => sql`${one} as ${sql.raw(`sum${index}`)}`),
  ]
  const conditions = [...head, ...conditionsOf(found.where), ...afterOf(statement)]
  const order = [...keys.map(([column]) => column), statement.id]
    .map((column) => `${alias}.${column} ${direction}`)
    .join(', ')
  // Sums need no order, and without one the database is free to choose how it reads.
  const ordered = keys.length === 0 ? sql`` : sql.raw(`order by ${order}`)
  return sql`
    select ${sql.join(shown)} from ${sql.table(table)} ${sql.raw(alias)}
    where ${sql.join(conditions, sql` and `)} ${ordered} limit ${limit}`
}

function afterOf(
  statement: Pick<Statement, 'alias' | 'id' | 'idKind' | 'keys' | 'direction' | 'after'>,
): RawBuilder<unknown>[] {
  const { alias, id, idKind, keys, direction, after } = statement
  if (after === null) return []
  const columns = [...keys.map(([column]) => column), id].map((column) => sql.raw(`${alias}.${column}`))
  const kinds: readonly KeyKind[] = [...keys.map(([, kind]) => kind), idKind]
  const values = kinds.map((kind, index) => keyAsked(after[index], kind))
  return [sql`(${sql.join(columns)}) ${sql.raw(direction === 'asc' ? '>' : '<')} (${sql.join(values)})`]
}

/** Instants go by whole microseconds, as the database keeps them: by milliseconds a page would leave rows out. */
function keyShown(name: string, kind: KeyKind): RawBuilder<unknown> {
  return kind === 'instant' ? sql`(extract(epoch from ${sql.raw(name)}) * 1000000)::bigint` : sql.raw(name)
}

const casts: Readonly<Record<KeyKind, string>> = {
  id: 'bigint',
  instant: 'bigint',
  day: 'date',
  whole: 'bigint',
  decimal: 'double precision',
  text: 'text',
  flag: 'boolean',
}

function keyAsked(value: KeyValue | undefined, kind: KeyKind): RawBuilder<unknown> {
  const given = sql`${value}::${sql.raw(casts[kind])}`
  return kind === 'instant' ? sql`(timestamptz 'epoch' + ${given}::double precision * interval '1 microsecond')` : given
}

const orderOf = (alias: string, keys: readonly SortKey[], direction: Direction): RawBuilder<unknown> =>
  sql.raw(
    [...keys.map((_, index) => `${alias}.key${index}`), `${alias}.id`].map((key) => `${key} ${direction}`).join(', '),
  )

function agentsOf({ found, scope }: Statement): readonly number[] {
  if (found.agentIds === undefined) return scope.agentIds
  const wanted = new Set(found.agentIds)
  return scope.agentIds.filter((id) => wanted.has(id))
}

function areasOf({ found, scope }: Statement): readonly number[] {
  if (found.areaIds === undefined) return scope.areaIds
  const wanted = new Set(found.areaIds)
  return scope.areaIds.filter((id) => wanted.has(id))
}

const conditionsOf = (conditions: readonly Condition[] = []): RawBuilder<unknown>[] =>
  conditions.filter((condition) => condition !== undefined && condition !== false)

/** The condition that an instant lies in a span; its ends may be left out. */
export function spanOf(
  column: string,
  { from, to }: { from?: number | undefined; to?: number | undefined },
): Condition[] {
  return [
    from !== undefined && sql`${sql.raw(column)} >= ${new Date(from)}`,
    to !== undefined && sql`${sql.raw(column)} < ${new Date(to)}`,
  ]
}
