import { depositRefundDays } from '@saddle/contract/finance/depositSettings.ts'
import type { riderMoneyEndpoints } from '@saddle/contract/finance/riderMoney.ts'
import { AppError } from '@saddle/contract/errors.ts'
import type { Handlers } from '#kit/call.ts'
import { buyCard, readCards } from '../cards/cards.ts'
import { readMall } from '../cards/mall.ts'
import type { Deposits } from '../deposits/deposits.ts'
import type { TakeBackGuard } from '../deposits/steps.ts'
import { startRecharge } from '../wallet/prepaid.ts'
import { readStatement, readWallet } from '../wallet/read.ts'
import { takeBalanceBack } from '../wallet/takeBack.ts'
import type { MoneyDeps } from '../deps.ts'
import { agentOfApp, ensuredRider, knownRider } from '../wallet/who.ts'

type Parts = MoneyDeps & { readonly deposits: Deposits; readonly guardTakeBack: TakeBackGuard }

const statementLines = 20

/** What riders do with their own money, by their application. */
export function createRiderMoneyHandlers(parts: Parts): Handlers<typeof riderMoneyEndpoints> {
  const { kit, ledger, payments, deposits } = parts
  return {
    readWallet: async (asked, call) => {
      const who = await knownRider(parts, call, asked)
      if (who === null) throw new AppError('not_found')
      const [wallet, cards, { list }] = await Promise.all([
        readWallet(ledger, who),
        readCards(parts, who),
        readStatement(kit.db, who, { book: 'wallet', pageSize: statementLines }),
      ])
      return { suc: true, data: { wallet, cards, statement: list } }
    },

    recharge: async ({ cents, channel, payer, requestId, ...asked }, call) => {
      const who = await ensuredRider(parts, call, asked)
      return { suc: true, data: await startRecharge(parts, { ...who, cents, channel, payer, requestId }) }
    },

    takeBalanceBack: async (asked, call) => {
      const who = await knownRider(parts, call, asked)
      const nothing = { refundedCents: 0, leftCents: 0, lapsedGiftCents: 0 }
      const data = who === null ? nothing : await kit.db.system((tx) => takeBalanceBack(parts, tx, who))
      return { suc: true, data }
    },

    quoteDeposit: async ({ areaId, ...asked }, call) => {
      const who = await ensuredRider(parts, call, asked)
      const need = await kit.db.system((tx) => deposits.needOf(tx, { ...who, areaId }))
      return { suc: true, data: { ...need, refundDays: depositRefundDays } }
    },

    payDeposit: async ({ areaId, channel, payer, ...asked }, call) => {
      const who = await ensuredRider(parts, call, asked)
      const { missingCents: cents } = await kit.db.system((tx) => deposits.needOf(tx, { ...who, areaId }))
      if (cents === 0) return { suc: true, data: { payment: null } }
      const wanted = { ...who, purpose: 'deposit', cents, channel, payer, description: '押金' } as const
      const { paymentId: _, ...payment } = await payments.start(wanted)
      return { suc: true, data: { payment } }
    },

    takeDepositBack: async (asked, call) => {
      const who = await knownRider(parts, call, asked)
      const refundedCents = who === null ? 0 : await kit.db.system((tx) => deposits.takeBack(tx, who))
      return { suc: true, data: { refundedCents } }
    },

    offeredCards: async ({ areaId, ...asked }, call) => {
      const agentId = agentOfApp(call, asked.agentId)
      const who = await knownRider(parts, call, asked)
      return { suc: true, data: await readMall(parts, { agentId, who, areaId }) }
    },

    buyCard: async ({ productId, requestId, payBy, channel, payer, ...asked }, call) => {
      const who = await ensuredRider(parts, call, asked)
      return { suc: true, data: await buyCard(parts, { who, productId, requestId, payBy, channel, payer }) }
    },
  }
}
