import type { walletEndpoints } from '@saddle/contract/finance/wallet.ts'
import { AppError } from '@saddle/contract/errors.ts'
import { exportPart } from '#audit/public.ts'
import type { Handlers } from '#kit/call.ts'
import type { Tx } from '#kit/db/pool.ts'
import type { Count } from '../secondPerson/secondPerson.ts'
import { cursorOf, idOfCursor, moneyPartRows, refundColumns, statementColumns } from './file.ts'
import { readPayments, readRefunds, readStatement, readWallet, refundOf } from './read.ts'
import { chargeEntry, chargeReference } from './rules.ts'
import {
  countFailed,
  insertCharge,
  selectAskedRefunds,
  selectChargeInScope,
  selectPaymentInScope,
  selectRefund,
} from './store.ts'
import { noteOf, riderInScope, type MoneyParts } from './who.ts'

/** A rider's wallet, its payments and refunds, and charges by hand. */
export function createWalletHandlers(parts: MoneyParts): Handlers<typeof walletEndpoints> {
  return { ...createReading(parts), ...createCharging(parts), ...createRefunding(parts) }
}

/** A silent channel takes its whole time for each refund, and somebody waits for the answer. */
const askedAtOnce = 10

type Reading = 'userWallet' | 'exportStatement' | 'riderPayments' | 'failedRefunds' | 'exportRefunds'

function createReading(parts: MoneyParts): Pick<Handlers<typeof walletEndpoints>, Reading> {
  const { kit, ledger } = parts
  const { db } = kit
  return {
    userWallet: async ({ riderId, ...asked }, { scope }) => {
      const who = await riderInScope({ kit }, scope, riderId)
      const [wallet, page] = await Promise.all([readWallet(ledger, who), readStatement(db, who, asked)])
      return { suc: true, data: { wallet, ...page } }
    },

    riderPayments: async ({ riderId, ...asked }, { scope }) => {
      const who = await riderInScope({ kit }, scope, riderId)
      return { suc: true, data: await readPayments(db, who, asked) }
    },

    exportStatement: async ({ riderId, book, cursor, exportId }, call) => {
      const who = await riderInScope({ kit }, call.scope, riderId)
      const before = idOfCursor(cursor)
      const { list, nextCursor } = await readStatement(db, who, { book, cursor: before, pageSize: moneyPartRows })
      const file = { name: `statement-${riderId}`, action: 'wallet.export', filter: { riderId, book }, exportId }
      const part = { ...file, columns: statementColumns, rows: list, isFirst: before === undefined }
      return { suc: true, data: await exportPart(parts, call, { ...part, nextCursor: cursorOf(nextCursor) }) }
    },

    exportRefunds: async ({ filter, cursor, exportId }, call) => {
      const before = idOfCursor(cursor)
      const { list, nextCursor } = await readRefunds(parts, call.scope, {
        filter,
        cursor: before,
        pageSize: moneyPartRows,
      })
      const file = { name: 'refunds', action: 'refund.export', filter, exportId, columns: refundColumns }
      const part = { ...file, rows: list, isFirst: before === undefined, nextCursor: cursorOf(nextCursor) }
      return { suc: true, data: await exportPart(parts, call, part) }
    },

    failedRefunds: async (asked, { scope }) => {
      const [page, totals] = await Promise.all([
        readRefunds(parts, scope, asked),
        asked.cursor === undefined ? db.read(scope, (k) => countFailed(scope).compile(k)) : null,
      ])
      const failed = totals === null ? null : (totals[0] ?? { count: 0, cents: 0 })
      return { suc: true, data: { ...page, failed } }
    },
  }
}

type Charging = 'platformCharge' | 'undoPlatformCharge'

function createCharging({
  kit,
  audit,
  ledger,
  secondPerson,
}: MoneyParts): Pick<Handlers<typeof walletEndpoints>, Charging> {
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
        await audit.write(tx, { ...noteOf(call, who), action: 'wallet.charge', after })
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
        await audit.write(tx, { ...noteOf(call, who), action: 'wallet.charge_undo', after: { chargeId, reason } })
        const { agentId } = who
        const posted = await ledger.reverse(
          { agentId, number: entry.number, memo: reason, occurredAt: clock.now() },
          tx,
        )
        // Somebody was faster: no second line in the log says that it was done.
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
}: MoneyParts): Omit<Handlers<typeof walletEndpoints>, Reading | Charging> {
  const { db } = kit
  return {
    refundPayment: async (input, call) => {
      const { paymentId, cents, reason } = input
      const query = selectPaymentInScope({ scope: call.scope, id: paymentId })
      const [payment] = await db.read(call.scope, (k) => query.compile(k))
      if (payment === undefined) throw new AppError('not_found')
      // A deposit goes back by its own steps, which know of freezes and of rides that go on.
      if (payment.became !== 'recharge') throw new AppError('refund_above_paid')
      const { agent_id: agentId, rider_id: riderId } = payment
      const refunding = async (tx: Tx, count: Count): Promise<number> => {
        await count(tx, { act: 'balance_refund', agentId, riderId, areaId: null, cents, reason })
        const after = { paymentId, cents, reason }
        await audit.write(tx, { ...noteOf(call, { agentId, riderId }), action: 'wallet.refund', after })
        return payments.refundIn(tx, { agentId, paymentId, cents, reason })
      }
      const refundId = await secondPerson.hold(call, input, (count) => db.system((tx) => refunding(tx, count)))
      return { suc: true, data: { refundId } }
    },

    returnRefund: async ({ refundId, reason }, call) => {
      const query = selectAskedRefunds({ scope: call.scope, ids: [refundId] })
      const [found] = await db.read(call.scope, (k) => query.compile(k))
      if (found === undefined) throw new AppError('not_found')
      const { agent_id: agentId, rider_id: riderId, cents } = found
      await db.system(async (tx) => {
        const after = { refundId, cents, reason }
        await audit.write(tx, { ...noteOf(call, { agentId, riderId }), action: 'wallet.refund_return', after })
        await payments.returnRefund(tx, { agentId, refundId, reason, by: call.caller.name })
      })
      const [row] = await db.read(call.scope, (k) => selectRefund({ agentId, id: refundId }).compile(k))
      if (row === undefined) throw new AppError('not_found')
      return { suc: true, data: refundOf(row) }
    },

    retryRefunds: async ({ refundIds }, call) => {
      const ids = [...new Set(refundIds)]
      const query = selectAskedRefunds({ scope: call.scope, ids })
      const found = await db.read(call.scope, (k) => query.compile(k))
      if (found.length < ids.length) throw new AppError('not_found')
      await db.system(async (tx) => {
        for (const { agent_id: agentId, rider_id: riderId, id, cents } of found) {
          const after = { refundId: id, cents }
          await audit.write(tx, {
            ...noteOf(call, { agentId, riderId }),
            action: 'wallet.refund_again',
            after,
          })
        }
      })
      for (let at = 0; at < found.length; at += askedAtOnce) {
        const few = found.slice(at, at + askedAtOnce)
        await Promise.all(few.map(({ agent_id: agentId, id: refundId }) => payments.retryRefund({ agentId, refundId })))
      }
      const now = await db.read(call.scope, (k) => query.compile(k))
      return { suc: true, data: { refunds: now.map(({ id, state }) => ({ id, state })) } }
    },
  }
}
