import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { entryKinds, type EntryKind } from '@saddle/contract/finance/ledger.ts'
import { createManualClock } from '#kit/clock.ts'
import { silentLog } from '#kit/log.ts'
import { testDatabase } from '#test/database.ts'
import { createLedger } from './ledger.ts'
import { channelDifference } from './channelRecipes.ts'
import { openingBalance } from './openingRecipes.ts'
import * as recipes from './recipes.ts'
import {
  withdrawalPaidAfterReturn,
  withdrawalPaidAfterReturnReversed,
  withdrawalReversed,
} from './withdrawalRecipes.ts'
import { negated, type Entry, type Line } from './rules.ts'
import { verdictLine, verifyLedger } from './verify.ts'

const { db, owner, url } = await testDatabase()
const clock = createManualClock(Date.UTC(2026, 10, 20, 9))
const ledger = createLedger({ db, clock, log: silentLog })

await owner
  .insertInto('agent')
  .values([
    { id: 1, parent_id: null, company: 'A' },
    { id: 2, parent_id: 1, company: 'B' },
  ])
  .execute()

// The ledger alone: here gift balance has no lots.
await sql`alter table ledger_balance disable trigger equal_lots`.execute(owner)

const SEED = 20_261_121

type Step = {
  readonly recipe: number
  readonly agentId: number
  readonly riderId: number
  readonly cents: number
  /** How it is posted: by the batcher, in a transaction, in one that rolls back, or taken back afterwards. */
  readonly way: 'batch' | 'own' | 'rollback' | 'reverse'
  /** How often the same call comes. */
  readonly calls: number
}

/** Every recipe, so that every kind of account moves. `id` makes references of different steps differ. */
function entryOf(step: Step, id: number): Entry {
  const { recipe, agentId, riderId, cents } = step
  const at = clock.now()
  const rider = { agentId, riderId, cents, at }
  const deposit = { ...rider, depositId: id, caseId: id, channel: 'wechat', reason: '' } as const
  const afterTheEnd = { ...rider, withdrawalId: id, feeCents: cents % 2, bankAt: id, reason: '' }
  const all: readonly (() => Entry)[] = [
    () => recipes.recharge({ ...rider, paymentId: id, channel: 'sandbox' }),
    () => recipes.giftGrant({ ...rider, lotId: id }),
    () => recipes.giftExpiry({ ...rider, lotId: id }),
    () => recipes.giftRevoke({ ...rider, reference: `payment:${id}`, key: 'gift_revoke', reason: '' }),
    () => recipes.recharge({ ...rider, cents: cents * 3, paymentId: id, channel: 'wechat' }),
    () => recipes.balanceRefund({ ...rider, paymentId: id, refundId: id }),
    () => recipes.refundPaid({ ...rider, reference: `payment:${id}`, refundId: id, channel: 'wechat' }),
    () => recipes.refundReturned({ ...rider, reference: `payment:${id}`, refundId: id, reason: '' }),
    () => recipes.platformCharge({ ...rider, chargeId: id, reason: '车辆损坏' }),
    () => recipes.depositPay(deposit),
    () => recipes.depositFreeze(deposit),
    () => recipes.depositUnfreeze(deposit),
    () => recipes.depositRecovery(deposit),
    () => recipes.depositRefund(deposit),
    () => recipes.cardSale({ ...rider, cardId: id, paidBy: 'balance' }),
    () => recipes.cardSale({ ...rider, cents: cents * 3, cardId: id, paidBy: 'sandbox' }),
    () => recipes.cardEarning({ ...rider, cardId: id, day: '2026-11-20' }),
    () => recipes.cardRefund({ ...rider, cardId: id, paidBy: 'balance' }),
    () => recipes.channelFee({ ...rider, statementId: id, channel: 'wechat' }),
    () =>
      channelDifference({
        ...rider,
        cents: id % 2 === 0 ? cents : -cents,
        differenceId: id,
        channel: 'wechat',
        step: 'suspend',
      }),
    () =>
      recipes.billSplit({
        agentId: rider.agentId,
        at,
        billId: id,
        paidCents: cents,
        feeCents: 0,
        platformBorneCents: 0,
        partnerBorneCents: 0,
        ownerCents: cents - Math.floor(cents / 5),
        parties: [{ partyId: riderId, cents: Math.floor(cents / 5) }],
      }) ?? recipes.withdrawalRequest({ ...rider, withdrawalId: id }),
    () =>
      recipes.splitSettlement({
        agentId: rider.agentId,
        at,
        day: '2026-11-20',
        number: id,
        owner: { cents, repaidCents: -1, reservedCents: 2, availableCents: cents - 1 },
        parties: [{ partyId: riderId, cents: 3, repaidCents: 1, reservedCents: 0, availableCents: 2 }],
      }) ?? recipes.withdrawalRequest({ ...rider, withdrawalId: id }),
    () =>
      recipes.billCorrection({
        agentId: rider.agentId,
        at,
        billId: id,
        key: 'one',
        cents: id % 2 === 0 ? cents : -cents,
        reason: '',
      }),
    () => recipes.splitHold({ ...rider, objectionId: id }),
    () => recipes.splitRelease({ ...rider, objectionId: id }),
    () => recipes.withdrawalRequest({ ...rider, withdrawalId: id }),
    () => recipes.withdrawalPaid({ ...rider, withdrawalId: id, feeCents: cents % 2 }),
    () => recipes.withdrawalReturned({ ...rider, withdrawalId: id, reason: '' }),
    () => withdrawalReversed(afterTheEnd),
    () => withdrawalPaidAfterReturn(afterTheEnd),
    () => withdrawalPaidAfterReturnReversed(afterTheEnd),
    () => recipes.serviceRecharge({ ...rider, noteId: id, from: 'sandbox' }),
    () => recipes.serviceRecharge({ ...rider, noteId: id, from: 'available' }),
    () => recipes.serviceCharge({ ...rider, billId: id, spendId: id }),
    () => recipes.serviceHold({ ...rider, objectionId: id }),
    () => recipes.serviceRelease({ ...rider, objectionId: id, backCents: cents % 3, reason: '' }),
    () => openingBalance({ ...rider, riderId: id, file: '' }),
    ...raw({ ...step, at }, id),
  ]
  const write = all[recipe]
  if (write === undefined || all.length !== recipesInAll) throw new Error(`no recipe, of ${all.length}`)
  return write()
}

/** What other domains write by themselves: rides paid from the wallet or by a channel that brought too much, and back. */
function raw({ agentId, riderId, cents, at }: Step & { readonly at: number }, id: number): (() => Entry)[] {
  const balance = { kind: 'rider_balance', ownerId: riderId } as const
  const gift = { kind: 'rider_gift', ownerId: riderId } as const
  const revenue = { kind: 'agent_revenue' } as const
  const write =
    (kind: EntryKind, ...moves: readonly (readonly [Line['account'], number])[]) =>
    (): Entry => ({
      agentId,
      kind,
      reference: `order:${id}`,
      occurredAt: at,
      lines: moves.map(([account, amountCents]) => ({ account, amountCents })),
    })
  return [
    write('ride_charge', [gift, -1], [balance, 1 - cents], [revenue, cents]),
    write('ride_charge', [{ kind: 'clearing_sandbox' }, -cents - 5], [balance, 5], [revenue, cents]),
    write('ride_refund', [revenue, -cents], [balance, cents]),
    write('adjustment', [{ kind: 'adjustment' }, -cents], [{ kind: 'agent_available' }, cents]),
  ]
}

const recipesInAll = 41
const step = fc.record({
  recipe: fc.nat({ max: recipesInAll - 1 }),
  agentId: fc.constantFrom(1, 2),
  riderId: fc.integer({ min: 1, max: 4 }),
  cents: fc.integer({ min: 2, max: 500 }),
  way: fc.constantFrom('batch' as const, 'batch' as const, 'own' as const, 'rollback' as const, 'reverse' as const),
  calls: fc.constantFrom(1, 1, 1, 2, 5),
})

/** Each recipe once, with less than the one before moved, and then backwards with what is left: none can lack the money. */
const falling = Array.from({ length: recipesInAll }, (_, recipe) => ({ recipe, cents: 500 - 10 * recipe }))
const everyRecipe = [...falling, ...falling.toReversed().map(({ recipe }) => ({ recipe, cents: 4 }))].map(
  ({ recipe, cents }): Step => ({ recipe, cents, agentId: 1, riderId: 1, way: 'own', calls: 1 }),
)

const ROLLED_BACK = 'taken back by the test'

/** One call of a step: the entries that it must have left behind, none when it was refused. */
async function take({ way }: Step, entry: Entry): Promise<Map<string, Entry>> {
  const left = new Map<string, Entry>()
  try {
    if (way === 'own' || way === 'rollback') {
      await db.system(async (tx) => {
        await ledger.post(entry, tx)
        if (way === 'rollback') throw new Error(ROLLED_BACK)
      })
      left.set('entry', entry)
      return left
    }
    const { number } = await ledger.post(entry)
    left.set('entry', entry)
    if (way === 'batch') return left
    await ledger.reverse({ agentId: entry.agentId, number, memo: '' })
    left.set('reversal', { ...entry, lines: negated(entry.lines) })
    return left
  } catch (error) {
    const isExpected =
      error instanceof Error &&
      (error.message === ROLLED_BACK || ('code' in error && error.code === 'balance_insufficient'))
    if (!isExpected) throw error
    return left
  }
}

it('keeps every balance and the whole chain right through random steps, all at once and repeated', async () => {
  const expected = new Map<string, number>()
  let id = 0
  const run = async (steps: readonly Step[]): Promise<void> => {
    const results = await Promise.all(
      steps.map(async (step) => {
        id += 1
        const entry = entryOf(step, id)
        // Balances change between the calls: a later one may pass where the first was refused. Each entry counts once.
        const calls = await Promise.all(Array.from({ length: step.calls }, () => take(step, entry)))
        return new Map(calls.flatMap((left) => Array.from(left)))
      }),
    )
    for (const { agentId, lines } of results.flatMap((left) => Array.from(left.values()))) {
      for (const { account, amountCents } of lines) {
        const name = `${agentId} ${account.kind} ${account.ownerId ?? 0}`
        expected.set(name, (expected.get(name) ?? 0) + amountCents)
      }
    }
    const { rows } = await sql<{ name: string; balance: number; may_be_negative: boolean }>`
      select concat_ws(' ', a.agent_id, a.kind, a.owner_id) as name, b.balance_cents as balance, a.may_be_negative
      from ledger_account a join ledger_balance b on b.account_id = a.id where b.posting_count > 0`.execute(owner)
    expect(rows.filter((row) => row.balance < 0 && !row.may_be_negative)).toEqual([])
    expect(new Map(rows.map((row) => [row.name, row.balance]))).toEqual(expected)
    expect(verdictLine(await verifyLedger(db))).toMatch(/sound$/)
  }
  for (const one of everyRecipe) await run([one])
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 120 }), run),
    // Each run goes on from the books of the one before, so there is nothing to shrink to.
    { seed: SEED, numRuns: 40, endOnFailure: true },
  )
  const { rows } = await sql<{ kind: string }>`select distinct kind from ledger_entry`.execute(owner)
  expect(rows.map(({ kind }) => kind).toSorted(), 'every operation there is').toEqual(
    Object.keys(entryKinds).toSorted(),
  )
})

it('was never below zero at any point of the chain, where it may not be', async () => {
  const { rows } = await sql<{ account_id: number; entry_number: number }>`
    select account_id, entry_number from (
      select p.account_id, p.entry_number, sum(sum(p.amount_cents)) over (partition by p.account_id order by p.entry_number) as balance
      from ledger_posting p group by p.account_id, p.entry_number
    ) s join ledger_account a on a.id = s.account_id
    where s.balance < 0 and not a.may_be_negative`.execute(owner)
  expect(rows).toEqual([])
})

it('loses nothing that it acknowledged and leaves nothing half done when it is killed', async () => {
  for (const agentId of [1, 2]) {
    const recharges = Array.from({ length: 20 }, (_, n) =>
      recipes.recharge({
        agentId,
        riderId: n + 1,
        paymentId: 900_000 + n,
        channel: 'sandbox',
        cents: 1_000_000,
        at: clock.now(),
      }),
    )
    expect((await ledger.postMany(recharges)).filter(({ status }) => status === 'rejected')).toEqual([])
  }
  const script = fileURLToPath(import.meta.resolve('#test/postCharges.ts'))
  for (const round of [1, 2, 3]) {
    const child = spawn(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', script, String(round * 1_000_000)],
      {
        env: { ...process.env, DATABASE_URL: url },
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    )
    let said = ''
    child.stdout.setEncoding('utf8')
    const many = new Promise<void>((resolve) => {
      child.stdout.on('data', (chunk: string) => {
        said += chunk
        if (said.length > 40_000) resolve()
      })
      child.once('close', () => resolve())
    })
    const gone = new Promise((resolve) => child.once('close', resolve))
    await many
    child.kill('SIGKILL')
    await gone
    const acknowledged = said.split('\n').slice(0, -1)
    expect(acknowledged.length).toBeGreaterThan(1_000)
    const found = await sql<{ reference: string }>`
      select reference from ledger_entry where reference = any (${acknowledged})`.execute(owner)
    expect(found.rows).toHaveLength(acknowledged.length)
    expect(verdictLine(await verifyLedger(db))).toMatch(/sound$/)
  }
})
