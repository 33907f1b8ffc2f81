import { createWriteStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Client } from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import type { Keyring } from '#kit/crypto.ts'
import { csvCell } from '#kit/csv.ts'
import { CompanyError, lineFormat } from './format.ts'
import type { Json } from './lines.ts'
import { keyedTable, opened, unreadable } from './transit.ts'

/** The columns of the list; telephone number and name lie open in it. */
const columns = {
  id: 'id',
  agent_id: 'agent_id',
  phone: 'phone_sealed',
  name: 'name_sealed',
  created_at: 'created_at',
  last_active_at: 'last_active_at',
  closed_at: 'closed_at',
  banned: 'banned',
  balance_cents: 'balance_cents',
} as const

/** Writes the riders of some companies with their balances for spreadsheets and other systems. */
export async function writeRiders(options: {
  readonly client: Client
  readonly agentIds: readonly number[]
  readonly secrets: Keyring
  readonly file: string
}): Promise<void> {
  const { client, agentIds, secrets, file } = options
  const query = `select row_to_json(t)::text from (
    select r.*, coalesce(b.balance_cents, 0) as balance_cents from rider r
    left join ledger_account a on a.agent_id = r.agent_id and a.kind = 'rider_balance' and a.owner_id = r.id
    left join ledger_balance b on b.account_id = a.id
    where r.agent_id in (${agentIds.join(', ')}) order by r.id) t`
  const rows = client.query(copyTo(`copy (${query}) to stdout ${lineFormat}`))
  const lines = createInterface({ input: rows, crlfDelay: Infinity })
  await pipeline(Readable.from(listOf(lines, secrets)), createWriteStream(file, { mode: 0o600 }))
}

async function* listOf(lines: AsyncIterable<string>, secrets: Keyring): AsyncGenerator<string> {
  const table = keyedTable('rider')
  if (table === undefined) throw new CompanyError('Riders have no sealed columns.')
  yield `${Object.keys(columns).join(',')}\n`
  for await (const line of lines) {
    const row = opened(JSON.parse(line) as Json, table, secrets)
    // What no known secret opens stays empty, and not sealed.
    const isClosed = row[unreadable] === true
    const cells = Object.values(columns).map((column) =>
      isClosed && column.endsWith('_sealed') ? '' : csvCell(cellOf(row[column])),
    )
    yield `${cells.join(',')}\n`
  }
}

const cellOf = (value: unknown): string | number | null => {
  if (typeof value === 'number' || typeof value === 'string') return value
  return typeof value === 'boolean' ? String(value) : null
}
