import { expect, it } from 'vitest'
import { withdrawalStates, type WithdrawalState } from '@saddle/contract/finance/withdrawals.ts'
import { dayMs, hourMs } from '@saddle/contract/time.ts'
import { createSeededRandom, type Random } from '#kit/random.ts'
import { testDatabase, type TestDatabase } from '#test/database.ts'
import { bankMoodSchema, type BankMood } from '../bank/sandbox/mood.ts'
import { verifyLedger } from '../ledger/verify.ts'
import { withdrawalsThatDisagree } from './verify.ts'
import { bankWorld } from './withdrawals.fixture.ts'
import { thorough } from '../../../../../scripts/lib/thorough.mjs'

/**
 * Withdrawals against the bank's whole behaviour, by sequences of random steps: requests and answers that get lost, notices
 * that come late, twice, out of order or never, payments that fail after they were told as paid, that come back, that are
 * paid after they were told as failed, a platform that ends between its commit and the bank. After each sequence bank and
 * ledger are held against each other. SEQUENCES says how many, such as 10000 by hand.
 * Lanes with a database, a clock and a bank each run at the same time: while one waits for its database, another computes.
 */
const sequences = Number(process.env['SEQUENCES'] ?? thorough({ normal: 60, long: 300, full: 1_000 }))
const seed = Number(process.env['SEED'] ?? 20_261_123)
const lanes = 3
/** Every so many sequences the days after the end go by hour by hour; in the others the bank is asked once after them. */
const slowEvery = 20

const databases = await Promise.all(Array.from({ length: lanes }, testDatabase))

type Fractions = Random & { fraction(): number }
const below = (random: Fractions, bound: number): number => Math.floor(random.fraction() * bound)

function moodOf(random: Fractions): BankMood {
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

async function createLane({ db, owner }: Pick<TestDatabase, 'db' | 'owner'>) {
  const world = await bankWorld({ db, owner, isPlain: true })
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
  await world.addMoney(3, 2_000_000_000)

  /** Files one, enters the password and submits it. Requests of the way there are not lost: a person would try again. */
  const withdraw = async (cents: number): Promise<void> => {
    bank.setMood({ losesRequests: 0, losesAnswers: 0 })
    const { data } = await handlers.fileWithdrawal({ cardId, cents }, call)
    const { data: link } = await handlers.authoriseWithdrawal({ id: data.id }, call)
    await world.enterPassword(link.redirectUrl, account)
    await expect(handlers.confirmWithdrawal({ id: data.id }, second)).rejects.toThrow()
  }

  const filed = (state: WithdrawalState): Promise<{ id: number } | undefined> =>
    owner.selectFrom('withdrawal').select('id').where('state', '=', state).orderBy('id').limit(1).executeTakeFirst()

  const step = async (random: Fractions, mood: BankMood): Promise<void> => {
    bank.setMood(mood)
    switch (below(random, 7)) {
      case 0:
        await withdraw(100 + below(random, 9_000))
        break
      case 1: {
        bank.setMood({ losesRequests: 0, losesAnswers: 0 })
        const first = await filed('authorising')
        if (first === undefined) break
        // The answers about the payment itself may be lost.
        const auth = handlers.sendWithdrawal({ id: first.id }, call)
        bank.setMood(mood)
        await auth.catch(() => {})
        break
      }
      case 2: {
        const waiting = await filed('waiting')
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

  /** Whether the bank is still to be asked for something. */
  const isOpen = async (states: 'any' | 'open'): Promise<boolean> => {
    const open = owner.selectFrom('withdrawal').select('id').limit(1)
    const found = await (
      states === 'open'
        ? open.where('state', 'in', ['authorising', 'waiting', 'queued', 'sent', 'unknown'])
        : open.where('next_at', 'is not', null)
    ).executeTakeFirst()
    return found !== undefined
  }

  /** The bank behaves, and time goes by until nothing is open. */
  const settle = async (isSlow: boolean): Promise<void> => {
    bank.setMood(bankMoodSchema.parse({ copies: 1 }))
    for (let round = 0; round < 60; round += 1) {
      await deliver()
      await withdrawals.work()
      const hasOpen = await isOpen('open')
      if (!hasOpen && !(await isOpen('any'))) return
      // Whoever came back or was paid is watched for days.
      clock.advance(hasOpen || round < 3 || (isSlow && round < 20) ? hourMs : isSlow ? dayMs : 8 * dayMs)
    }
    throw new Error('withdrawals are still open')
  }

  const seen = new Set<string>()
  let known = 0
  let paidOut = 0
  const run = async (ofSequence: number): Promise<void> => {
    const random = createSeededRandom(ofSequence)
    const mood = moodOf(random)
    const steps = 4 + below(random, 14)
    for (let at = 0; at < steps; at += 1) await step(random, mood)
    await settle(ofSequence % slowEvery === 0)

    const rows = await owner.selectFrom('withdrawal').selectAll().where('id', '>', known).orderBy('id').execute()
    known = rows.at(-1)?.id ?? known
    for (const row of rows) {
      seen.add(row.state)
      const payout = bank.payout(row.number)
      const isOut = payout?.isOut ?? false
      expect({ seed: ofSequence, id: row.id, state: row.state, isOut }).toMatchObject({
        isOut: row.state === 'paid' || row.state === 'conflict',
      })
      if (!isOut) continue
      expect(payout?.cents).toBe(row.cents - row.fee_cents)
      paidOut += row.cents - row.fee_cents
    }
    // Money is where the bank says it is, and nowhere else.
    const accounts = [
      { kind: 'agent_withdrawing' },
      { kind: 'clearing_bank' },
      { kind: 'agent_available' },
      { kind: 'adjustment' },
      { kind: 'platform_fee' },
    ] as const
    const balances = await ledger.balancesOf({ agentId: 3, accounts })
    expect({ seed: ofSequence, held: balances.slice(0, 2) }).toEqual({ seed: ofSequence, held: [0, paidOut] })
    expect(balances.reduce((sum, cents) => sum + cents, 0)).toBe(0)
  }

  /** What all sequences together must have left behind. */
  const prove = async (): Promise<void> => {
    const payouts = bank.payouts()
    expect(new Set(payouts.map(({ number }) => number)).size).toBe(payouts.length)
    expect(payouts.reduce((sum, { cents, isOut }) => sum + (isOut ? cents : 0), 0)).toBe(paidOut)
    expect(await withdrawalsThatDisagree(db)).toEqual([])
    expect((await verifyLedger(db)).faults).toEqual([])
  }
  return { run, prove, seen }
}

it(`pays each withdrawal once or gives it back, over ${sequences} sequences of a badly behaved bank`, async () => {
  const worlds = await Promise.all(databases.map(createLane))
  await Promise.all(
    worlds.map(async ({ run }, lane) => {
      for (let nth = lane; nth < sequences; nth += lanes) await run(seed + nth)
    }),
  )
  for (const { prove } of worlds) await prove()
  const seen = new Set(worlds.flatMap((world) => Array.from(world.seen)))
  // Which ends a few sequences see depends on the order in which two servers come: many see all.
  if (sequences >= 1_000) {
    for (const state of ['paid', 'returned', 'reversed', 'conflict', 'cancelled', 'expired'])
      expect(seen).toContain(state)
  }
  expect([...seen].every((state) => (withdrawalStates as readonly string[]).includes(state))).toBe(true)
}, 7_200_000)
