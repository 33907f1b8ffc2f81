import { accountKinds, chartOfAccounts, entryKinds, type EntryKind } from '@saddle/contract/finance/ledger.ts'
import { CompiledQuery, sql, type Kysely } from 'kysely'
import type { Database } from '#kit/db/pool.ts'
import { computed, rowOf, rowOfValues, rowsOf, type RowOf } from '#kit/db/rows.ts'
import { compilingKysely } from '#kit/db/transaction.ts'
import type { DB } from '#kit/db/types.ts'
import { codeOf } from '#kit/codes.ts'
import type { AccountName, Entry, Line } from './rules.ts'

/** An entry whose accounts have numbers, ready for the database. */
export type Resolved = {
  readonly agentId: number
  readonly kind: EntryKind
  readonly reference: string
  readonly key: string
  readonly occurredAt: number
  readonly reverses: number | null
  /** PostgreSQL's array texts. */
  readonly accounts: string
  readonly amounts: string
  readonly memo: string
}

export type Outcome =
  | 'posted'
  | 'replayed'
  | 'conflict'
  | 'insufficient'
  | 'unbalanced'
  | 'unknown_account'
  | 'not_reversible'
  | 'invalid'

export type Judged = { readonly number: number | null; readonly outcome: Outcome }

/** One statement, either on its own or in a transaction of the system role. */
export type Run = <R>(query: CompiledQuery<R>) => Promise<R[]>

const compiler = compilingKysely<DB>()

export const runAlone =
  (db: Database): Run =>
  (query) =>
    db.systemRead(query)

export const runIn =
  (tx: Kysely<DB>): Run =>
  async (query) =>
    (await tx.executeQuery(query)).rows

// Printed once: building these statements anew for every entry would cost as much as a quarter of running them.
const POST_ONE = 'select ledger_post_one($1, $2, $3, $4, $5, $6, $7, $8, $9) as judged'
const POST_MANY = 'select * from ledger_post($1, $2, $3, $4, $5, $6, $7, $8, $9)'

export async function postOne(run: Run, entry: Resolved): Promise<Judged> {
  const { agentId, kind, reference, key, occurredAt, reverses, accounts, amounts, memo } = entry
  const when = new Date(occurredAt).toISOString()
  const values = [agentId, kind, reference, key, when, reverses, accounts, amounts, memo]
  const [row] = await run(CompiledQuery.raw(POST_ONE, values) as CompiledQuery<{ judged: string }>)
  return parseJudged(row?.judged ?? '')
}

/** PostgreSQL's text of a row, such as `(17,posted)`: to have it spread into columns costs more than to read it. */
function parseJudged(text: string): Judged {
  const [, number = '', outcome] = /^\((\d*),(\w+)\)$/.exec(text) ?? []
  if (outcome === undefined) throw new Error('the ledger did not answer')
  return { number: number === '' ? null : Number(number), outcome: outcome as Outcome }
}

/** Posts many entries in one statement and one commit; no two of them may have the same reference and key. */
export async function postBatch(run: Run, entries: readonly Resolved[]): Promise<Judged[]> {
  const numbers = (value: (entry: Resolved) => number | null): string =>
    `{${entries.map((entry) => value(entry) ?? 'NULL').join()}}`
  const texts = (value: (entry: Resolved) => string): string =>
    `{${entries.map((entry) => quoted(value(entry))).join()}}`
  const values = [
    numbers((entry) => entry.agentId),
    texts((entry) => entry.kind),
    texts((entry) => entry.reference),
    texts((entry) => entry.key),
    texts(instantOf()),
    numbers((entry) => entry.reverses),
    texts((entry) => entry.accounts),
    texts((entry) => entry.amounts),
    texts((entry) => entry.memo),
  ]
  const query = CompiledQuery.raw(POST_MANY, values)
  const [row] = await run(query as CompiledQuery<{ numbers: (number | null)[]; outcomes: Outcome[] }>)
  return entries.map((_, index) => {
    const outcome = row?.outcomes[index]
    if (outcome === undefined) throw new Error('the ledger did not judge every entry')
    return { number: row?.numbers[index] ?? null, outcome }
  })
}

/** When it happened, as PostgreSQL reads it: entries that come together often have one millisecond, which is written once. */
function instantOf(): (entry: Resolved) => string {
  let lastAt = Number.NaN
  let text = ''
  return ({ occurredAt }) => {
    if (occurredAt !== lastAt) text = new Date(occurredAt).toISOString()
    lastAt = occurredAt
    return text
  }
}

function quoted(text: string): string {
  return `"${text.includes('"') || text.includes('\\') ? text.replaceAll(/["\\]/g, '\\$&') : text}"`
}

const accountIdsRow = rowOfValues({ account_ids: computed('bigint[]', sql`account_ids`) })

/** Opens what is not open yet; the numbers of all the accounts, in their order. */
export async function openAccounts(
  run: Run,
  options: { agentId: number; accounts: readonly AccountName[]; openedAt: number },
): Promise<number[]> {
  const { agentId, accounts, openedAt } = options
  const query = accountIdsRow.select`
    from ledger_open(${agentId}::bigint,
    ${accounts.map(({ kind }) => kind)}::text[], ${accounts.map(({ ownerId }) => ownerId ?? 0)}::bigint[],
    ${accounts.map(({ kind }) => chartOfAccounts[kind].mayBeNegative)}::boolean[],
    ${new Date(openedAt).toISOString()}::timestamptz)`
  const [row] = await run(query.compile(compiler))
  if (row === undefined) throw new Error('the ledger did not open the accounts')
  return row.account_ids
}

export type PostedEntry = {
  readonly agentId: number
  /** Place in the agent's book, from 1 without gaps. */
  readonly number: number
  readonly kind: EntryKind
  readonly reference: string
  readonly key: string
  readonly occurredAt: number
  readonly recordedAt: number
  readonly reverses: number | null
  readonly memo: string
  readonly lines: readonly Line[]
}

const entryRow = rowsOf(
  rowOf('ledger_entry', 'e', [
    'agent_id',
    'number',
    'kind',
    'reference',
    'key',
    'occurred_at',
    'recorded_at',
    'reverses',
    'memo',
    'amounts_cents',
  ]).codes({ kind: entryKinds }),
  rowOfValues({ kinds: computed('text[]', sql`a.kinds`), owners: computed('bigint[]', sql`a.owners`) }),
)
type EntryRow = RowOf<typeof entryRow>

function presentEntry(row: EntryRow): PostedEntry {
  const { amountsCents, kinds, owners, ...entry } = entryRow.present(row)
  const lines = amountsCents.map((amountCents, index) => {
    const kind = codeOf(accountKinds, kinds[index] ?? 'none')
    const ownerId = owners[index] ?? 0
    return { account: ownerId === 0 ? { kind } : { kind, ownerId }, amountCents }
  })
  return { ...entry, lines }
}

const MAX_ENTRIES_OF_A_REFERENCE = 200

/** The entries about one thing, in the order of their posting. */
export async function entriesOf(
  run: Run,
  options: { agentIds: readonly number[]; reference: string; number?: number },
): Promise<PostedEntry[]> {
  const { agentIds, reference, number } = options
  const query = entryRow.select`
    from ledger_entry e, lateral (
      select array_agg(a.kind order by l.line) as kinds, array_agg(a.owner_id order by l.line) as owners
      from unnest(e.account_ids) with ordinality as l (account_id, line)
      join ledger_account a on a.id = l.account_id and a.agent_id = e.agent_id
    ) a
    where e.agent_id = any (${agentIds}::bigint[]) and e.reference = ${reference}
      and (${number ?? null}::bigint is null or e.number = ${number ?? null}::bigint)
    order by e.agent_id, e.number
    limit ${MAX_ENTRIES_OF_A_REFERENCE}`
  return (await run(query.compile(compiler))).map(presentEntry)
}

const ledgerEntryRow = rowOf('ledger_entry', ['reference'])

/** One entry of a book; null when there is none of that number. */
export async function entryByNumber(
  run: Run,
  options: { agentId: number; number: number },
): Promise<PostedEntry | null> {
  const found = ledgerEntryRow.select`from ledger_entry where agent_id = ${options.agentId} and number = ${options.number}`
  const [row] = await run(found.compile(compiler))
  if (row === undefined) return null
  const entries = await entriesOf(run, {
    agentIds: [options.agentId],
    reference: row.reference,
    number: options.number,
  })
  return entries[0] ?? null
}

const balanceCentsRow = rowOfValues({ balance_cents: computed('bigint', sql`coalesce(b.balance_cents, 0)`) })

/** Balances as they are stored (see chartOfAccounts for the side); an account that was never opened has 0. */
export async function balancesOf(
  run: Run,
  options: { agentId: number; accounts: readonly AccountName[] },
): Promise<number[]> {
  const { agentId, accounts } = options
  const query = balanceCentsRow.select`
    from unnest(${accounts.map(({ kind }) => kind)}::text[], ${accounts.map(({ ownerId }) => ownerId ?? 0)}::bigint[])
      with ordinality as n (kind, owner_id, place)
    left join ledger_account a on a.agent_id = ${agentId} and a.kind = n.kind and a.owner_id = n.owner_id
    left join ledger_balance b on b.account_id = a.id
    order by n.place`
  return (await run(query.compile(compiler))).map((row) => row.balance_cents)
}

/** Resolved entry of `entry` and the numbers of its accounts. */
export function resolve(options: {
  entry: Entry
  accountIds: readonly number[]
  reverses: number | null
  now: number
}): Resolved {
  const { entry, accountIds, reverses, now } = options
  return {
    agentId: entry.agentId,
    kind: entry.kind,
    reference: entry.reference,
    key: entry.key ?? entry.kind,
    occurredAt: entry.occurredAt ?? now,
    reverses,
    accounts: `{${accountIds.join()}}`,
    amounts: `{${entry.lines.map((line) => line.amountCents).join()}}`,
    memo: entry.memo ?? '',
  }
}
