import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { withdrawalStates } from '@saddle/contract/finance/withdrawals.ts'
import { dayMs, hourMs } from '@saddle/contract/time.ts'
import { createSeededRandom, type Random } from '#kit/random.ts'
import { testDatabase } from '#test/database.ts'
import { bankMoodSchema, type BankMood } from '../bank/sandbox/mood.ts'
import { verifyLedger } from '../ledger/verify.ts'
import { bankWorld } from './withdrawals.fixture.ts'

/**
 * Withdrawals against the bank's whole behaviour, by sequences of random steps: requests and answers that get lost, notices
 * that come late, twice, out of order or never, payments that fail after they were told as paid, that come back, that are
 * paid after they were told as failed, a platform that ends between its commit and the bank. After each sequence bank and
 * ledger are held against each other. SADDLE_LONG runs 1,000 sequences; SEQUENCES says another number, such as 10000 by hand.
 */
const sequences = Number(process.env['SEQUENCES'] ?? (process.env['SADDLE_LONG'] === undefined ? 60 : 1_000))
const seed = Number(process.env['SEED'] ?? 20_261_123)

const { db, owner } = await testDatabase()
const world = await bankWorld({ db, owner })
const { clock, ledger, bank, handlers, withdrawals, deliver } = world
const { cardId, account } = await world.openAccount(3)
clock.advance(2 * dayMs)
const call = world.person(30, 3)
const second = world.person(31, 3)
const terms = { isAllowed: true, minCents: 100, dailyCents: 1_000_000_000, feeCents: 7, secondCents: 5_000 }
await owner
  .insertInto('withdrawal_terms')
  .values({
    agent_id: 3,
    version: 1,
    terms: JSON.stringify(terms),
    reason: '测试',
    made_at: new Date(0),
    made_by: '平台',
  })
  .execute()

const below = (random: Random & { fraction(): number }, bound: number): number => Math.floor(random.fraction() * bound)

function moodOf(random: Random & { fraction(): number }): BankMood {
  const some = (most: number): number => (below(random, 3) === 0 ? below(random, most) : 0)
  return bankMoodSchema.parse({
    processingMs: 1 + below(random, 3) * 20_000,
    copies: below(random, 4),
    losesRequests: some(60),
    losesAnswers: some(60),
    losesNotices: some(90),
    delaysNotices: some(90),
    answersOld: some(80),
    fails: some(60),
    lies: some(60),
    reverses: some(60),
    contradicts: some(40),
  })
}

/** Files one, enters the password and submits it. Requests of the way there are not lost: a person would try again. */
async function withdraw(cents: number): Promise<void> {
  bank.setMood({ losesRequests: 0, losesAnswers: 0 })
  const { data } = await handlers.fileWithdrawal({ cardId, cents }, call)
  const { data: link } = await handlers.authoriseWithdrawal({ id: data.id }, call)
  await world.enterPassword(link.redirectUrl, account)
  await expect(handlers.confirmWithdrawal({ id: data.id }, second)).rejects.toThrow()
}

const filed = (): Promise<{ id: number; agent_id: number; number: string; state: string }[]> =>
  owner
    .selectFrom('withdrawal')
    .select(['id', 'agent_id', 'number', 'state'])
    .where('state', 'in', ['authorising', 'waiting'])
    .execute()

async function step(random: Random & { fraction(): number }, mood: BankMood): Promise<void> {
  bank.setMood(mood)
  switch (below(random, 7)) {
    case 0:
      await withdraw(100 + below(random, 9_000))
      break
    case 1: {
      bank.setMood({ losesRequests: 0, losesAnswers: 0 })
      const [first] = await filed()
      if (first?.state !== 'authorising') break
      // The answers about the payment itself may be lost.
      const auth = handlers.sendWithdrawal({ id: first.id }, call)
      bank.setMood(mood)
      await auth.catch(() => {})
      break
    }
    case 2: {
      const waiting = (await filed()).find(({ state }) => state === 'waiting')
      if (waiting === undefined) break
      await (below(random, 3) === 0
        ? handlers.cancelWithdrawal({ id: waiting.id, note: '' }, second)
        : handlers.confirmWithdrawal({ id: waiting.id }, second))
      break
    }
    case 3:
      await deliver()
      break
    case 4:
      await withdrawals.work()
      break
    case 5:
      clock.advance(below(random, 3) === 0 ? hourMs : 30_000)
      break
    case 6: {
      // Two servers do the same at the same moment.
      await Promise.all([withdrawals.work(), withdrawals.work(), deliver()])
      break
    }
  }
}

/** The bank behaves, and time goes by until nothing is open. */
async function settle(): Promise<void> {
  bank.setMood(bankMoodSchema.parse({ copies: 1 }))
  for (let round = 0; round < 40; round += 1) {
    await deliver()
    await withdrawals.work()
    clock.advance(round < 20 ? hourMs : dayMs)
    const [open] = await owner
      .selectFrom('withdrawal')
      .select('id')
      .where((e) =>
        e.or([
          e('state', 'not in', ['paid', 'returned', 'reversed', 'cancelled', 'expired', 'conflict']),
          e('next_at', 'is not', null),
        ]),
      )
      .limit(1)
      .execute()
    if (open === undefined) return
  }
  throw new Error('withdrawals are still open')
}

async function balance(
  kind: 'agent_available' | 'agent_withdrawing' | 'clearing_bank' | 'adjustment' | 'platform_fee',
) {
  return ledger.balanceOf({ agentId: 3, account: { kind } })
}

it(`pays each withdrawal once or gives it back, over ${sequences} sequences of a badly behaved bank`, async () => {
  const start = 2_000_000_000
  await world.addMoney(3, start)
  const seen = new Set<string>()
  let known = 0
  for (let nth = 0; nth < sequences; nth += 1) {
    const random = createSeededRandom(seed + nth)
    const mood = moodOf(random)
    const steps = 4 + below(random, 14)
    for (let at = 0; at < steps; at += 1) await step(random, mood)
    await settle()

    const rows = await owner.selectFrom('withdrawal').selectAll().where('id', '>', known).orderBy('id').execute()
    known = rows.at(-1)?.id ?? known
    for (const { state } of rows) seen.add(state)
    const payouts = bank.payouts()
    const outByNumber = new Map(payouts.map((payout) => [payout.number, payout]))
    expect(outByNumber.size).toBe(payouts.length)
    for (const row of rows) {
      const payout = outByNumber.get(row.number)
      const isOut = payout?.isOut ?? false
      expect({ seed: seed + nth, id: row.id, state: row.state, isOut }).toMatchObject({
        isOut: row.state === 'paid' || row.state === 'conflict',
      })
      if (isOut) expect(payout?.cents).toBe(row.cents - row.fee_cents)
    }
    // Money is where the bank says it is, and nowhere else.
    const paidOut = payouts.reduce((sum, { cents, isOut }) => sum + (isOut ? cents : 0), 0)
    const [available, withdrawing, clearing, adjusted, fees] = await Promise.all([
      balance('agent_available'),
      balance('agent_withdrawing'),
      balance('clearing_bank'),
      balance('adjustment'),
      balance('platform_fee'),
    ])
    expect({ seed: seed + nth, withdrawing, clearing }).toEqual({ seed: seed + nth, withdrawing: 0, clearing: paidOut })
    expect(available + withdrawing + clearing + fees + adjusted).toBe(0)
  }
  // Which ends a few sequences see depends on the order in which two servers come: many see all.
  if (sequences >= 1_000) {
    for (const state of ['paid', 'returned', 'reversed', 'conflict', 'cancelled', 'expired'])
      expect(seen).toContain(state)
  }
  expect([...seen].every((state) => (withdrawalStates as readonly string[]).includes(state))).toBe(true)
  const orders = await sql<{ n: number }>`
    select count(*)::integer as n from ledger_entry where kind = 'withdrawal_request' group by reference having count(*) > 1`.execute(
    owner,
  )
  expect(orders.rows).toEqual([])
  expect((await verifyLedger(db)).faults).toEqual([])
}, 7_200_000)
