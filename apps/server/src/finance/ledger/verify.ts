import { createHash } from 'node:crypto'
import { sql, type RawBuilder } from 'kysely'
import type { Database, Tx } from '#kit/db/pool.ts'
import { computed, rowOf, rowOfValues, rowsOf, type RowOf } from '#kit/db/rows.ts'

export type Verdict = {
  readonly entries: number
  readonly postings: number
  /** Where it breaks, the first ones; none when the ledger is sound. */
  readonly faults: readonly string[]
}

const PAGE = 5_000
const MAX_FAULTS = 20

/**
 * Proves the whole ledger from one snapshot: both chains of every book by hashing them anew, sums, postings against
 * entries, balances against postings, reversals against what they take back. Reads in pages, so memory does not grow
 * with the ledger.
 */
export async function verifyLedger(db: Database): Promise<Verdict> {
  return db.system(async (tx) => {
    await sql`set transaction isolation level repeatable read, read only`.execute(tx)
    await sql`set local statement_timeout = 0`.execute(tx)
    const faults: string[] = []
    let entries = 0
    let postings = 0
    for (let last = 0; ;) {
      const books = await booksAfter(tx, last)
      for (const book of books) {
        const proof = await proveBook(tx, book)
        entries += proof.entries
        postings += proof.postings
        if (faults.length < MAX_FAULTS) faults.push(...proof.faults)
      }
      last = books.at(-1)?.agent_id ?? last
      if (books.length < PAGE) break
    }
    for (const query of crossChecks) {
      if (faults.length >= MAX_FAULTS) break
      const { rows } = await query.execute(tx)
      faults.push(...rows.map((row) => row.fault))
    }
    return { entries, postings, faults: faults.slice(0, MAX_FAULTS) }
  })
}

const bookRow = rowsOf(
  rowOf('ledger_book', ['agent_id', 'entry_number', 'account_number']),
  rowOfValues({
    entry_hash: computed('text', sql`encode(entry_hash, 'hex')`),
    account_hash: computed('text', sql`encode(account_hash, 'hex')`),
  }),
)
type Book = RowOf<typeof bookRow>

async function booksAfter(tx: Tx, agentId: number): Promise<Book[]> {
  const { rows } = await bookRow.select`
    from ledger_book where agent_id > ${agentId} order by agent_id limit ${PAGE}`.execute(tx)
  return rows
}

async function proveBook(tx: Tx, book: Book): Promise<Verdict> {
  const accounts = await proveAccounts(tx, book)
  const entries = await proveEntries(tx, book)
  return { ...entries, faults: [...accounts, ...entries.faults] }
}

/** Microseconds since 2000, as PostgreSQL sends an instant. */
function micros(column: string): RawBuilder<unknown> {
  return sql`((extract(epoch from ${sql.ref(column)}) - 946684800) * 1000000)::bigint`
}

const accountRow = rowsOf(
  rowOf('ledger_account', ['id', 'number', 'kind', 'owner_id', 'currency', 'may_be_negative']),
  rowOfValues({ opened: computed('text', micros('opened_at')), hash: computed('text', sql`encode(hash, 'hex')`) }),
)

/** Everything up to the first error: after it the chain proves nothing. */
async function proveAccounts(tx: Tx, book: Book): Promise<string[]> {
  const at = `of agent ${book.agent_id}`
  let number = 0
  let hash = ''
  for (;;) {
    const { rows } = await accountRow.select`
      from ledger_account where agent_id = ${book.agent_id} and number > ${number} order by number limit ${PAGE}`.execute(
      tx,
    )
    for (const row of rows) {
      if (row.number !== number + 1) return [`account ${number + 1} ${at}: missing`]
      const words = [
        book.agent_id,
        row.number,
        row.id,
        row.kind,
        row.owner_id,
        row.currency,
        Number(row.may_be_negative),
      ]
      const expected = sha256(bytesOf(hash), Buffer.from(words.join('|')), int64(BigInt(row.opened)))
      if (expected !== row.hash) return [`account ${row.number} ${at} (id ${row.id}): does not fit its hash`]
      number = row.number
      hash = row.hash
    }
    if (rows.length < PAGE) break
  }
  if (number === 0) return [`book ${at}: has no account`]
  if (number !== book.account_number)
    return [`account ${number + 1} ${at}: missing, the book counts ${book.account_number}`]
  return hash === book.account_hash ? [] : [`book ${at}: its hash is not that of its last account`]
}

const entryRow = rowsOf(
  rowOf('ledger_entry', ['number', 'kind', 'reference', 'key', 'reverses', 'memo']),
  rowOfValues({
    occurred: computed('text', micros('occurred_at')),
    recorded: computed('text', micros('recorded_at')),
    account_ids: computed('text', sql`account_ids`),
    amounts_cents: computed('text', sql`amounts_cents`),
    input_hash: computed('text', sql`encode(input_hash, 'hex')`),
    hash: computed('text', sql`encode(hash, 'hex')`),
  }),
)
type EntryRow = RowOf<typeof entryRow>

async function proveEntries(tx: Tx, book: Book): Promise<Verdict> {
  const at = `of agent ${book.agent_id}`
  let number = 0
  let postings = 0
  let hash = ''
  const broken = (fault: string): Verdict => ({ entries: number, postings, faults: [fault] })
  for (;;) {
    const { rows } = await entryRow.select`
      from ledger_entry where agent_id = ${book.agent_id} and number > ${number} order by number limit ${PAGE}`.execute(
      tx,
    )
    for (const row of rows) {
      if (row.number !== number + 1) return broken(`entry ${number + 1} ${at}: missing`)
      const fault = faultOf({ row, previous: hash, agentId: book.agent_id })
      if (fault !== null) return broken(`entry ${row.number} ${at}: ${fault}`)
      number = row.number
      hash = row.hash
      postings += row.amounts_cents.split(',').length
    }
    if (rows.length < PAGE) break
  }
  if (number !== book.entry_number)
    return broken(`entry ${number + 1} ${at}: missing, the book counts ${book.entry_number}`)
  if (hash !== book.entry_hash) return broken(`book ${at}: its hash is not that of its last entry`)
  return { entries: number, postings, faults: [] }
}

function faultOf({ row, previous, agentId }: { row: EntryRow; previous: string; agentId: number }): string | null {
  const amounts = row.amounts_cents.slice(1, -1).split(',').map(BigInt)
  if (amounts.length < 2 || amounts.reduce((total, cents) => total + cents, 0n) !== 0n) return 'does not sum to zero'
  if (amounts.length !== row.account_ids.split(',').length) return 'has not one amount for each account'
  const { kind, reference, key, reverses, account_ids, amounts_cents, memo } = row
  const words = [kind, reference, key, reverses ?? 0, account_ids, amounts_cents, memo]
  if (sha256(Buffer.from(words.join('|'))) !== row.input_hash) return 'does not fit the hash of its input'
  const link = [
    int64(BigInt(agentId)),
    int64(BigInt(row.number)),
    int64(BigInt(row.occurred)),
    int64(BigInt(row.recorded)),
  ]
  const expected = sha256(bytesOf(previous), ...link, bytesOf(row.input_hash))
  return expected === row.hash ? null : 'does not fit its hash'
}

const bytesOf = (hex: string): Buffer => Buffer.from(hex, 'hex')

function int64(value: bigint): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigInt64BE(value)
  return bytes
}

function sha256(...parts: readonly Buffer[]): string {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest('hex')
}

/** What no single book shows: each lists the first rows that do not fit together. */
const crossChecks: readonly RawBuilder<{ fault: string }>[] = [
  sql`select format('entry %s of agent %s: its agent has no book', e.number, e.agent_id) as fault
    from ledger_entry e where not exists (select from ledger_book b where b.agent_id = e.agent_id)
    order by e.agent_id, e.number limit 1`,
  sql`select format('account %s of agent %s: its agent has no book', a.number, a.agent_id) as fault
    from ledger_account a where not exists (select from ledger_book b where b.agent_id = a.agent_id)
    order by a.agent_id, a.number limit 1`,
  sql`select format('posting of entry %s of agent %s, line %s: not what the entry says',
      coalesce(l.number, p.entry_number), coalesce(l.agent_id, p.agent_id), coalesce(l.line, p.line)) as fault
    from (
      select e.agent_id, e.number, l.line, l.account_id, l.amount_cents
      from ledger_entry e, unnest(e.account_ids, e.amounts_cents) with ordinality as l (account_id, amount_cents, line)
      join ledger_account a on a.id = l.account_id and a.owner_id <> 0
    ) l
    full join ledger_owner_posting p on p.account_id = l.account_id and p.entry_number = l.number and p.line = l.line
    where p.agent_id is distinct from l.agent_id or p.amount_cents is distinct from l.amount_cents
    limit ${MAX_FAULTS}`,
  sql`select format('balance of account %s: %s cents in %s postings, the postings say %s in %s',
      coalesce(b.account_id, a.id, s.account_id), coalesce(b.balance_cents::text, 'none'),
      coalesce(b.posting_count::text, 'none'), coalesce(s.total, 0), coalesce(s.postings, 0)) as fault
    from ledger_balance b
    full join ledger_account a on a.id = b.account_id
    full join (
      select p.account_id, sum(p.amount_cents) as total, count(*) as postings, min(e.agent_id) as first_agent,
        max(e.agent_id) as last_agent
      from ledger_entry e, unnest(e.account_ids, e.amounts_cents) as p (account_id, amount_cents) group by p.account_id
    ) s on s.account_id = coalesce(b.account_id, a.id)
    where b.account_id is null or a.id is null or b.agent_id <> a.agent_id
      or b.may_be_negative <> a.may_be_negative or b.is_owned <> (a.owner_id <> 0) or b.has_lots <> (a.kind = 'rider_gift')
      or (b.balance_cents < 0 and not a.may_be_negative)
      or b.balance_cents <> coalesce(s.total, 0) or b.posting_count <> coalesce(s.postings, 0)
      or s.first_agent <> a.agent_id or s.last_agent <> a.agent_id
    limit ${MAX_FAULTS}`,
  sql`select format('entry %s of agent %s: does not take back entry %s', e.number, e.agent_id, e.reverses) as fault
    from ledger_entry e
    left join ledger_entry r on r.agent_id = e.agent_id and r.number = e.reverses
    where e.reverses is not null and (
      r.number is null or e.reverses >= e.number or r.account_ids <> e.account_ids
      or r.amounts_cents <> (
        select array_agg(-l.amount order by l.line) from unnest(e.amounts_cents) with ordinality as l (amount, line)
      )
    )
    limit ${MAX_FAULTS}`,
]

/** The line that `ledger:verify` closes with. */
export function verdictLine({ entries, postings, faults }: Verdict): string {
  const [first] = faults
  return `ledger: ${entries} entries, ${postings} postings, ${first === undefined ? 'sound' : `broken at ${first}`}`
}
