import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { createManualClock } from '#kit/clock.ts'
import { silentLog } from '#kit/log.ts'
import { testDatabase } from '#test/database.ts'
import { createLedger } from './ledger.ts'
import type { Entry, Line } from './rules.ts'

const { db, owner } = await testDatabase()
const ledger = createLedger({ db, clock: createManualClock(Date.UTC(2026, 10, 29, 7)), log: silentLog })

await owner
  .insertInto('agent')
  .values([
    { id: 1, parent_id: null, company: 'A' },
    { id: 2, parent_id: 1, company: 'B' },
    { id: 3, parent_id: 1, company: 'C' },
  ])
  .execute()

const entry = (agentId: number, kind: Entry['kind'], reference: string, lines: readonly Line[]): Entry => ({
  agentId,
  kind,
  reference,
  lines,
})
const rider = { kind: 'rider_balance', ownerId: 7 } as const
const recharge = (agentId: number, reference: string): Entry =>
  entry(agentId, 'recharge', reference, [
    { account: { kind: 'clearing_sandbox' }, amountCents: -500 },
    { account: rider, amountCents: 500 },
  ])
const income = (agentId: number, reference: string, cents: number): Entry =>
  entry(agentId, 'bill_split', reference, [
    { account: { kind: 'agent_revenue' }, amountCents: -cents },
    { account: { kind: 'agent_in_transit' }, amountCents: cents },
  ])
const release = (agentId: number, reference: string, cents: number): Entry =>
  entry(agentId, 'split_settlement', reference, [
    { account: { kind: 'agent_in_transit' }, amountCents: -cents },
    { account: { kind: 'agent_available' }, amountCents: cents },
  ])
/** Names an account twice, and another one whose movements add up to nothing. */
const repeated = (agentId: number, reference: string): Entry =>
  entry(agentId, 'split_settlement', reference, [
    { account: { kind: 'agent_in_transit' }, amountCents: -30 },
    { account: { kind: 'agent_available' }, amountCents: 10 },
    { account: { kind: 'agent_available' }, amountCents: 20 },
    { account: { kind: 'service_balance' }, amountCents: 5 },
    { account: { kind: 'service_balance' }, amountCents: -5 },
  ])

type Detail = { entry: string; account: string; cents: number; kind: string }

async function details(): Promise<Detail[]> {
  const { rows } = await sql<Detail>`
    select agent_id || '/' || entry_number as entry, account, cents::int, kind from asset_detail
    order by agent_id, entry_number, account`.execute(owner)
  return rows
}

/** The same from the entries. */
async function movements(): Promise<Detail[]> {
  const { rows } = await sql<Detail>`
    select e.agent_id || '/' || e.number as entry, a.kind as account, sum(l.cents)::int as cents, e.kind
    from ledger_entry e cross join lateral unnest(e.account_ids, e.amounts_cents) as l (account_id, cents)
    join ledger_account a on a.id = l.account_id and a.kind in
      ('service_balance', 'service_held', 'agent_in_transit', 'agent_available', 'agent_disputed', 'agent_withdrawing')
    group by e.agent_id, e.number, e.kind, a.kind having sum(l.cents) <> 0
    order by e.agent_id, e.number, a.kind`.execute(owner)
  return rows
}

it('keeps a detail of each entry that moves a company’s own account, posted alone', async () => {
  await ledger.post(recharge(1, 'recharge:1'))
  await ledger.post(income(1, 'order:1', 100))
  await ledger.post(release(1, 'order:1', 60))
  await ledger.post(repeated(1, 'order:2'))
  const reversed = await ledger.reverse({ agentId: 1, number: 3, memo: 'wrong' })
  expect(await ledger.reverse({ agentId: 1, number: 3, memo: 'wrong' })).toEqual({ ...reversed, isReplay: true })
  expect(await details()).toEqual([
    { entry: '1/2', account: 'agent_in_transit', cents: 100, kind: 'bill_split' },
    { entry: '1/3', account: 'agent_available', cents: 60, kind: 'split_settlement' },
    { entry: '1/3', account: 'agent_in_transit', cents: -60, kind: 'split_settlement' },
    { entry: '1/4', account: 'agent_available', cents: 30, kind: 'split_settlement' },
    { entry: '1/4', account: 'agent_in_transit', cents: -30, kind: 'split_settlement' },
    { entry: '1/5', account: 'agent_available', cents: -60, kind: 'reversal' },
    { entry: '1/5', account: 'agent_in_transit', cents: 60, kind: 'reversal' },
  ])
  expect(await details()).toEqual(await movements())
})

it('keeps them of entries that are posted together, of those that were there once', async () => {
  const batch = [1, 2, 3].flatMap((agentId) => [
    recharge(agentId, 'recharge:10'),
    income(agentId, 'order:1', 100),
    income(agentId, 'order:11', 300),
    repeated(agentId, 'order:12'),
  ])
  const posted = await ledger.postMany(batch)
  expect(posted.every(({ status }) => status === 'fulfilled')).toBe(true)
  const before = await details()
  expect(before.filter(({ entry: of }) => of.startsWith('2/'))).toHaveLength(4)
  await ledger.postMany(batch)
  expect(await details()).toEqual(before)
  expect(before).toEqual(await movements())
})

it('keeps them once when a batch goes entry by entry, and none of what is refused', async () => {
  const results = await ledger.postMany([
    income(2, 'order:21', 40),
    release(2, 'order:21', 40),
    entry(2, 'withdrawal_request', 'withdrawal:1', [
      { account: { kind: 'agent_available' }, amountCents: -5_000 },
      { account: { kind: 'agent_withdrawing' }, amountCents: 5_000 },
    ]),
  ])
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected'])
  const kept = await details()
  expect(kept.filter(({ account }) => account === 'agent_withdrawing')).toEqual([])
  expect(kept).toEqual(await movements())
})

it('keeps them of entries of a transaction', async () => {
  await db.system((tx) => ledger.postAll([recharge(3, 'recharge:31'), income(3, 'order:31', 70)], tx))
  expect(await details()).toEqual(await movements())
})
