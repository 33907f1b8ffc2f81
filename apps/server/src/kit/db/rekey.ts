import { Client, DatabaseError, escapeIdentifier } from 'pg'
import { SealError, type KeptKey, type Keyring } from '../crypto.ts'
import { sealedTable, type KeyedRow, type KeyedTable, type KeyedValues } from '../keyed.ts'
import type { Log } from '../log.ts'

const batchRows = 500
const keptPurpose = 'kept key'
const uniqueViolation = '23505'

/** Keys of earlier secrets are sealed like everything else, and are made anew with it. */
export const keptKeys: KeyedTable = sealedTable({
  table: 'retired_key',
  key: ['id', 'bigint'],
  purposes: { key_sealed: keptPurpose },
  context: 'purpose',
})

export interface TableReport {
  readonly table: string
  readonly done: number
  /** Rows that no known secret opens. */
  readonly unreadable: number
  /** Rows whose new hash another row has already: two rows of one thing. */
  readonly taken: number
}

interface RekeyOptions {
  /** Address as the owner of the tables. */
  readonly url: string
  readonly secrets: Keyring
  readonly values: KeyedValues
  readonly log: Log
  /** The large tables only, or all others. */
  readonly isLater: boolean
  /** Stops after the current batch. */
  readonly signal?: AbortSignal
}

/**
 * Seals or hashes again everything that was made with an earlier secret. Each batch is a transaction, and finished rows
 * are recognised by their key: if the process is killed, the next call continues.
 */
export async function rekey(options: RekeyOptions): Promise<TableReport[]> {
  const { secrets, values, log, isLater } = options
  return withOwner(options.url, async (client) => {
    if (!isLater) await keepKeys({ client, secrets, purposes: values.keptPurposes })
    const reports: TableReport[] = []
    for (const table of [keptKeys, ...values.tables].filter((one) => (one.isLater ?? false) === isLater)) {
      const report = await rekeyTable({ ...options, client, table })
      if (report.done + report.unreadable + report.taken > 0) log.info(report, 'made anew with the present secret')
      reports.push(report)
    }
    return reports
  })
}

/** Rows of each table that the present secret did not seal. */
export async function countLeft(
  options: Pick<RekeyOptions, 'url' | 'secrets' | 'values'>,
): Promise<{ readonly table: string; readonly rows: number }[]> {
  return withOwner(options.url, async (client) => {
    const left = []
    for (const table of [keptKeys, ...options.values.tables]) {
      const { condition, parameters } = earlier({ table, secrets: options.secrets, first: 1 })
      const sql = `select count(*)::int as rows from ${escapeIdentifier(table.table)} where ${condition}`
      const { rows } = await client.query<{ rows: number }>(sql, parameters)
      left.push({ table: table.table, rows: rows[0]?.rows ?? 0 })
    }
    return left
  })
}

/**
 * Whether the database was filled under another secret than those that are known: every look-up would miss, and a
 * rider who comes again would begin with an empty wallet.
 */
export async function isForeignSecret(
  options: Pick<RekeyOptions, 'url' | 'secrets'> & { readonly table: KeyedTable },
): Promise<boolean> {
  const { url, secrets, table } = options
  return withOwner(url, async (client) => {
    const [column = ''] = Object.keys(table.sealed)
    const ids = (table.sealed[column] ?? []).flatMap((purpose) => secrets.keyIds(purpose))
    const known = prefixes(table, ids)
    const name = escapeIdentifier(column)
    const sql = `select exists (select from ${escapeIdentifier(table.table)} where ${name} is not null) as filled,
      exists (select from ${escapeIdentifier(table.table)} where ${begins(table, name, 1)}) as known`
    const { rows } = await client.query<{ filled: boolean; known: boolean }>(sql, [known])
    return rows[0]?.filled === true && !rows[0].known
  })
}

/** The keys of earlier secrets that outlived them. Throws SealError when the present one cannot open them. */
export async function loadKeptKeys(options: Pick<RekeyOptions, 'url' | 'secrets'>): Promise<KeptKey[]> {
  return withOwner(options.url, async (client) => {
    const { rows } = await client.query<{ purpose: string; key_sealed: string }>(
      'select purpose, key_sealed from retired_key order by id desc',
    )
    return rows.map(({ purpose, key_sealed: sealed }) => {
      const text = options.secrets.decryptText({ purpose: keptPurpose, sealed, context: purpose })
      return { purpose, key: new Uint8Array(Buffer.from(text, 'base64url')) }
    })
  })
}

/** Ends the time in which keys of earlier secrets are good for these purposes. Returns how many there were. */
export async function dropKeptKeys(options: { url: string; purposes: readonly string[] }): Promise<number> {
  return withOwner(options.url, async (client) => {
    const { rowCount } = await client.query('delete from retired_key where purpose = any ($1::text[])', [
      options.purposes,
    ])
    return rowCount ?? 0
  })
}

async function keepKeys(options: {
  readonly client: Client
  readonly secrets: Keyring
  readonly purposes: readonly string[]
}): Promise<void> {
  const { client, secrets, purposes } = options
  for (const purpose of purposes) {
    const previous = secrets.previousKey(purpose)
    if (previous === null) return
    const text = Buffer.from(previous.key).toString('base64url')
    await client.query(
      'insert into retired_key (purpose, key_id, key_sealed) values ($1, $2, $3) on conflict (purpose, key_id) do nothing',
      [purpose, previous.id, secrets.encryptText({ purpose: keptPurpose, text, context: purpose })],
    )
  }
}

async function rekeyTable(
  options: RekeyOptions & { readonly client: Client; readonly table: KeyedTable },
): Promise<TableReport> {
  const { client, table, secrets, log, signal } = options
  const [key] = table.key
  const totals = { done: 0, unreadable: 0, taken: 0 }
  let after: unknown = null
  const isCutOff = (): boolean => signal?.aborted === true
  while (!isCutOff()) {
    await client.query('begin')
    const rows = await selectBatch({ client, table, secrets, after })
    const made = rows.flatMap((row) => {
      const anew = remade({ row, table, secrets })
      if (anew === null) log.warn({ table: table.table, row: row[key] }, 'no known secret opens this row')
      return anew === null ? [] : [anew]
    })
    const taken = await store({ client, table, rows: made, log })
    await client.query('commit')
    totals.done += made.length - taken
    totals.unreadable += rows.length - made.length
    totals.taken += taken
    if (rows.length < batchRows) break
    after = rows.at(-1)?.[key]
    if (totals.done % 10_000 < batchRows) log.info({ table: table.table, done: totals.done }, 'making anew')
  }
  return { table: table.table, ...totals }
}

async function selectBatch(options: {
  readonly client: Client
  readonly table: KeyedTable
  readonly secrets: Keyring
  readonly after: unknown
}): Promise<KeyedRow[]> {
  const { client, table, secrets, after } = options
  const [key, type] = table.key
  const columns = [...new Set([key, ...Object.keys(table.sealed), ...table.hashes, ...table.reads])]
  const { condition, parameters } = earlier({ table, secrets, first: 2 })
  const { rows } = await client.query<Record<string, KeyedRow[string]>>(
    `select ${columns.map(escapeIdentifier).join(', ')} from ${escapeIdentifier(table.table)}
     where ($1::${type} is null or ${escapeIdentifier(key)} > $1) and (${condition})
     order by ${escapeIdentifier(key)} limit ${batchRows} for update`,
    [after, ...parameters],
  )
  return rows
}

function remade(options: {
  readonly row: KeyedRow
  readonly table: KeyedTable
  readonly secrets: Keyring
}): KeyedRow | null {
  const { row, table, secrets } = options
  const [key] = table.key
  try {
    return { ...table.rekey(row, secrets), [key]: row[key] ?? null }
  } catch (error) {
    if (error instanceof SealError) return null
    throw error
  }
}

/** Returns how many rows were left because another row has their new hash. */
async function store(options: {
  readonly client: Client
  readonly table: KeyedTable
  readonly rows: readonly KeyedRow[]
  readonly log: Log
}): Promise<number> {
  const { client, table, rows, log } = options
  if (rows.length === 0) return 0
  await client.query('savepoint batch')
  try {
    await update(client, table, rows)
    return 0
  } catch (error) {
    if (!isTaken(error)) throw error
    await client.query('rollback to savepoint batch')
  }
  if (rows.length === 1) {
    log.warn({ table: table.table, row: rows[0]?.[table.key[0]] }, 'another row is known by the same value already')
    return 1
  }
  const half = Math.ceil(rows.length / 2)
  const parts = [rows.slice(0, half), rows.slice(half)]
  let taken = 0
  for (const part of parts) taken += await store({ client, table, rows: part, log })
  return taken
}

async function update(client: Client, table: KeyedTable, rows: readonly KeyedRow[]): Promise<void> {
  const [key, keyType] = table.key
  const columns = [...Object.keys(table.sealed), ...table.hashes]
  const types = [...Object.keys(table.sealed).map(() => table.type), ...table.hashes.map(() => 'text')]
  const sets = columns.map((column) => `${escapeIdentifier(column)} = made.${escapeIdentifier(column)}`)
  const arrays = [`$1::${keyType}[]`, ...types.map((type, index) => `$${index + 2}::${type}[]`)]
  const names = [key, ...columns].map(escapeIdentifier).join(', ')
  await client.query(
    `update ${escapeIdentifier(table.table)} as kept set ${sets.join(', ')}
     from unnest(${arrays.join(', ')}) as made (${names}) where kept.${escapeIdentifier(key)} = made.${escapeIdentifier(key)}`,
    [key, ...columns].map((column) => rows.map((row) => row[column] ?? null)),
  )
}

const isTaken = (error: unknown): boolean => error instanceof DatabaseError && error.code === uniqueViolation

/** Which rows have a value that the present secret did not seal. */
function earlier(options: { readonly table: KeyedTable; readonly secrets: Keyring; readonly first: number }): {
  readonly condition: string
  readonly parameters: unknown[]
} {
  const { table, secrets, first } = options
  const columns = Object.entries(table.sealed)
  return {
    condition: columns
      .map(([column], index) => {
        const name = escapeIdentifier(column)
        return `(${name} is not null and not ${begins(table, name, first + index)})`
      })
      .join(' or '),
    parameters: columns.map(([, purposes]) =>
      prefixes(
        table,
        purposes.map((purpose) => secrets.keyIds(purpose)[0]),
      ),
    ),
  }
}

/** What sealed values begin with, see `crypto.ts`. */
function prefixes(table: KeyedTable, ids: readonly string[]): (string | Buffer)[] {
  return ids.map((id) => (table.type === 'text' ? `v1.${id}.` : Buffer.from(`1${id}`, 'latin1')))
}

const prefixLengths = { text: 12, bytea: 9 } as const

const begins = (table: KeyedTable, name: string, parameter: number): string =>
  `coalesce(substr(${name}, 1, ${prefixLengths[table.type]}) = any ($${parameter}::${table.type}[]), false)`

async function withOwner<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url, application_name: 'saddle secrets' })
  client.on('error', () => {})
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
