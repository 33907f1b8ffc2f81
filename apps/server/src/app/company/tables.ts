import { escapeIdentifier, type Client } from 'pg'

export interface CompanyTable {
  readonly name: string
  readonly columns: readonly string[]
  /** Which rows belong to the companies; `t` is the table. */
  readonly filter: string
  /** Whether the platform shares these rows between companies, so that they may be there already. */
  readonly isShared: boolean
}

/** What belongs to browsers, passing calls and this installation: it is made anew where the company goes. */
const left: ReadonlySet<string> = new Set([
  'idempotency',
  'export_job',
  'export_part',
  'operator_device',
  'wall_screen',
  'invite_guess',
  'report_stale',
])

/** Tables without a company's id that follow a company's rows by another column. */
const following: Readonly<Record<string, { readonly filter: (ids: string) => string; readonly isShared: boolean }>> = {
  vehicle_model: {
    filter: (ids) =>
      `exists (select from vehicle v where v.agent_id in (${ids}) and v.model = t.name and v.protocol = t.protocol)`,
    isShared: true,
  },
  rider_balance_cursor: { filter: (ids) => `t.book_id in (${ids})`, isShared: false },
}

/**
 * Tables whose rows of companies above are used below: what a company's rows refer to comes along and becomes its own. Of
 * people above nothing comes.
 */
export const takenAlong: ReadonlySet<string> = new Set(['rider_app', 'upgrade_campaign', 'device_artefact'])

interface FoundTable {
  readonly name: string
  readonly columns: string[]
  readonly owned: boolean
}

interface Reference {
  readonly child: string
  readonly parent: string
  /** That a row `r` of the child refers to a row `t` of the parent. */
  readonly pairs: string
}

/** Tables without companies refer to each other over so many steps at most. */
const stepsMax = 5

/** The tables that hold rows of companies, and those without companies that such rows refer to, by their names. */
export async function companyTables(client: Client, agentIds: readonly number[]): Promise<CompanyTable[]> {
  const ids = agentIds.join(', ')
  const { rows: found } = await client.query<FoundTable>(
    `select c.relname::text as name,
      array_agg(a.attname::text order by a.attnum) filter (where a.attgenerated = '') as columns,
      bool_or(a.attname = 'agent_id') as owned
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = 'public'::regnamespace
    group by c.relname order by c.relname`,
  )
  const references = await referencesOf(client)
  const filters = new Map<string, string>()
  const referring = (name: string): string[] =>
    references.flatMap(({ child, parent, pairs }) => {
      const own = filters.get(child)
      if (parent !== name || child === name || own === undefined) return []
      return [`exists (select from (select t.* from ${escapeIdentifier(child)} t where ${own}) r where ${pairs})`]
    })
  const tables = found.filter(({ name }) => !left.has(name))
  for (const { name, owned } of tables) {
    if (owned) filters.set(name, `t.agent_id in (${ids})`)
    else if (following[name] !== undefined) filters.set(name, following[name].filter(ids))
  }
  const along = new Map(
    [...takenAlong].map((name) => [name, [filters.get(name) ?? 'false', ...referring(name)].join(' or ')]),
  )
  for (let step = 0; step < stepsMax; step += 1)
    for (const { name, owned } of tables) {
      const referred = owned || following[name] !== undefined ? [] : referring(name)
      if (referred.length > 0) filters.set(name, `(${referred.join(' or ')})`)
    }
  return tables.flatMap(({ name, columns, owned }) => {
    const filter = along.get(name) ?? filters.get(name)
    if (filter === undefined) return []
    return [{ name, columns, filter: `(${filter})`, isShared: !owned && (following[name]?.isShared ?? true) }]
  })
}

async function referencesOf(client: Client): Promise<Reference[]> {
  const { rows } = await client.query<Reference>(
    `select child.relname::text as child, parent.relname::text as parent, (
      select string_agg(format('r.%I = t.%I', own.attname, theirs.attname), ' and ')
      from unnest(k.conkey, k.confkey) u (own, theirs)
      join pg_attribute own on own.attrelid = k.conrelid and own.attnum = u.own
      join pg_attribute theirs on theirs.attrelid = k.confrelid and theirs.attnum = u.theirs) as pairs
    from pg_constraint k join pg_class child on child.oid = k.conrelid join pg_class parent on parent.oid = k.confrelid
    where k.contype = 'f' and k.conparentid = 0 and child.relnamespace = 'public'::regnamespace and not child.relispartition
    order by 1, 2`,
  )
  return rows
}

export const listOf = (columns: readonly string[], alias?: string): string =>
  columns.map((column) => (alias === undefined ? '' : `${alias}.`) + escapeIdentifier(column)).join(', ')

/** The company and all below it. */
export async function companiesBelow(client: Client, rootId: number): Promise<{ id: number; company: string }[]> {
  const { rows } = await client.query<{ id: string; company: string }>(
    `with recursive below as (
      select id, company from agent where id = $1
      union all select a.id, a.company from agent a join below b on a.parent_id = b.id
    ) select id::text, company from below order by id`,
    [rootId],
  )
  return rows.map(({ id, company }) => ({ id: Number(id), company }))
}
