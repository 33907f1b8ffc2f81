import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { createManualClock } from '#kit/clock.ts'
import { scopeOfAgent } from '#kit/db/scope.ts'
import { silentLog } from '#kit/log.ts'
import { testDatabase } from '#test/database.ts'
import { createLedger } from './ledger.ts'
import { verdictLine, verifyLedger } from './verify.ts'

const { db, owner, url } = await testDatabase()
const ledger = createLedger({ db, clock: createManualClock(Date.UTC(2026, 10, 20, 9)), log: silentLog })

await owner
  .insertInto('agent')
  .values([
    { id: 1, parent_id: null, company: 'A' },
    { id: 2, parent_id: 1, company: 'B' },
    { id: 3, parent_id: 1, company: 'C' },
  ])
  .execute()

for (const agentId of [1, 2]) {
  for (const rider of [7, 8, 9]) {
    const balance = { kind: 'rider_balance', ownerId: rider } as const
    const recharge = {
      agentId,
      kind: 'recharge',
      reference: `recharge:${rider}`,
      memo: '现金|充值 "100%"',
      lines: [
        { account: { kind: 'clearing_sandbox' }, amountCents: -1_000 },
        { account: balance, amountCents: 1_000 },
      ],
    } as const
    await ledger.postMany([recharge, { ...recharge, reference: `recharge:${rider}-2` }])
  }
}
await ledger.reverse({ agentId: 2, number: 3, memo: '退回' })

it('finds a ledger sound, with texts of every kind', async () => {
  const verdict = await verifyLedger(db)
  expect(verdictLine(verdict)).toBe('ledger: 13 entries, 26 postings, sound')
})

const tables = ['ledger_book', 'ledger_account', 'ledger_balance', 'ledger_entry', 'ledger_owner_posting'] as const

const { rows: columns } = await sql<{ table: string; name: string; type: string }>`
  select table_name as "table", column_name as name, data_type as type from information_schema.columns
  where table_name = any (${tables}) order by 1, ordinal_position`.execute(owner)

/** Another value of the column's type: by hand, so no more than a person would change. */
const otherValue: Record<string, string> = {
  bigint: 'coalesce(@, 0) + 1000',
  smallint: '@ + 100',
  text: "@ || 'x'",
  boolean: 'not @',
  bytea: "sha256(@ || '\\x00')",
  ARRAY: '@[2:] || @[1] || 5::bigint',
  'timestamp with time zone': "@ + interval '1 microsecond'",
}

/** Runs a change as somebody at the keys of the database would, past triggers, checks and keys; then takes it back. */
async function verdictAfter(change: string): Promise<string> {
  const { rows: constraints } = await sql<{ table: string; name: string }>`
    select conrelid::regclass::text as "table", conname as name from pg_constraint
    where conrelid = any (${tables}::regclass[]) and contype = 'c'`.execute(owner)
  for (const { table, name } of constraints) {
    await sql.raw(`alter table ${table} drop constraint ${name}`).execute(owner)
  }
  for (const table of tables) {
    await sql.raw(`create table kept_${table} as table ${table}`).execute(owner)
    await sql.raw(`alter table ${table} disable trigger all`).execute(owner)
  }
  try {
    const { numAffectedRows } = await sql.raw(change).execute(owner)
    expect(numAffectedRows, change).toBe(1n)
    return verdictLine(await verifyLedger(db))
  } finally {
    for (const table of tables) {
      await sql.raw(`delete from ${table}`).execute(owner)
      await sql.raw(`insert into ${table} overriding system value table kept_${table}`).execute(owner)
      await sql.raw(`drop table kept_${table}`).execute(owner)
      await sql.raw(`alter table ${table} enable trigger all`).execute(owner)
    }
  }
}

const oneRow = (table: string): string =>
  `ctid = (select ctid from ${table} where agent_id = 2 order by 1 limit 1 offset 1)`
const anyRow = (table: string): string => `ctid = (select max(ctid) from ${table} where agent_id = 2)`

it.each(columns.map(({ table, name, type }) => [table, name, type] as const))(
  'finds an edited %s.%s (%s)',
  async (table, name, type) => {
    const value = otherValue[type]?.replaceAll('@', name)
    expect(value, type).toBeDefined()
    const where = table === 'ledger_book' ? anyRow(table) : oneRow(table)
    expect(await verdictAfter(`update ${table} set ${name} = ${value} where ${where}`)).toContain('broken at ')
  },
)

it.each(tables)('finds a row taken out of %s, at either end', async (table) => {
  for (const end of ['min', 'max']) {
    const change = `delete from ${table} where ctid = (select ${end}(ctid) from ${table} where agent_id = 2)`
    expect(await verdictAfter(change)).toContain('broken at ')
  }
})

it.each([
  ['ledger_book', 'insert into ledger_book (agent_id) values (3)'],
  [
    'ledger_account',
    `insert into ledger_account (agent_id, number, kind, owner_id, currency, may_be_negative, opened_at, hash)
     select agent_id, number + 1, kind, 77, currency, may_be_negative, opened_at, hash
     from ledger_account where agent_id = 2 order by number desc limit 1`,
  ],
  ['ledger_balance', 'insert into ledger_balance values (99, 2, false, 0, 0, false)'],
  [
    'ledger_entry',
    `insert into ledger_entry select agent_id, number + 1, kind, 'recharge:x', key, occurred_at, recorded_at, null,
       account_ids, amounts_cents, memo, input_hash, hash from ledger_entry where agent_id = 2 order by number desc limit 1`,
  ],
  [
    'ledger_owner_posting',
    `insert into ledger_owner_posting select account_id, entry_number + 1, line, agent_id, amount_cents
     from ledger_owner_posting where agent_id = 2 order by entry_number desc limit 1`,
  ],
])('finds a row put into %s', async (_table, change) => {
  expect(await verdictAfter(change)).toContain('broken at ')
})

it('says which entry breaks', async () => {
  const change = `update ledger_entry set memo = 'x' where agent_id = 2 and number = 4`
  expect(await verdictAfter(change)).toBe(
    'ledger: 9 entries, 18 postings, broken at entry 4 of agent 2: does not fit the hash of its input',
  )
  expect(verdictLine(await verifyLedger(db))).toMatch(/sound$/)
})

function runCommand(): { code: number | null; said: string } {
  const script = fileURLToPath(new URL('../../app/ledgerVerifyCli.ts', import.meta.url))
  const env = { ...process.env, DATABASE_URL: url }
  const { status, stdout } = spawnSync(process.execPath, [script], { env, encoding: 'utf8' })
  return { code: status, said: stdout.trimEnd() }
}

const noMoney =
  'money: 0 payments 0.00, refunds 0.00, 0 deposits, agree with the ledger\nbenefits: cards, coupons, activities and the sums of riders agree\n' +
  'splits: lines, bills, settlements and the ledger agree\nwithdrawals: agree with the ledger'

it('is a command that says the verdict and ends with it', async () => {
  expect(runCommand()).toEqual({ code: 0, said: `${noMoney}\nledger: 13 entries, 26 postings, sound` })
  await sql`alter table ledger_balance disable trigger all`.execute(owner)
  await sql`update ledger_balance set balance_cents = balance_cents + 1 where account_id = 1001`.execute(owner)
  const { code, said } = runCommand()
  expect(code).toBe(1)
  expect(said.split('\n').at(-1)).toMatch(/^ledger: 13 entries, 26 postings, broken at balance of account 1001: /)
  await sql`update ledger_balance set balance_cents = balance_cents - 1 where account_id = 1001`.execute(owner)
  await sql`alter table ledger_balance enable trigger all`.execute(owner)
})

it('keeps everybody who comes by the front door from changing what is written', async () => {
  for (const table of ['ledger_account', 'ledger_entry', 'ledger_owner_posting']) {
    await expect(sql.raw(`delete from ${table}`).execute(owner)).rejects.toThrow('append-only')
  }
  await expect(sql`update ledger_entry set memo = ''`.execute(owner)).rejects.toThrow('append-only')
  const asSystem = (change: string) => db.system((tx) => sql.raw(change).execute(tx))
  for (const change of [
    'update ledger_balance set balance_cents = 5',
    'update ledger_book set entry_number = 5',
    'insert into ledger_owner_posting values (1001, 1, 9, 1, 5)',
    'insert into ledger_balance values (99, 1, false, 5, 0, false)',
    'insert into ledger_entry select * from ledger_entry limit 1',
  ]) {
    await expect(asSystem(change)).rejects.toThrow('permission denied')
  }
  await expect(db.system((tx) => sql`delete from ledger_entry`.execute(tx))).rejects.toThrow('permission denied')
  const scope = scopeOfAgent(1)
  const asRequest = db.withScope(scope, (tx) => sql`update ledger_balance set balance_cents = 5`.execute(tx))
  await expect(asRequest).rejects.toThrow('permission denied')
  const posted = db.withScope(scope, (tx) => sql`select ledger_open(1, '{x}', '{1}', '{f}', now())`.execute(tx))
  await expect(posted).rejects.toThrow('permission denied')
})
