import type { AccountKind } from '@saddle/contract/finance/ledger.ts'
import { paymentChannels, purposes } from '@saddle/contract/finance/payments.ts'
import type {
  ChannelRefund,
  ListedRefund,
  RefundFilter,
  RiderPayment,
  StatementLine,
  Wallet,
  WalletBook,
} from '@saddle/contract/finance/wallet.ts'
import { known } from '#kit/known.ts'
import type { Database, Tx } from '#kit/db/pool.ts'
import { scopeOfAgent, type Scope } from '#kit/db/scope.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { accountsOfBook, subjectOf } from './rules.ts'
import {
  selectPayments,
  selectRefunds,
  selectRefundsOf,
  selectStatement,
  type ListedRefundRow,
  type RefundDetail,
  type StatementRow,
} from './store.ts'
import { ridersOf, type MoneyParts, type RiderDirectory, type Who } from './who.ts'

const shown: readonly AccountKind[] = [
  'rider_balance',
  'rider_gift',
  'rider_deposit',
  'rider_deposit_frozen',
  'card_unearned',
]

export async function readWallet(ledger: Ledger, who: Who, tx?: Tx): Promise<Wallet> {
  const accounts = shown.map((kind) => ({ kind, ownerId: who.riderId }))
  const [balanceCents = 0, giftCents = 0, depositCents = 0, frozenCents = 0, cardCents = 0] = await ledger.balancesOf(
    { agentId: who.agentId, accounts },
    tx,
  )
  return { riderId: who.riderId, balanceCents, giftCents, depositCents, frozenCents, cardCents }
}

/** A page and the number behind which the next one begins; null where there is none. */
export type Page<T> = { readonly list: T[]; readonly nextCursor: number | null }

type Asked = { readonly cursor?: number | undefined; readonly pageSize: number }

/** Cuts what was read with one row too many, which says whether there is another page. */
export function pageOf<R, T>(options: {
  rows: readonly R[]
  pageSize: number
  idOf: (row: R) => number
  present: (row: R) => T
}): Page<T> {
  const { rows, pageSize, idOf, present } = options
  const shownRows = rows.slice(0, pageSize)
  const last = rows.length > pageSize ? shownRows.at(-1) : undefined
  return { list: shownRows.map(present), nextCursor: last === undefined ? null : idOf(last) }
}

export async function readStatement(
  db: Database,
  who: Who,
  asked: Asked & { readonly book: WalletBook },
): Promise<Page<StatementLine>> {
  const { book, cursor, pageSize } = asked
  const query = selectStatement({ who, accounts: accountsOfBook[book], before: cursor, limit: pageSize + 1 })
  const rows = await db.read(scopeOfAgent(who.agentId), (k) => query.compile(k))
  return pageOf({ rows, pageSize, idOf: ({ number }) => number, present: lineOf })
}

function lineOf(row: StatementRow): StatementLine {
  return {
    number: row.number,
    kind: row.kind,
    at: row.occurred_at.getTime(),
    ...subjectOf(row.reference),
    memo: row.memo,
    parts: row.parts,
    cents: row.cents,
    afterCents: row.after_cents,
  }
}

export function refundOf(row: RefundDetail): ChannelRefund {
  return {
    id: row.id,
    cents: row.cents,
    reason: row.reason,
    state: row.state,
    fault: row.fault,
    attempts: row.attempts,
    createdAt: row.created_at.getTime(),
    doneAt: row.done_at?.getTime() ?? null,
    returnedAt: row.returned_at?.getTime() ?? null,
    returnedBy: row.returned_by,
  }
}

function listedRefundOf(row: ListedRefundRow, riders: Pick<RiderDirectory, 'maskedPhone'>): ListedRefund {
  const { phone_sealed, phone_hash } = row
  return {
    ...refundOf(row),
    agentId: row.agent_id,
    company: row.company,
    riderId: row.rider_id,
    riderPhone: phone_sealed === null || phone_hash === null ? null : riders.maskedPhone({ phone_sealed, phone_hash }),
    paymentId: row.payment_id,
    purpose: known(purposes, row.purpose),
    subjectId: row.subject_id,
    channel: known(paymentChannels, row.channel),
  }
}

/** Refunds of all riders of the scope, the latest first. */
export async function readRefunds(
  { kit, riders }: Pick<MoneyParts, 'kit' | 'riders'>,
  scope: Scope,
  { filter, cursor, pageSize }: Asked & { readonly filter: RefundFilter },
): Promise<Page<ListedRefund>> {
  const riderIds = await ridersOf(riders, scope, filter)
  const query = selectRefunds({ scope, filter, riderIds, before: cursor, limit: pageSize + 1 })
  const rows = await kit.db.read(scope, (k) => query.compile(k))
  return pageOf({ rows, pageSize, idOf: ({ id }) => id, present: (row) => listedRefundOf(row, riders) })
}

export async function readPayments(db: Database, who: Who, asked: Asked): Promise<Page<RiderPayment>> {
  const { cursor, pageSize } = asked
  const scope = scopeOfAgent(who.agentId)
  const query = selectPayments({ who, before: cursor, limit: pageSize + 1 })
  const rows = await db.read(scope, (k) => query.compile(k))
  const ofThem = selectRefundsOf({ agentId: who.agentId, paymentIds: rows.map(({ id }) => id) })
  const refunds = Map.groupBy(await db.read(scope, (k) => ofThem.compile(k)), (row) => row.payment_id)
  return pageOf({
    rows,
    pageSize,
    idOf: ({ id }) => id,
    present: (row) => {
      const own = refunds.get(row.id) ?? []
      return {
        id: row.id,
        purpose: known(purposes, row.purpose),
        became: row.became === null ? null : known(purposes, row.became),
        subjectId: row.subject_id,
        channel: known(paymentChannels, row.channel),
        number: row.number,
        cents: row.cents,
        giftCents: row.gift_cents,
        createdAt: row.created_at.getTime(),
        paidAt: row.paid_at?.getTime() ?? null,
        refundedCents: own.reduce((sum, { cents, state }) => sum + (state === 'returned' ? 0 : cents), 0),
        refunds: own.map(refundOf),
      }
    },
  })
}
