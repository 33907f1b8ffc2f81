import { objectionDecisionDays, type SplitReason } from '@saddle/contract/finance/objections.ts'
import { AppError } from '@saddle/contract/errors.ts'
import { dayMs } from '@saddle/contract/time.ts'
import type { Tx } from '#kit/db/pool.ts'
import type { Scope } from '#kit/db/scope.ts'
import { billCorrection, splitHold, splitRelease } from '../ledger/recipes.ts'
import { lockCursor } from '../splits/store.ts'
import type { ObjectionDeps, Person } from './deps.ts'
import { holdOfIncome, isObjectionLate, spread } from './rules.ts'
import { insertEvent, type WholeObjection } from './store.ts'
import {
  acceptEntries,
  disputableEntries,
  entriesHeld,
  insertSplitObjection,
  splitBillOf,
  undisputedInTransit,
  type DisputedEntry,
} from './splitStore.ts'

type Deps = Pick<ObjectionDeps, 'kit' | 'ledger'>

export interface NewSplitObjection {
  readonly splitBillId: number
  readonly reason: SplitReason
  readonly text: string
  readonly lines: readonly DisputedEntry[]
}

/**
 * Holds what a company disputes of a closed day's income: what is in transit stays there, the rest is held of what is
 * available. Money moves last.
 */
export async function submitSplitObjection(
  { kit, ledger }: Deps,
  tx: Tx,
  made: NewSplitObjection & {
    readonly scope: Pick<Scope, 'agentIds' | 'areaIds'>
    readonly by: Person
    /** Keeps the evidence of the company whose income it is; its ids. */
    readonly keep: (agentId: number) => Promise<readonly string[]>
  },
): Promise<{ readonly id: number; readonly agentId: number; readonly post: () => Promise<void> }> {
  const nowMs = kit.clock.now()
  const bill = await splitBillOf(tx, { id: made.splitBillId, scope: made.scope })
  if (bill === undefined) throw new AppError('not_found')
  if (isObjectionLate({ issuedAt: bill.closed_at.getTime(), nowMs })) throw new AppError('objection_late')
  const { agent_id: agentId, day } = bill
  // Settlements and other objections of the company wait here.
  await lockCursor(tx, agentId, day)
  if ((await disputableEntries(tx, bill, made.lines)) !== made.lines.length) throw new AppError('objection_above_line')
  const [available = 0] = await ledger.balancesOf({ agentId, accounts: [{ kind: 'agent_available' }] }, tx)
  const { transitCents, heldCents } = holdOfIncome({
    disputedCents: made.lines.reduce((sum, { cents }) => sum + cents, 0),
    inTransitCents: await undisputedInTransit(tx, { agentId, day }),
    availableCents: available,
  })
  const at = new Date(nowMs)
  const by = { by: made.by.name, byId: made.by.id }
  const id = await insertSplitObjection(tx, {
    ...made,
    ...by,
    agentId,
    transitCents,
    heldCents,
    photoIds: await made.keep(agentId),
    at,
    deadlineAt: new Date(nowMs + objectionDecisionDays * dayMs),
  })
  await insertEvent(tx, { ...by, id, agentId, act: 'submit', at, note: '' })
  const post = async (): Promise<void> => {
    if (heldCents > 0) await ledger.post(splitHold({ agentId, at: nowMs, cents: heldCents, objectionId: id }), tx)
  }
  return { id, agentId, post }
}

/** Whoever settles the company's income or decides about it waits until the end of the transaction. */
export async function lockIncome(tx: Tx, { agent_id: agentId, period }: WholeObjection): Promise<void> {
  await lockCursor(tx, agentId, period)
}

const memoMax = 100

/** Ends what an objection to income holds. What is accepted is booked as income of the open day, which names the bill. */
export async function releaseIncome(
  { kit, ledger }: Deps,
  tx: Tx,
  row: WholeObjection,
  { acceptedCents, note }: { readonly acceptedCents: number; readonly note: string },
): Promise<{ readonly post: () => Promise<void> }> {
  const { id, agent_id: agentId, bill_id: billId, held_paid_cents: heldCents } = row
  const held = (await entriesHeld(tx, id)).map(({ entryNumber, cents }) => ({ lineId: entryNumber, cents }))
  const accepted = spread(acceptedCents, held).map((line) => ({ entryNumber: line.lineId, cents: line.acceptedCents }))
  await acceptEntries(
    tx,
    id,
    accepted.filter(({ cents }) => cents > 0),
  )
  const at = kit.clock.now()
  return {
    post: async () => {
      if (heldCents > 0) await ledger.post(splitRelease({ agentId, at, cents: heldCents, objectionId: id }), tx)
      if (acceptedCents === 0) return
      const reason = note.slice(0, memoMax)
      await ledger.post(
        billCorrection({ agentId, at, billId, key: `objection:${id}`, cents: acceptedCents, reason }),
        tx,
      )
    },
  }
}
