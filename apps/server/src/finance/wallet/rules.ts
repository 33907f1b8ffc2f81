import type { AccountKind } from '@saddle/contract/finance/ledger.ts'
import {
  statementSubjects,
  type ChargeAccount,
  type ChargeDirection,
  type StatementLine,
  type WalletBook,
} from '@saddle/contract/finance/wallet.ts'
import type { AccountName, Entry } from '../ledger/rules.ts'

/** The accounts whose postings a statement lists. */
export const accountsOfBook: Readonly<Record<WalletBook, readonly AccountKind[]>> = {
  wallet: ['rider_balance', 'rider_gift'],
  deposit: ['rider_deposit', 'rider_deposit_frozen'],
  card: ['card_unearned'],
}

/** What a reference such as `order:17` is about. */
export function subjectOf(reference: string): Pick<StatementLine, 'subject' | 'subjectId'> {
  const [word, id] = reference.split(':')
  const subject = statementSubjects.find((known) => known === word)
  const number = Number(id)
  return subject === undefined || !Number.isSafeInteger(number) || number < 1
    ? { subject: 'other', subjectId: null }
    : { subject, subjectId: number }
}

export const chargeReference = (chargeId: number): string => `platform-charge:${chargeId}`

/**
 * The entry of a charge by hand. What is taken from the balance is income; what is added to it, or to a gift, is at the
 * franchisee's expense.
 */
export function chargeEntry(charge: {
  readonly agentId: number
  readonly riderId: number
  readonly chargeId: number
  readonly account: ChargeAccount
  readonly direction: ChargeDirection
  readonly cents: number
  readonly reason: string
  readonly at: number
}): Entry {
  const { account, direction, riderId, cents, chargeId } = charge
  const own: AccountName = { kind: account === 'balance' ? 'rider_balance' : 'rider_gift', ownerId: riderId }
  const gift: AccountName = { kind: 'gift_expense' }
  const ofBalance: AccountName = direction === 'debit' ? { kind: 'agent_revenue' } : { kind: 'adjustment' }
  const other = account === 'gift' ? gift : ofBalance
  const change = direction === 'debit' ? -cents : cents
  return {
    agentId: charge.agentId,
    kind: 'platform_charge',
    reference: chargeReference(chargeId),
    occurredAt: charge.at,
    lines: [
      { account: own, amountCents: change },
      { account: other, amountCents: -change },
    ],
    memo: charge.reason,
  }
}
