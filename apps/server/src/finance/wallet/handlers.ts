import {
  riderPaymentFields,
  statementFields,
  statementList,
  type walletEndpoints,
} from '@saddle/contract/finance/wallet.ts'
import { AppError } from '@saddle/contract/errors.ts'
import type { Handlers } from '#kit/call.ts'
import type { Tx } from '#kit/db/pool.ts'
import { pagedFile } from '#kit/list/pagedFile.ts'
import { serveList } from '#kit/list/serveList.ts'
import type { Count } from '../secondPerson/secondPerson.ts'
import { lineOf, readPayments, readStatement, readWallet } from './read.ts'
import { accountsOfBook, chargeEntry, chargeReference } from './rules.ts'
import { chargeOf, insertCharge, selectChargeInScope, selectPaymentInScope, statementRows } from './store.ts'
import type { MoneyDeps } from '../deps.ts'
import { ofRider, riderInScope } from './who.ts'

/** A rider's wallet, its payments and refunds, and charges by hand. */
export function createWalletHandlers(parts: MoneyDeps): Handlers<typeof walletEndpoints> {
  return { ...createReading(parts), ...createCharging(parts), ...createRefunding(parts) }
}

type Reading = 'userWallet' | 'listStatement' | 'exportStatement' | 'riderPayments' | 'exportRiderPayments'

function createReading(parts: MoneyDeps): Pick<Handlers<typeof walletEndpoints>, Reading> {
  const { kit, ledger } = parts
  const { db } = kit
  const list = serveList(parts, statementList, {
    name: 'statement',
    prepare: async ({ riderId, book }, { scope }) => ({
      who: await riderInScope({ kit }, scope, riderId),
      accounts: accountsOfBook[book],
    }),
    rows: statementRows,
    present: lineOf,
    file: {
      action: 'wallet.export',
      fields: statementFields,
      present: (row) => {
        const line = lineOf(row)
        return { ...line, kind: line.kind === 'platform_charge' && line.cents > 0 ? 'platform_credit' : line.kind }
      },
    },
  })
  return {
    listStatement: list.page,
    exportStatement: list.file,

    userWallet: async ({ riderId, ...asked }, { scope }) => {
      const who = await riderInScope({ kit }, scope, riderId)
      const [wallet, page] = await Promise.all([readWallet(ledger, who), readStatement(db, who, asked)])
      return { suc: true, data: { wallet, ...page } }
    },

    riderPayments: async ({ riderId, ...asked }, { scope }) => {
      const who = await riderInScope({ kit }, scope, riderId)
      return { suc: true, data: await readPayments(parts, who, asked) }
    },
    exportRiderPayments: pagedFile<{ readonly riderId: number }, number>(parts, {
      name: 'payments',
      action: 'wallet.payments_export',
      fields: riderPaymentFields,
      detail: ({ riderId }) => ({ riderId }),
      page: async ({ riderId }, { scope }, { after, size }) => {
        const who = await riderInScope({ kit }, scope, riderId)
        const { list: rows, nextCursor } = await readPayments(parts, who, {
          cursor: after ?? undefined,
          pageSize: size,
        })
        return { rows, next: nextCursor }
      },
    }),
  }
}

type Charging = 'platformCharge' | 'undoPlatformCharge'

function createCharging({
  kit,
  audit,
  ledger,
  gifts,
  secondPerson,
}: MoneyDeps): Pick<Handlers<typeof walletEndpoints>, Charging> {
  const { db, clock } = kit
  return {
    platformCharge: async (input, call) => {
      const { riderId, account, direction, cents, reason } = input
      const who = await riderInScope({ kit }, call.scope, riderId)
      const at = new Date(clock.now())
      const { operatorId, name: operatorName } = call.caller
      const charging = async (tx: Tx, count: Count): Promise<number> => {
        await count(tx, { act: 'charge', ...who, areaId: null, cents, reason })
        const charge = { who, account, direction, cents, reason, operatorId, operatorName, at }
        const id = await insertCharge(tx, charge)
        const after = { chargeId: id, account, direction, cents, reason }
        await audit.act(tx, call, { ...ofRider(who), action: 'wallet.charge', after })
        if (account === 'gift') await gifts[direction](tx, { ...who, chargeId: id, cents, at: at.getTime() })
        await ledger.post(
          chargeEntry({ ...who, chargeId: id, account, direction, cents, reason, at: at.getTime() }),
          tx,
        )
        return id
      }
      const chargeId = await secondPerson.hold(call, input, (count) => db.system((tx) => charging(tx, count)))
      return { suc: true, data: { chargeId, wallet: await readWallet(ledger, who) } }
    },

    undoPlatformCharge: async ({ chargeId, reason }, call) => {
      const query = selectChargeInScope({ scope: call.scope, id: chargeId })
      const [charge] = await db.read(call.scope, (k) => query.compile(k))
      if (charge === undefined) throw new AppError('not_found')
      const who = { agentId: charge.agent_id, riderId: charge.rider_id }
      const [entry] = await ledger.entriesOf({ scope: call.scope, reference: chargeReference(chargeId) })
      if (entry === undefined) throw new AppError('entry_not_reversible')
      await db.system(async (tx) => {
        await audit.act(tx, call, { ...ofRider(who), action: 'wallet.charge_undo', after: { chargeId, reason } })
        const { agentId } = who
        if (charge.account === 'gift') await gifts.undo(tx, { ...who, ...chargeOf(charge), at: clock.now() })
        const posted = await ledger.reverse(
          { agentId, number: entry.number, memo: reason, occurredAt: clock.now() },
          tx,
        )
        // Another call did it first, so no second audit line is written.
        if (posted.isReplay) throw new AppError('entry_not_reversible')
      })
      return { suc: true, data: await readWallet(ledger, who) }
    },
  }
}

function createRefunding({
  kit,
  audit,
  payments,
  secondPerson,
}: MoneyDeps): Omit<Handlers<typeof walletEndpoints>, Reading | Charging> {
  const { db } = kit
  return {
    refundPayment: async (input, call) => {
      const { paymentId, cents, reason } = input
      const query = selectPaymentInScope({ scope: call.scope, id: paymentId })
      const [payment] = await db.read(call.scope, (k) => query.compile(k))
      if (payment === undefined) throw new AppError('not_found')
      // Deposits are refunded by their own steps, which check freezes and running rides.
      if (payment.became !== 'recharge') throw new AppError('refund_above_paid')
      const { agent_id: agentId, rider_id: riderId } = payment
      const refunding = async (tx: Tx, count: Count): Promise<number> => {
        await count(tx, { act: 'balance_refund', agentId, riderId, areaId: null, cents, reason })
        const after = { paymentId, cents, reason }
        await audit.act(tx, call, { ...ofRider({ agentId, riderId }), action: 'wallet.refund', after })
        return payments.refundIn(tx, { agentId, paymentId, cents, reason })
      }
      const refundId = await secondPerson.hold(call, input, (count) => db.system((tx) => refunding(tx, count)))
      return { suc: true, data: { refundId } }
    },
  }
}
