import { errorText } from '@saddle/contract/errors.ts'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { minuteMs } from '@saddle/contract/time.ts'
import { createManualClock } from '#kit/clock.ts'
import { scopeOfAgent } from '#kit/db/scope.ts'
import { silentLog } from '#kit/log.ts'
import { apartFromCalls, withinCall } from '#kit/runningCall.ts'
import { testDatabase } from '#test/database.ts'
import { createLedger } from './ledger.ts'
import { LedgerError, type Entry } from './rules.ts'

const { db, owner } = await testDatabase()
const NOW = Date.UTC(2026, 10, 20, 9)
const clock = createManualClock(NOW)
const ledger = createLedger({ db, clock, log: silentLog })

await owner
  .insertInto('agent')
  .values([
    { id: 1, parent_id: null, company: 'A' },
    { id: 2, parent_id: 1, company: 'B' },
  ])
  .execute()

const balance = { kind: 'rider_balance' } as const
const recharge = (reference: string, rider: number, cents: number): Entry => ({
  agentId: 1,
  kind: 'recharge',
  reference,
  lines: [
    { account: { kind: 'clearing_sandbox' }, amountCents: -cents },
    { account: { ...balance, ownerId: rider }, amountCents: cents },
  ],
})
const charge = (reference: string, rider: number, cents: number): Entry => ({
  agentId: 1,
  kind: 'ride_charge',
  reference,
  lines: [
    { account: { ...balance, ownerId: rider }, amountCents: -cents },
    { account: { kind: 'agent_revenue' }, amountCents: cents },
  ],
})
const balanceOf = (rider: number): Promise<number> =>
  ledger.balanceOf({ agentId: 1, account: { ...balance, ownerId: rider } })

it('moves money, once for each reference and key, and numbers without gaps', async () => {
  const first = await ledger.post(recharge('recharge:1', 11, 5_000))
  expect(first).toEqual({ agentId: 1, number: 1, isReplay: false })
  expect(await ledger.post(charge('order:1', 11, 350))).toEqual({ agentId: 1, number: 2, isReplay: false })
  clock.advance(minuteMs)
  expect(await ledger.post(charge('order:1', 11, 350))).toEqual({ agentId: 1, number: 2, isReplay: true })
  expect(await balanceOf(11)).toBe(4_650)
  expect(await ledger.balanceOf({ agentId: 1, account: { kind: 'agent_revenue' } })).toBe(350)
  expect(await ledger.balanceOf({ agentId: 2, account: { kind: 'agent_revenue' } })).toBe(0)
})

it('refuses the same key with other content, overdrafts, and what does not sum to zero', async () => {
  await ledger.post(recharge('recharge:2', 12, 100))
  await ledger.post(charge('order:2', 12, 60))
  await expect(ledger.post(charge('order:2', 12, 61))).rejects.toThrow(errorText('idempotency_mismatch'))
  await expect(ledger.post(charge('order:3', 12, 41))).rejects.toThrow(errorText('balance_insufficient'))
  const crooked = { ...charge('order:4', 12, 10), lines: charge('order:4', 12, 10).lines.slice(0, 1) }
  await expect(ledger.post(crooked)).rejects.toThrow(LedgerError)
  await expect(ledger.post(charge('order|4', 12, 10))).rejects.toThrow(LedgerError)
  expect(await balanceOf(12)).toBe(40)
})

it('refuses one entry of a batch and posts its neighbours', async () => {
  const entries = Array.from({ length: 40 }, (_, n) =>
    n === 17 ? charge('order:bad', 13, 1) : recharge(`recharge:13-${n}`, 1_300 + n, 100 + n),
  )
  const results = await ledger.postMany(entries)
  expect(results.map((result) => result.status).filter((status) => status === 'fulfilled')).toHaveLength(39)
  expect(results[17]).toMatchObject({ status: 'rejected', reason: { code: 'balance_insufficient' } })
  expect(await balanceOf(1_339)).toBe(139)
})

it('lets nobody spend in one statement what comes in only behind it', async () => {
  // Accounts that are open already: then entries that are asked for at once go in one statement, in their order.
  for (const ownerId of [771, 772]) await ledger.openAccount({ agentId: 1, account: { ...balance, ownerId } })
  const early = await ledger.postMany([charge('order:771', 771, 500), recharge('recharge:771', 771, 500)])
  expect(early.map(({ status }) => status)).toEqual(['rejected', 'fulfilled'])
  expect(early[0]).toMatchObject({ reason: { code: 'balance_insufficient' } })
  const inOrder = await ledger.postMany([recharge('recharge:772', 772, 500), charge('order:772', 772, 500)])
  expect(inOrder.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled'])
})

it('makes one entry of fifty concurrent retries, and says of all but one that they are replays', async () => {
  await ledger.post(recharge('recharge:14', 14, 1_000))
  const results = await Promise.all(Array.from({ length: 50 }, () => ledger.post(charge('order:14', 14, 300))))
  expect(new Set(results.map((result) => result.number)).size).toBe(1)
  expect(results.filter((result) => !result.isReplay)).toHaveLength(1)
  // Every one in a transaction of its own: not the batcher but the lock of the book keeps them apart.
  const apart = await Promise.all(
    Array.from({ length: 50 }, () => db.system((tx) => ledger.post(charge('order:15', 14, 300), tx))),
  )
  expect(new Set(apart.map((result) => result.number)).size).toBe(1)
  expect(apart.filter((result) => !result.isReplay)).toHaveLength(1)
  expect(await balanceOf(14)).toBe(400)
})

it('belongs to the transaction that it is given', async () => {
  await ledger.post(recharge('recharge:16', 16, 1_000))
  const broken = db.system(async (tx) => {
    await ledger.post(charge('order:16', 16, 300), tx)
    expect(await ledger.balanceOf({ agentId: 1, account: { ...balance, ownerId: 16 } }, tx)).toBe(700)
    throw new Error('the ride could not be stored')
  })
  await expect(broken).rejects.toThrow('could not be stored')
  expect(await balanceOf(16)).toBe(1_000)
  // A refusal leaves the transaction usable.
  await db.system(async (tx) => {
    await expect(ledger.post(charge('order:17', 16, 2_000), tx)).rejects.toThrow(errorText('balance_insufficient'))
    await ledger.post(charge('order:17', 16, 1_000), tx)
  })
  expect(await balanceOf(16)).toBe(0)
})

it('posts what comes last right before the commit, or nothing of it', async () => {
  await db.system(async (tx) => {
    ledger.postLast(recharge('recharge:71', 71, 500), tx)
    ledger.postLast(charge('order:71', 71, 200), tx)
    expect(await ledger.balanceOf({ agentId: 1, account: { ...balance, ownerId: 71 } }, tx)).toBe(0)
  })
  expect(await balanceOf(71)).toBe(300)
  const refused = db.system(async (tx) => {
    ledger.postLast(recharge('recharge:72', 72, 100), tx)
    ledger.postLast(charge('order:72', 72, 200), tx)
  })
  await expect(refused).rejects.toMatchObject({ code: 'balance_insufficient' })
  expect(await balanceOf(72)).toBe(0)
})

it('takes an account that is named twice by what remains of both', async () => {
  const twice = (reference: string, gains: number): Entry => {
    const account = { ...balance, ownerId: 21 }
    const lines = [
      { account, amountCents: -500 },
      { account: { kind: 'agent_revenue' } as const, amountCents: 500 - gains },
      { account, amountCents: gains },
    ]
    return { agentId: 1, kind: 'ride_charge', reference, lines }
  }
  await ledger.post(recharge('recharge:21', 21, 100))
  await ledger.post(twice('order:21', 450))
  expect(await balanceOf(21)).toBe(50)
  await expect(ledger.post(twice('order:22', 449))).rejects.toThrow(errorText('balance_insufficient'))
  expect(await balanceOf(21)).toBe(50)
})

it('shows the postings of every account, kept by account or in its book', async () => {
  const { rows } = await sql<{ sound: boolean }>`
    select bool_and(b.balance_cents = p.total and b.posting_count = p.postings) as sound
    from ledger_balance b join (
      select account_id, sum(amount_cents) as total, count(*) as postings from ledger_posting group by account_id
    ) p using (account_id)`.execute(owner)
  expect(rows).toEqual([{ sound: true }])
})

it('takes an entry back whole and once, also when that is asked twice', async () => {
  await ledger.post(recharge('recharge:18', 18, 1_000))
  const { number } = await ledger.post(charge('order:18', 18, 400))
  const reversal = await ledger.reverse({ agentId: 1, number, memo: '重复扣费' })
  expect(await ledger.reverse({ agentId: 1, number, memo: '重复扣费' })).toEqual({ ...reversal, isReplay: true })
  expect(await balanceOf(18)).toBe(1_000)
  const entries = await ledger.entriesOf({
    scope: scopeOfAgent(1),
    reference: 'order:18',
  })
  expect(entries.map((entry) => [entry.kind, entry.reverses])).toEqual([
    ['ride_charge', null],
    ['reversal', number],
  ])
  expect(entries[1]?.lines).toEqual([
    { account: { kind: 'rider_balance', ownerId: 18 }, amountCents: 400 },
    { account: { kind: 'agent_revenue' }, amountCents: -400 },
  ])
  const again = ledger.reverse({ agentId: 1, number: reversal.number, memo: '' })
  await expect(again).rejects.toThrow(errorText('entry_not_reversible'))
  await expect(ledger.reverse({ agentId: 1, number: 999_999, memo: '' })).rejects.toThrow(
    errorText('entry_not_reversible'),
  )
})

it('shows an agent nothing of another', async () => {
  await ledger.post(recharge('recharge:19', 19, 1_000))
  const scope = scopeOfAgent(2)
  expect(await ledger.entriesOf({ scope, reference: 'recharge:19' })).toEqual([])
  const seen = await db.read(scope, (k) => k.selectFrom('ledger_posting').selectAll().compile())
  expect(seen).toEqual([])
})

it('is written by no call of a session whose row does not say so', async () => {
  const posting = () => ledger.post(recharge('recharge:guard', 31, 10))
  await expect(withinCall({ name: 'userWallet', writes: undefined }, posting)).rejects.toThrow(
    'userWallet may not write the ledger',
  )
  expect(await balanceOf(31)).toBe(0)
  await withinCall({ name: 'platformCharge', writes: 'ledger' }, posting)
  await withinCall({ name: 'userWallet', writes: undefined }, () => apartFromCalls(posting))
  expect(await balanceOf(31)).toBe(10)
})
