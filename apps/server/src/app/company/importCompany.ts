import { appendFileSync, mkdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client, DatabaseError, escapeIdentifier } from 'pg'
import type { Keyring } from '#kit/crypto.ts'
import { dailyTables, lastMigration, textOf } from './exportCompany.ts'
import { anchorsFile, CompanyError, photoFile, tableFile, type Manifest, type Sums, type TableEntry } from './format.ts'
import { hashOf, readLines, type Change } from './lines.ts'
import { sumsOf } from './sums.ts'
import { companyTables, listOf, takenAlong } from './tables.ts'
import { keyedTable, sealed, unreadable } from './transit.ts'

interface ImportOptions {
  /** Of a superuser: what triggers once noted comes with the rows. */
  readonly url: string
  readonly folder: string
  readonly manifest: Manifest
  readonly secrets: Keyring
  readonly anchors: string
  readonly now: Date
  readonly say: (line: string) => void
}

export interface ImportReport {
  readonly tables: readonly { readonly name: string; readonly exported: number; readonly imported: number }[]
  readonly sums: readonly { readonly what: string; readonly exported: string; readonly imported: string }[]
  /** References whose rows are not here. */
  readonly dangling: readonly { readonly reference: string; readonly rows: number }[]
  readonly isEqual: boolean
}

const uniqueViolation = '23505'
const insufficientPrivilege = '42501'

/** Reads every file once. Throws CompanyError where one is missing or not as it was written. */
export async function checkExport(folder: string, { tables }: Manifest): Promise<void> {
  for (const { name, sha256 } of tables) {
    const found = await hashOf(tableFile(folder, name)).catch(() => null)
    if (found === null) throw new CompanyError(`${tableFile(folder, name)} is missing from the export.`)
    if (found !== sha256) throw new CompanyError(`${tableFile(folder, name)} is damaged: it is not what was written.`)
  }
}

/** Takes a company in, all or nothing, under the ids that it had. */
export async function importCompany(options: ImportOptions): Promise<ImportReport> {
  const { url, folder, manifest, say } = options
  const client = new Client({ connectionString: url, application_name: 'saddle company import' })
  await client.connect()
  try {
    const agentIds = manifest.companies.map(({ id }) => id)
    await assertSchema(client, manifest)
    await client.query(
      "begin; set local row_security = off; set local time zone 'UTC'; set local session_replication_role = replica",
    )
    await assertAbsent(client, agentIds)
    const parentId = await parentOf(client, manifest)
    await makeDays(client, manifest)
    await client.query('create temp table incoming (line text) on commit drop')
    const known = new Map((await companyTables(client, agentIds)).map((table) => [table.name, table]))
    for (const [index, entry] of manifest.tables.entries()) {
      const table = known.get(entry.name)
      if (table === undefined) throw new CompanyError(`This version has no table ${entry.name}.`)
      await takeTable({ ...options, client, entry, isShared: table.isShared })
      if (entry.rows > 0) say(`${index + 1}/${manifest.tables.length} ${entry.name}: ${entry.rows} rows`)
    }
    await client.query('update agent set parent_id = $1 where id = $2', [parentId, manifest.rootId])
    await goOn(client, manifest)
    const report = await reconcile(client, manifest)
    if (!report.isEqual) {
      await client.query('rollback')
      return report
    }
    addAnchors(options)
    await client.query('commit')
    await client.query('analyze')
    return report
  } catch (error) {
    throw explained(error, folder)
  } finally {
    await client.end()
  }
}

function explained(error: unknown, folder: string): unknown {
  if (!(error instanceof DatabaseError)) return error
  if (error.code === insufficientPrivilege)
    return new CompanyError(`An import needs a superuser of PostgreSQL (${error.message}).`)
  if (error.code === uniqueViolation)
    return new CompanyError(
      `This installation has rows with ids or names of ${folder} (${error.table ?? ''}: ${error.detail ?? ''}): import into a fresh one.`,
    )
  return error
}

async function assertSchema(client: Client, { migration }: Manifest): Promise<void> {
  const present = await lastMigration(client)
  if (present !== migration)
    throw new CompanyError(
      `The export has the schema ${migration} and this installation ${present}: use the same version on both sides.`,
    )
}

async function assertAbsent(client: Client, agentIds: readonly number[]): Promise<void> {
  const { rows } = await client.query<{ id: string }>('select id::text from agent where id = any ($1::bigint[])', [
    agentIds,
  ])
  if (rows[0] !== undefined) throw new CompanyError(`This installation has a company ${rows[0].id} already.`)
}

/** The company stands below the platform's own; where there is none, it is the first. */
async function parentOf(client: Client, { rootId }: Manifest): Promise<number | null> {
  const { rows } = await client.query<{ id: string }>(
    'select id::text from agent where parent_id is null and id <> $1 order by id limit 1',
    [rootId],
  )
  return rows[0] === undefined ? null : Number(rows[0].id)
}

async function makeDays(client: Client, { days }: Manifest): Promise<void> {
  for (const name of Object.keys(dailyTables)) {
    const span = days[name]
    if (span !== undefined) await client.query(`select ensure_${name}_days($1::date, $2::date)`, [...span])
  }
}

type Taking = ImportOptions & { readonly client: Client; readonly entry: TableEntry; readonly isShared: boolean }

async function takeTable({ client, folder, entry, isShared, secrets, manifest }: Taking): Promise<void> {
  const { name, columns, rows } = entry
  const change = takenAlong.has(name) ? ownedBy(manifest) : changeOf(name, folder, secrets)
  const read = await readLines({ client, file: tableFile(folder, name), change })
  if (read !== rows) throw new CompanyError(`${name}: the export has ${rows} rows and ${read} were read.`)
  if (rows === 0) return
  await client.query(
    `insert into ${escapeIdentifier(name)} (${listOf(columns)}) overriding system value
     select ${listOf(columns, 'r')} from incoming i cross join json_populate_record(null::${escapeIdentifier(name)}, i.line::json) r
     ${isShared ? 'on conflict do nothing' : ''}`,
  )
  await client.query('truncate incoming')
}

/** Rows of a company above become the company's own. */
function ownedBy({ companies, rootId }: Manifest): Change {
  const ids: ReadonlySet<unknown> = new Set(companies.map(({ id }) => id))
  return (row) => (ids.has(row['agent_id']) ? row : { ...row, agent_id: rootId })
}

function changeOf(name: string, folder: string, secrets: Keyring): Change {
  const keyed = keyedTable(name)
  if (keyed === undefined) return null
  if (name !== 'photo') return (row) => sealed(row, keyed, secrets)
  return async (row) => {
    if (row[unreadable] === true) return row
    const bytes = await readFile(photoFile(folder, textOf(row, 'id'), textOf(row, 'kind')))
    return sealed({ ...row, sealed: bytes.toString('base64') }, keyed, secrets)
  }
}

/** Ids go on behind those that came, and whoever follows facts goes on where it was. */
async function goOn(client: Client, { factCursors }: Manifest): Promise<void> {
  const { rows } = await client.query<{ sequence: string; table: string; column: string }>(`
    select pg_get_serial_sequence(format('%I', c.relname), a.attname) as sequence, c.relname as table, a.attname as column
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and a.attidentity <> ''
    where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace`)
  for (const { sequence, table, column } of rows)
    await client.query(
      `select setval($1::regclass, greatest(nextval($1::regclass), (select coalesce(max(${escapeIdentifier(column)}), 0) from ${escapeIdentifier(table)}) + 1), false)`,
      [sequence],
    )
  await client.query('update fact_number set last = greatest(last, (select coalesce(max(seq), 0) from fact))')
  for (const [consumer, seq] of Object.entries(factCursors))
    await client.query(
      `insert into fact_cursor (consumer, seq) values ($1, $2)
       on conflict (consumer) do update set seq = greatest(fact_cursor.seq, excluded.seq)`,
      [consumer, seq],
    )
}

async function reconcile(client: Client, manifest: Manifest): Promise<ImportReport> {
  const agentIds = manifest.companies.map(({ id }) => id)
  const present = new Map((await companyTables(client, agentIds)).map((table) => [table.name, table]))
  const tables = []
  for (const { name, rows } of manifest.tables) {
    const { rows: counted } = await client.query<{ n: number }>(
      `select count(*)::int as n from ${escapeIdentifier(name)} t where ${present.get(name)?.filter ?? 'false'}`,
    )
    tables.push({ name, exported: rows, imported: counted[0]?.n ?? 0 })
  }
  const found = await sumsOf(client, agentIds)
  const sums = comparedSums(manifest.sums, found)
  const dangling = await danglingReferences(client, new Set(manifest.tables.map(({ name }) => name)))
  const isEqual =
    tables.every(({ exported, imported }) => exported === imported) &&
    sums.every(({ exported, imported }) => exported === imported) &&
    dangling.length === 0
  return { tables, sums, dangling, isEqual }
}

const comparedSums = (exported: Sums, imported: Sums): ImportReport['sums'] =>
  [...new Set([...Object.keys(exported), ...Object.keys(imported)])].toSorted().map((what) => ({
    what,
    exported: exported[what] ?? 'none',
    imported: imported[what] ?? 'none',
  }))

/** Foreign keys were not looked at while the rows came in: here they are. */
async function danglingReferences(client: Client, tables: ReadonlySet<string>): Promise<ImportReport['dangling']> {
  const { rows } = await client.query<{
    name: string
    child: string
    parent: string
    own: string[]
    theirs: string[]
  }>(`
    select k.conname as name, child.relname as child, parent.relname as parent,
      array(select a.attname::text from unnest(k.conkey) with ordinality u (n, o)
        join pg_attribute a on a.attrelid = k.conrelid and a.attnum = u.n order by u.o) as own,
      array(select a.attname::text from unnest(k.confkey) with ordinality u (n, o)
        join pg_attribute a on a.attrelid = k.confrelid and a.attnum = u.n order by u.o) as theirs
    from pg_constraint k join pg_class child on child.oid = k.conrelid join pg_class parent on parent.oid = k.confrelid
    where k.contype = 'f' and k.conparentid = 0 and child.relnamespace = 'public'::regnamespace and not child.relispartition`)
  const found: { reference: string; rows: number }[] = []
  for (const { name, child, parent, own, theirs } of rows) {
    if (!tables.has(child)) continue
    const pairs = own.map((column, index) => [escapeIdentifier(column), escapeIdentifier(theirs[index] ?? '')] as const)
    const { rows: counted } = await client.query<{ n: number }>(
      `select count(*)::int as n from ${escapeIdentifier(child)} c
       where ${pairs.map(([column]) => `c.${column} is not null`).join(' and ')} and not exists (
         select from ${escapeIdentifier(parent)} p where ${pairs.map(([column, other]) => `p.${other} = c.${column}`).join(' and ')})`,
    )
    const missing = counted[0]?.n ?? 0
    if (missing > 0) found.push({ reference: `${child}.${name}`, rows: missing })
  }
  return found
}

/** Anchors of the audit log lie beside the database: those of the company stand behind the ones of this month. */
function addAnchors({ folder, anchors, now }: ImportOptions): void {
  const lines = readFileSync(anchorsFile(folder), 'utf8').split('\n').filter(Boolean)
  if (lines.length === 0) return
  mkdirSync(anchors, { recursive: true, mode: 0o700 })
  const at = now.toISOString()
  const written = lines.map((line) => `${JSON.stringify({ at, ...(JSON.parse(line) as object) })}\n`)
  appendFileSync(join(anchors, `${at.slice(0, 7)}.jsonl`), written.join(''), { mode: 0o600, flush: true })
}
