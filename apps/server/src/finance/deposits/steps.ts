import { AppError } from '@saddle/contract/errors.ts'
import type { Tx } from '#kit/db/pool.ts'
import type { Scope } from '#kit/db/scope.ts'
import { depositFreeze, depositRecovery, depositUnfreeze } from '../ledger/recipes.ts'
import type { MoneyDeps } from '../deps.ts'

import { decideCase, insertCase, lockCase, lockDeposit, moveDeposit, type CaseRow, type DepositRow } from './store.ts'

/**
 * Each of these is part of a transaction of the system; `note` writes its line of the log, before the ledger's entry,
 * which comes last because others wait for the book.
 */

/** Refuses, for who is riding or owes money, that a deposit is taken back. */
export type TakeBackGuard = (tx: Tx, riderId: number) => Promise<void>

type Actor = { readonly operatorId: number | null; readonly operatorName: string; readonly at: Date }
type Note = (deposit: DepositRow, after: Readonly<Record<string, string | number>>) => Promise<void>
export type Step = { readonly scope: Scope; readonly by: Actor; readonly note: Note }

export const freeOf = (row: DepositRow): number =>
  row.cents - row.frozen_cents - row.recovered_cents - row.refunded_cents

export async function freeze(
  { ledger }: Pick<MoneyDeps, 'ledger'>,
  tx: Tx,
  step: Step & { readonly depositId: number; readonly cents: number; readonly reason: string },
): Promise<number> {
  const { scope, by, note, depositId, cents, reason } = step
  const deposit = await lockDeposit(tx, { scope, id: depositId })
  if (cents > freeOf(deposit)) throw new AppError('deposit_insufficient')
  const caseId = await insertCase(tx, { deposit, cents, reason, ...by })
  await moveDeposit(tx, deposit.id, { frozen: cents })
  await note(deposit, { depositId, caseId, cents, reason })
  await ledger.post(depositFreeze({ ...ownOf(deposit), caseId, cents, at: by.at.getTime() }), tx)
  return deposit.id
}

export async function unfreeze(
  { ledger }: Pick<MoneyDeps, 'ledger'>,
  tx: Tx,
  step: Step & { readonly caseId: number; readonly reason: string },
): Promise<number> {
  const { scope, by, note, caseId, reason } = step
  const { found, deposit } = await lockCase(tx, { scope, id: caseId })
  await decideCase(tx, { id: caseId, recoveredCents: 0, decision: reason, ...by })
  await moveDeposit(tx, deposit.id, { frozen: -found.cents })
  await note(deposit, { depositId: deposit.id, caseId, cents: found.cents, reason })
  await ledger.post(releaseEntry(deposit, found, found.cents, by.at), tx)
  return deposit.id
}

export async function recover(
  { ledger }: Pick<MoneyDeps, 'ledger'>,
  tx: Tx,
  step: Step & { readonly caseId: number; readonly cents: number; readonly reason: string },
): Promise<number> {
  const { scope, by, note, caseId, cents, reason } = step
  const { found, deposit } = await lockCase(tx, { scope, id: caseId })
  if (cents > found.cents) throw new AppError('deposit_insufficient')
  await decideCase(tx, { id: caseId, recoveredCents: cents, decision: reason, ...by })
  await moveDeposit(tx, deposit.id, { frozen: -found.cents, recovered: cents })
  await note(deposit, { depositId: deposit.id, caseId, cents, reason })
  const rest = found.cents - cents
  await ledger.post(depositRecovery({ ...ownOf(deposit), caseId, cents, reason, at: by.at.getTime() }), tx)
  if (rest > 0) await ledger.post(releaseEntry(deposit, found, rest, by.at), tx)
  return deposit.id
}

/** Refunds what is not frozen of one deposit, or of all deposits of a rider; resolves to the cents. */
export async function giveBack(
  { payments }: Pick<MoneyDeps, 'payments'>,
  tx: Tx,
  deposits: readonly DepositRow[],
  reason: string,
): Promise<number> {
  let total = 0
  for (const deposit of deposits) {
    const cents = freeOf(deposit)
    if (cents === 0) continue
    total += cents
    await moveDeposit(tx, deposit.id, { refunded: cents })
    await payments.refundIn(tx, { agentId: deposit.agent_id, paymentId: deposit.id, cents, reason })
  }
  return total
}

function ownOf(row: DepositRow) {
  return { agentId: row.agent_id, riderId: row.rider_id, depositId: row.id }
}

const releaseEntry = (deposit: DepositRow, { id: caseId }: CaseRow, cents: number, at: Date) =>
  depositUnfreeze({ ...ownOf(deposit), caseId, cents, at: at.getTime() })
