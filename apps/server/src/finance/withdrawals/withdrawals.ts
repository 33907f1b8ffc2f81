import { sql } from 'kysely'
import { AppError } from '@saddle/contract/errors.ts'
import type { WithdrawalState } from '@saddle/contract/finance/withdrawals.ts'
import { platformNotes } from '@saddle/contract/finance/platformNotes.ts'
import type { Audit } from '#audit/public.ts'
import type { Tx } from '#kit/db/pool.ts'
import { rowOf } from '#kit/db/rows.ts'
import type { Kit } from '#kit/kit.ts'
import { tell } from '#notices/public.ts'
import { BankRefusal, type Bank, type PayoutReport } from '../bank/provider.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { withdrawalPaid, withdrawalReturned } from '../ledger/recipes.ts'
import {
  withdrawalPaidAfterReturn,
  withdrawalPaidAfterReturnReversed,
  withdrawalReversed,
} from '../ledger/withdrawalRecipes.ts'
import type { Entry } from '../ledger/rules.ts'
import { moveOf, nextAskAt } from './rules.ts'
import {
  changeWithdrawal,
  giveBackToDay,
  lockByNumber,
  lockWithdrawal,
  selectDue,
  selectExpired,
  type Due,
  type WithdrawalRow,
} from './store.ts'

export type Withdrawals = {
  /** Takes the bank's report about a payment; false: there is none of that number. */
  take(report: PayoutReport): Promise<boolean>
  /** Sends one that is queued. What the bank does not answer stays unknown and is asked for. */
  send(due: Due): Promise<void>
  /** Asks the bank what became of one; sends it again, under the same number, if the bank has never had it. */
  ask(due: Due): Promise<void>
  /** Sends what is queued, asks for what is open, expires what nobody confirmed; resolves to the number of all. */
  work(): Promise<number>
}

export type WithdrawalDeps = {
  readonly kit: Pick<Kit, 'db' | 'clock' | 'log'>
  readonly audit: Pick<Audit, 'write'>
  readonly ledger: Ledger
  /** Null: no bank is configured. */
  readonly bank: Bank | null
}

/** Moves withdrawals between the ledger and the bank. Safe on several servers, and at any moment killed. */
export function createWithdrawals(deps: WithdrawalDeps): Withdrawals {
  const { kit, bank } = deps
  const { db, clock, log } = kit

  const take: Withdrawals['take'] = (report) =>
    db.system(async (tx) => {
      const row = await lockByNumber(tx, report.number)
      if (row === undefined) return false
      await applyReport(tx, deps, row, report)
      return true
    })

  const send: Withdrawals['send'] = async (due) => {
    if (bank === null) return
    const order = await markSent(deps, due)
    if (order === null) return
    try {
      await take(await bank.ask('payout', order))
    } catch (error) {
      if (error instanceof BankRefusal) await refuse(deps, due, error)
      // Nobody knows whether the bank has it: asked for later, never sent under another number.
      else log.warn({ err: error, withdrawalId: due.id }, 'the bank has not answered a withdrawal')
    }
  }

  const ask: Withdrawals['ask'] = async (due) => {
    if (bank === null) return
    // Counted first, so that a bank that is down is asked less and less often.
    await noteAsk(deps, due)
    try {
      const report = await bank.ask('payout.query', { number: due.number })
      if (report.state === 'none') await queueAgain(deps, due)
      else await take(report)
    } catch (error) {
      log.warn({ err: error, withdrawalId: due.id }, 'the bank has not said what became of a withdrawal')
    }
  }

  const each = async (rows: readonly Due[], work: (due: Due) => Promise<void>): Promise<number> => {
    for (const row of rows) await work(row)
    return rows.length
  }
  const due = (...states: WithdrawalState[]): Promise<Due[]> =>
    db.system((tx) => selectDue(tx, { states, now: new Date(clock.now()) }))

  return {
    take,
    send,
    ask,
    work: async () => {
      const asked = await each(await due('sent', 'unknown', 'paid', 'returned'), ask)
      const sent = await each(await due('queued'), send)
      const expired = await db.system((tx) => selectExpired(tx, new Date(clock.now())))
      return asked + sent + (await each(expired, (row) => expire(deps, row)))
    },
  }
}

const orderRow = rowOf('bank_card', 'c', ['token'])
const accountRow = rowOf('financial_account', 'f', ['bank_number'])

type Order = { readonly number: string; readonly account: string; readonly token: string; readonly cents: number }

/** Says `unknown` before the bank is asked: whoever is killed in between asks for the result. Null: somebody else sends it. */
async function markSent({ kit }: WithdrawalDeps, { id, agent_id: agentId }: Due): Promise<Order | null> {
  const now = kit.clock.now()
  return kit.db.system(async (tx) => {
    const row = await lockWithdrawal(tx, { id, scope: { agentIds: [agentId] } })
    if (row?.state !== 'queued') return null
    const [card] = (await orderRow.select`from bank_card c where c.id = ${row.card_id}`.execute(tx)).rows
    const [account] = (await accountRow.select`from financial_account f where f.agent_id = ${agentId}`.execute(tx)).rows
    if (!card?.token || !account?.bank_number)
      throw new Error(`withdrawal ${id} has no account to go from or card to go to`)
    const next = nextAskAt({ state: 'unknown', asks: row.asks, nowMs: now, endedAtMs: null })
    await changeWithdrawal(tx, row, {
      state: 'unknown',
      at: new Date(now),
      by: null,
      note: row.sends === 0 ? platformNotes.sent : platformNotes.sentAgain,
      nextAt: next === null ? null : new Date(next),
      values: { sends: row.sends + 1, ...(row.sends === 0 && { sent_at: new Date(now) }) },
    })
    return { number: row.number, account: account.bank_number, token: card.token, cents: row.cents - row.fee_cents }
  })
}

async function noteAsk({ kit }: WithdrawalDeps, { id }: Due): Promise<void> {
  const now = kit.clock.now()
  await kit.db.system(async (tx) => {
    const row = await tx.selectFrom('withdrawal').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
    if (row === undefined) return
    const ended = row.ended_at?.getTime() ?? null
    const state = row.state as WithdrawalState
    const next = nextAskAt({ state, asks: row.asks, nowMs: now, endedAtMs: ended })
    await tx
      .updateTable('withdrawal')
      .set({ asks: sql`asks + 1`, next_at: next === null ? null : new Date(next) })
      .where('id', '=', id)
      .execute()
  })
}

/** The bank has never had it: sent again, under the same number. */
async function queueAgain({ kit }: WithdrawalDeps, { id, agent_id: agentId }: Due): Promise<void> {
  const at = new Date(kit.clock.now())
  await kit.db.system(async (tx) => {
    const row = await lockWithdrawal(tx, { id, scope: { agentIds: [agentId] } })
    // A bank that has told of it before only answers from an old copy.
    if (row?.state !== 'unknown' || row.bank_at > 0) return
    await changeWithdrawal(tx, row, { state: 'queued', at, by: null, note: platformNotes.notReceived, nextAt: at })
  })
}

/** The bank does not do it, and never will under this number: the money is available again. */
async function refuse(deps: WithdrawalDeps, { id, agent_id: agentId }: Due, refusal: BankRefusal): Promise<void> {
  const { kit, ledger } = deps
  const at = new Date(kit.clock.now())
  await kit.db.system(async (tx) => {
    const row = await lockWithdrawal(tx, { id, scope: { agentIds: [agentId] } })
    if (row?.state !== 'unknown' || row.bank_at > 0) return
    const reason = refusal.message.slice(0, 200)
    await changeWithdrawal(tx, row, {
      state: 'returned',
      at,
      by: null,
      note: reason,
      nextAt: new Date(nextAskAt({ state: 'returned', asks: 0, nowMs: at.getTime(), endedAtMs: at.getTime() }) ?? 0),
      values: { ended_at: at, reason, asks: 0 },
    })
    await giveBackToDay(tx, row)
    await noteInAudit(tx, deps, row, 'returned')
    await ledger.post(withdrawalReturned({ ...movementOf(row, at.getTime()), reason }), tx)
  })
}

async function expire({ kit, ledger }: WithdrawalDeps, { id, agent_id: agentId }: Due): Promise<void> {
  const at = new Date(kit.clock.now())
  await kit.db.system(async (tx) => {
    const row = await lockWithdrawal(tx, { id, scope: { agentIds: [agentId] } })
    if (row === undefined || row.expires_at > at) return
    if (row.state !== 'authorising' && row.state !== 'waiting') return
    const note = row.state === 'waiting' ? platformNotes.nobodyConfirmed : platformNotes.noPassword
    await changeWithdrawal(tx, row, { state: 'expired', at, by: null, note, nextAt: null, values: { ended_at: at } })
    if (row.state !== 'waiting') return
    await giveBackToDay(tx, row)
    await ledger.post(withdrawalReturned({ ...movementOf(row, at.getTime()), reason: note }), tx)
  })
}

export const movementOf = ({ id, agent_id, cents }: WithdrawalRow, at: number) => ({
  agentId: agent_id,
  withdrawalId: id,
  cents,
  at,
})

function entryOf(row: WithdrawalRow, books: string, report: PayoutReport, now: number): Entry {
  const feeCents = row.fee_cents
  const movement = movementOf(row, now)
  const after = { ...movement, feeCents, bankAt: report.at, reason: report.reason }
  if (books === 'paid') return withdrawalPaid({ ...movement, feeCents })
  if (books === 'returned') return withdrawalReturned({ ...movement, reason: report.reason })
  if (books === 'reversed') return withdrawalReversed(after)
  return books === 'paidAfterReturn' ? withdrawalPaidAfterReturn(after) : withdrawalPaidAfterReturnReversed(after)
}

async function applyReport(tx: Tx, deps: WithdrawalDeps, row: WithdrawalRow, report: PayoutReport): Promise<void> {
  const { kit, ledger } = deps
  const move = moveOf(row.state, { bankAt: row.bank_at, report })
  if (move === null) return
  const now = kit.clock.now()
  const at = new Date(now)
  const { to, books } = move
  const isEnd = to !== 'sent'
  const next = nextAskAt({ state: to, asks: isEnd ? 0 : row.asks, nowMs: now, endedAtMs: now })
  await changeWithdrawal(tx, row, {
    state: to,
    at,
    by: null,
    note: report.reason,
    nextAt: next === null ? null : new Date(next),
    values: {
      bank_at: report.at,
      bank_number: report.bankNumber,
      reason: report.reason,
      ...(isEnd && { ended_at: at, asks: 0 }),
      ...(to === 'paid' && { paid_at: new Date(report.at) }),
    },
  })
  if (books === null) return
  if (books === 'returned' || books === 'reversed') await giveBackToDay(tx, row)
  if (isEndOfBank(to)) {
    await tellEnd(tx, row, { end: to, at })
    await noteInAudit(tx, deps, row, to)
  }
  await ledger.post(entryOf(row, books, report, now), tx)
}

/** Ends that the bank decides. */
const endsOfBank = ['paid', 'returned', 'reversed', 'conflict'] as const
type EndOfBank = (typeof endsOfBank)[number]

const isEndOfBank = (state: WithdrawalState): state is EndOfBank => endsOfBank.some((end) => end === state)

/** The same withdrawal may be paid, and returned by the bank days later: each end is told of. */
async function tellEnd(tx: Tx, row: WithdrawalRow, { end, at }: { readonly end: EndOfBank; readonly at: Date }) {
  await tell(tx, {
    event: end === 'paid' ? 'withdrawal_paid' : 'withdrawal_failed',
    agentId: row.agent_id,
    subject: `withdrawal ${row.id}`,
    key: `withdrawal ${row.id} ${end}`,
    values: { cents: row.cents, number: String(row.id) },
    path: '/financial/CostCenter/withdraw',
    at,
  })
}

async function noteInAudit(tx: Tx, { audit }: WithdrawalDeps, row: WithdrawalRow, end: EndOfBank): Promise<void> {
  await audit.write(tx, {
    agentId: row.agent_id,
    operatorId: null,
    action: `withdrawal.${end}`,
    subjectKind: 'withdrawal',
    subjectId: row.id,
    after: { cents: row.cents },
  })
}

/** Throws withdrawal_state. */
export function expectState(row: WithdrawalRow | undefined, ...states: readonly WithdrawalState[]): WithdrawalRow {
  if (row === undefined) throw new AppError('not_found')
  if (!states.includes(row.state)) throw new AppError('withdrawal_state')
  return row
}
