import type { AccountKind } from '@saddle/contract/finance/ledger.ts'
import type { RiderPayment, StatementLine, Wallet, WalletBook } from '@saddle/contract/finance/wallet.ts'
import type { Database, Tx } from '#kit/db/pool.ts'
import { scopeOfAgent } from '#kit/db/scope.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { MoneyDeps } from '../deps.ts'
import { refundOf, selectRefundsOf } from '../refunds/store.ts'
import { accountsOfBook, subjectOf } from './rules.ts'
import { paymentOf, selectPayments, selectStatement, type StatementRow } from './store.ts'
import type { Who } from './who.ts'

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
type Page<T> = { readonly list: T[]; readonly nextCursor: number | null }

type Asked = { readonly cursor?: number | undefined; readonly pageSize: number }

/** Cuts what was read with one row too many, which says whether there is another page. */
function pageOf<R, T>(options: {
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

export function lineOf(row: StatementRow): StatementLine {
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

export async function readPayments(
  { kit: { db }, recharges }: Pick<MoneyDeps, 'kit' | 'recharges'>,
  who: Who,
  asked: Asked,
): Promise<Page<RiderPayment>> {
  const { cursor, pageSize } = asked
  const scope = scopeOfAgent(who.agentId)
  const query = selectPayments({ who, before: cursor, limit: pageSize + 1 })
  const rows = await db.read(scope, (k) => query.compile(k))
  const given = await recharges.openGifts({ agentId: who.agentId, paymentIds: rows.map(({ id }) => id) })
  const ofThem = selectRefundsOf({ agentId: who.agentId, paymentIds: rows.map(({ id }) => id) })
  const refunds = Map.groupBy(await db.read(scope, (k) => ofThem.compile(k)), (row) => row.payment_id)
  return pageOf({
    rows,
    pageSize,
    idOf: ({ id }) => id,
    present: (row) => {
      const own = refunds.get(row.id) ?? []
      return {
        ...paymentOf(row),
        openGiftCents: row.open_gift_cents + (given.get(row.id) ?? 0),
        refundedCents: own.reduce((sum, { cents, state }) => sum + (state === 'returned' ? 0 : cents), 0),
        refunds: own.map(refundOf),
      }
    },
  })
}
