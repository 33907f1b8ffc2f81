import { createWriteStream, existsSync, mkdirSync, readdirSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { Client } from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { createAudit, readAnchors } from '#audit/public.ts'
import type { Keyring } from '#kit/crypto.ts'
import { openDatabase } from '#kit/db/pool.ts'
import { silentLog } from '#kit/log.ts'
import {
  anchorsFile,
  CompanyError,
  manifestFile,
  photoFile,
  tableFile,
  type Manifest,
  type TableEntry,
} from './format.ts'
import { writeLines, type Change, type Json } from './lines.ts'
import { openLists } from './openLists.ts'
import { writeRiders } from './ridersList.ts'
import { sumsOf } from './sums.ts'
import { companiesBelow, companyTables, listOf, type CompanyTable } from './tables.ts'
import { keyedTable, opened, unreadable } from './transit.ts'

interface ExportOptions {
  /** Of a login whom no row policy binds. */
  readonly url: string
  readonly rootId: number
  readonly folder: string
  readonly secrets: Keyring
  readonly anchors: string
  readonly now: Date
  readonly say: (line: string) => void
}

/** Writes everything of a company and those below it into a folder, as of one moment, while the platform goes on working. */
export async function exportCompany(options: ExportOptions): Promise<Manifest> {
  const { url, rootId, folder, now, say } = options
  if (existsSync(folder) && readdirSync(folder).length > 0)
    throw new CompanyError(`${folder} is not empty: an export goes into a folder of its own.`)
  for (const name of ['tables', 'photos', 'lists']) mkdirSync(join(folder, name), { recursive: true, mode: 0o700 })
  const client = new Client({ connectionString: url, application_name: 'saddle company export' })
  await client.connect()
  try {
    if ((await companiesBelow(client, rootId)).length === 0) throw new CompanyError(`There is no company ${rootId}.`)
    await noteBegun(options)
    // With row_security off a statement that a policy would thin out fails instead.
    await client.query(
      "begin isolation level repeatable read, read only; set local row_security = off; set local time zone 'UTC'",
    )
    const companies = await companiesBelow(client, rootId)
    const agentIds = companies.map(({ id }) => id)
    const tables = await companyTables(client, agentIds)
    const entries: TableEntry[] = []
    const counted = { photos: 0, unreadable: 0 }
    for (const [index, table] of tables.entries()) {
      const change = changeOf(table, options, counted)
      const query = `select row_to_json(r)::text from (select ${listOf(table.columns, 't')} from ${table.name} t where ${table.filter}) r`
      const written = await writeLines({ client, query, file: tableFile(folder, table.name), change })
      entries.push({ name: table.name, columns: [...table.columns], ...written })
      if (written.rows > 0) say(`${index + 1}/${tables.length} ${table.name}: ${written.rows} rows`)
    }
    await writeAnchors(options, new Set(agentIds))
    for (const { file, copy } of openLists(agentIds)) {
      await writeList({ client, copy, file: join(folder, 'lists', file) })
      say(`lists/${file}`)
    }
    await writeRiders({ client, agentIds, secrets: options.secrets, file: join(folder, 'lists', 'riders.csv') })
    say('lists/riders.csv')
    const manifest: Manifest = {
      format: 1,
      createdAt: now.toISOString(),
      rootId,
      companies,
      migration: await lastMigration(client),
      tables: entries,
      ...counted,
      factCursors: await factCursors(client),
      days: await daysOf(client, tables),
      sums: await sumsOf(client, agentIds),
    }
    await client.query('commit')
    await writeFile(manifestFile(folder), `${JSON.stringify(manifest, null, 1)}\n`, { mode: 0o600, flush: true })
    return manifest
  } finally {
    await client.end()
  }
}

/** The audit log of the company says that its data leaves, before it does, and so the export has the record as well. */
async function noteBegun({ url, rootId, now }: ExportOptions): Promise<void> {
  const db = openDatabase({ url, log: silentLog, systemConnections: 1 })
  try {
    const audit = createAudit({ db, clock: { now: () => now.getTime() } })
    await db.system((tx) =>
      audit.write(tx, {
        agentId: rootId,
        operatorId: null,
        action: 'company.export',
        subjectKind: 'agent',
        subjectId: rootId,
        after: {},
      }),
    )
  } finally {
    await db.close()
  }
}

interface Counted {
  photos: number
  unreadable: number
}

/** What happens to each row: sealed values are opened, and photos become files of their own. */
function changeOf({ name }: CompanyTable, { secrets, folder }: ExportOptions, counted: Counted): Change {
  const keyed = keyedTable(name)
  if (keyed === undefined) return null
  return async (row) => {
    const open = opened(row, keyed, secrets)
    if (open[unreadable] === true) {
      counted.unreadable += 1
      return open
    }
    if (name !== 'photo') return open
    const { sealed, ...rest } = open
    const file = photoFile(folder, textOf(row, 'id'), textOf(row, 'kind'))
    await writeFile(file, Buffer.from(String(sealed), 'base64'), { mode: 0o600 })
    counted.photos += 1
    return rest
  }
}

export function textOf(row: Json, column: string): string {
  const value = row[column]
  if (typeof value !== 'string' || !/^[\w-]+$/.test(value)) throw new CompanyError(`${column} of a row is no name.`)
  return value
}

export async function lastMigration(client: Client): Promise<string> {
  const { rows } = await client.query<{ name: string }>('select name from migration order by name desc limit 1')
  return rows[0]?.name ?? ''
}

async function factCursors(client: Client): Promise<Record<string, number>> {
  const { rows } = await client.query<{ consumer: string; seq: string }>('select consumer, seq::text from fact_cursor')
  return Object.fromEntries(rows.map(({ consumer, seq }) => [consumer, Number(seq)]))
}

/** Tables of a partition a day, by the time that their rows lie by. */
export const dailyTables = { device_report: 'occurred_at', track_segment: 'started_at' } as const

async function daysOf(client: Client, tables: readonly CompanyTable[]): Promise<Manifest['days']> {
  const days: Manifest['days'] = {}
  for (const [name, column] of Object.entries(dailyTables)) {
    const filter = tables.find((table) => table.name === name)?.filter ?? 'false'
    const { rows } = await client.query<{ first: string | null; last: string | null }>(
      `select min(t.${column})::date::text as first, max(t.${column})::date::text as last from ${name} t where ${filter}`,
    )
    const [row] = rows
    if (row !== undefined && row.first !== null && row.last !== null) days[name] = [row.first, row.last]
  }
  return days
}

async function writeAnchors({ anchors, folder }: ExportOptions, agentIds: ReadonlySet<number>): Promise<void> {
  const lines: string[] = []
  for await (const batch of readAnchors({ folder: anchors }))
    for (const anchor of batch) if (agentIds.has(anchor.agentId)) lines.push(JSON.stringify(anchor))
  await writeFile(anchorsFile(folder), lines.map((line) => `${line}\n`).join(''), { mode: 0o600 })
}

async function writeList(options: {
  readonly client: Client
  readonly copy: string
  readonly file: string
}): Promise<void> {
  const { client, copy, file } = options
  await pipeline(client.query(copyTo(copy)), createWriteStream(file, { mode: 0o600 }))
}
