import { join } from 'node:path'
import type { Registry } from 'prom-client'
import type { bankAccountEndpoints } from '@saddle/contract/finance/accounts.ts'
import type { payoutEndpoints } from '@saddle/contract/finance/payouts.ts'
import type { withdrawalEndpoints } from '@saddle/contract/finance/withdrawals.ts'
import type { financialAccountEndpoints } from '@saddle/contract/finance/account.ts'
import type { channelBillEndpoints } from '@saddle/contract/finance/channelBills.ts'
import type { cardProductEndpoints } from '@saddle/contract/finance/cardProducts.ts'
import { cardEndpoints } from '@saddle/contract/finance/cards.ts'
import type { depositSettingEndpoints } from '@saddle/contract/finance/depositSettings.ts'
import type { AskedPayment } from '@saddle/contract/finance/payments.ts'
import { depositEndpoints } from '@saddle/contract/finance/deposits.ts'
import type { channelRefundEndpoints } from '@saddle/contract/finance/refunds.ts'
import type { riderImportEndpoints } from '@saddle/contract/finance/riderImports.ts'
import type { riderMoneyEndpoints } from '@saddle/contract/finance/riderMoney.ts'
import type { secondPersonEndpoints } from '@saddle/contract/finance/secondPerson.ts'
import type { splitBillEndpoints } from '@saddle/contract/finance/splitBills.ts'
import type { splitRuleEndpoints } from '@saddle/contract/finance/splitRules.ts'
import type { termChangeEndpoints } from '@saddle/contract/finance/termChanges.ts'
import { walletEndpoints } from '@saddle/contract/finance/wallet.ts'
import { createAudit } from '#audit/public.ts'
import type { Handlers } from '#kit/call.ts'
import type { Tx } from '#kit/db/pool.ts'
import type { Scope } from '#kit/db/scope.ts'
import type { Kit } from '#kit/kit.ts'
import { createPhotos } from '#photos/public.ts'
import { createAccountHandlers } from './account/handlers.ts'
import { createPaymentPasswordProvider } from './account/paymentPassword.ts'
import { findAccount, saveAccount, type AccountState } from './account/store.ts'
import { createBankDesk, type BankDesk } from './bank/desk.ts'
import { createBenefits, type Benefits } from './benefits/benefits.ts'
import { onCardPaid, createCards, type Cards } from './cards/cards.ts'
import { createCardProductHandlers } from './cardProducts/handlers.ts'
import { createCardHandlers } from './cards/handlers.ts'
import { cardsThatDisagree } from './cards/verify.ts'
import { channelDayOf } from './channelBills/channelDays.ts'
import { createChannelBills, type ChannelBills } from './channelBills/create.ts'
import { startJobs } from './checks/background.ts'
import { createBooks, type Books } from './checks/books.ts'
import { createDeposits, onDepositPaid, type Deposits } from './deposits/deposits.ts'
import { createDepositHandlers } from './deposits/handlers.ts'
import { createDepositSettingHandlers } from './depositSettings/handlers.ts'
import { createGifts, type Gifts } from './gifts/gifts.ts'
import { createLedger, type Ledger } from './ledger/ledger.ts'
import { configuredChannels } from './payments/channels.ts'
import { createSandboxPost } from './payments/delivery.ts'
import { createPayoutHandlers } from './payouts/handlers.ts'
import { createPayments, type Payments } from './payments/payments.ts'
import { sandboxMovements } from './payments/sandboxMovements.ts'
import { askedCents } from './payments/store.ts'
import { createSandbox, type Sandbox } from './payments/sandbox.ts'
import type { SandboxBillOptions } from './payments/sandboxBills.ts'
import { createChannelRefundHandlers } from './refunds/handlers.ts'
import { createSplits, type Splits } from './splits/splits.ts'
import { splitsThatDisagree } from './splits/verify.ts'
import { withdrawalsThatDisagree } from './withdrawals/verify.ts'
import { createSecondPerson, type SecondPerson } from './secondPerson/secondPerson.ts'
import { createRecharges, type Recharges } from './recharges/recharges.ts'
import { isAboveCap, roomOf, startRecharge, type WantedRecharge } from './wallet/prepaid.ts'
import { expireImports } from './riderImports/expire.ts'
import { createRiderImportHandlers } from './riderImports/handlers.ts'
import { createRiderMoneyHandlers } from './riderMoney/handlers.ts'
import { createWalletHandlers } from './wallet/handlers.ts'
import { noRiders, type RiderDirectory, type Who } from './wallet/who.ts'

export { bankMoodSchema } from './bank/sandbox/mood.ts'
export type { CounterPage as BankCounterPage } from './bank/sandbox/counter.ts'
export { financeKeyed } from './keyed.ts'
export { endGivenCard, giveCard } from './cards/given.ts'
export type { AccountState } from './account/store.ts'
export type { Ledger, Posted, Reversal } from './ledger/ledger.ts'
export type { AccountName, Entry, Line } from './ledger/rules.ts'
export { orderReference, rideCharge, rideChargeByChannel, rideRefund, type RideSource } from './ledger/recipes.ts'
export type { PostedEntry } from './ledger/store.ts'
export type { Benefits, BenefitSource, HeldBenefits, RefusedBenefit, RefusedUse } from './benefits/benefits.ts'
export type { Gifts, Grant } from './gifts/gifts.ts'
export { endOfGift, sumOf, takeInOrder, type GiftPart } from './gifts/rules.ts'
export { selectUsedGifts, usedGiftOf, type GiftLot } from './gifts/store.ts'
export type { RechargeSource } from './recharges/recharges.ts'
export type { ChannelDay, ChannelDays } from './splits/settle.ts'
export type { Splits } from './splits/splits.ts'
export { ensureParties, insertTerms } from './splitRules/store.ts'
export { splitsThatDisagree } from './splits/verify.ts'
export type { Deposits } from './deposits/deposits.ts'
export type { SecondPerson } from './secondPerson/secondPerson.ts'
export type { PaidPayment, Payments } from './payments/payments.ts'
export { selectMovements as selectChannelMovements } from './channelBills/movements.ts'
export { feesInCents } from './channelBills/rules.ts'
export { openStates as openDifferenceStates } from './channelBills/store.ts'
export { viewScope as channelBillScope } from './channelBills/viewer.ts'
export { createCostCenter, type CostCenter } from './costCenter/create.ts'
export { createObjections, type Objections } from './objections/create.ts'
export { createServiceBills, type ServiceBills } from './serviceBills/create.ts'
export { createInvoices, type Invoices } from './invoices/create.ts'
export type { RideInvoicing } from './invoices/parts.ts'
export { agentOfApp, ensuredRider, knownRider } from './wallet/who.ts'
export { moneyLine, proveMoney } from './checks/money.ts'
export { verdictLine, verifyLedger } from './ledger/verify.ts'
export { cardsThatDisagree } from './cards/verify.ts'
export { withdrawalsThatDisagree } from './withdrawals/verify.ts'
export { sandboxMoodSchema } from './payments/sandbox.ts'

export type FinanceEndpoints = typeof financialAccountEndpoints &
  typeof bankAccountEndpoints &
  typeof withdrawalEndpoints &
  typeof channelBillEndpoints &
  typeof walletEndpoints &
  typeof channelRefundEndpoints &
  typeof depositEndpoints &
  typeof depositSettingEndpoints &
  typeof cardEndpoints &
  typeof cardProductEndpoints &
  typeof riderImportEndpoints &
  typeof riderMoneyEndpoints &
  typeof secondPersonEndpoints &
  typeof splitRuleEndpoints &
  typeof termChangeEndpoints &
  typeof splitBillEndpoints &
  typeof payoutEndpoints

export type Finance = {
  readonly handlers: Handlers<FinanceEndpoints>
  readonly ledger: Ledger
  /** Riders' gift balance, in lots. */
  readonly gifts: Gifts
  /** What recharges are given. Whoever gives something for them registers here. */
  readonly recharges: Pick<Recharges, 'serve'>
  /** What a rider may still pay in; null: no limit. */
  room(who: Who): Promise<number | null>
  /** Asks a rider for a recharge. Throws prepaid_cap and what `payments.start` throws. */
  startRecharge(wanted: WantedRecharge): Promise<AskedPayment>
  readonly payments: Payments
  /** Fetches the bills of payment channels and compares them. */
  readonly channelBills: Pick<ChannelBills, 'run'>
  readonly secondPerson: SecondPerson
  readonly deposits: Deposits
  /** What lowers the charge of rides. Whatever gives riders benefits registers here. */
  readonly benefits: Benefits
  readonly cards: Pick<Cards, 'earn' | 'lapse'>
  /** How companies' income is divided. */
  readonly splits: Splits
  /** The proof of the ledger, and of what other domains hold against it. */
  readonly books: Books
  /** Pays a sandbox order; in demo mode only, since no real money is involved. */
  readonly sandbox: Sandbox | null
  /** Accounts with the bank, and withdrawals. */
  readonly bank: Pick<BankDesk, 'takeNotice' | 'sandbox' | 'startSandbox' | 'adopt'>
  /** Where this platform takes call-backs: from now on the sandbox makes them over HTTP, as a real channel does. */
  takesCallBacksAt(url: string): void
  /** Stores the payment provider's data about an agent's account, in the caller's transaction. */
  saveAccount(tx: Tx, account: AccountState): Promise<void>
  /** The account of one agent of the scope, as far as permissions depend on it; null when none was opened. */
  accountStatus(scope: Scope, agentId: number): Promise<Pick<AccountState, 'status' | 'accountLevel'> | null>
  /** Expires requests that were not confirmed in time. Resolves to their number. */
  expireRequests(): Promise<number>
  /** Books what cards have earned, asks again for silent refunds and checks the books; returns what ends it. */
  startBackground(metrics: Registry): () => Promise<void>
  /** Posts the entries that wait for the ledger. */
  close(): Promise<void>
}

export function createFinance(kit: Kit, riders: RiderDirectory = noRiders): Finance {
  const ledger = createLedger(kit)
  const audit = createAudit(kit)
  const gifts = createGifts({ ...kit, ledger })
  const recharges = createRecharges()
  const { payments, sandbox, takesCallBacksAt } = createPaymentParts(kit, { ledger, gifts, recharges })
  const { secondPerson, expire, ...second } = createSecondPerson({ kit, audit })
  const parts = { kit, audit, ledger, gifts, payments, recharges, riders, secondPerson }
  const { deposits, guardTakeBack } = createDeposits(parts)
  const channelBills = createChannelBills(parts)
  const cards = createCards(parts)
  const benefits = createBenefits()
  benefits.register(cards.benefits)
  const books = createBooks(parts)
  books.hold('cards', () => cardsThatDisagree(kit.db, kit.clock.now()))
  books.hold('splits', () => splitsThatDisagree(kit.db))
  books.hold('withdrawals', () => withdrawalsThatDisagree(kit.db))
  const { splits, ...split } = createSplits(parts)
  splits.registerChannelDays({ of: channelDayOf })
  payments.serve('deposit', onDepositPaid)
  payments.serve('card', onCardPaid)
  const desk = createBankDesk({ ...parts, photos: createPhotos(kit) })
  const handlers = {
    ...createAccountHandlers(kit, createPaymentPasswordProvider(kit, desk.open)),
    ...desk.handlers,
    ...channelBills.handlers,
    ...createWalletHandlers(parts),
    ...createChannelRefundHandlers(parts),
    ...createDepositHandlers({ ...parts, guardTakeBack }),
    ...createDepositSettingHandlers(parts),
    ...createCardHandlers(parts),
    ...createCardProductHandlers(parts),
    ...createRiderImportHandlers(parts),
    ...createRiderMoneyHandlers({ ...parts, deposits, guardTakeBack }),
    ...second.handlers,
    ...split.handlers,
    ...createPayoutHandlers(parts),
  }
  serveConfirmed(secondPerson, handlers)
  return {
    ledger,
    gifts,
    recharges,
    room: (who) => roomOf({ kit, ledger }, who),
    startRecharge: (wanted) => startRecharge({ kit, ledger, payments }, wanted),
    payments,
    channelBills,
    secondPerson,
    deposits,
    benefits,
    cards,
    splits,
    books,
    sandbox,
    bank: desk,
    takesCallBacksAt: (url) => {
      takesCallBacksAt(url)
      desk.listensAt(url)
    },
    handlers,
    accountStatus: (scope, agentId) => findAccount({ db: kit.db, secrets: kit.secrets, scope, agentId }),
    saveAccount: (tx, account) => saveAccount({ tx, secrets: kit.secrets, account }),
    expireRequests: expire,
    close: () => ledger.close(),
    startBackground: (metrics) => {
      books.measure(metrics)
      const stopBank = desk.startBackground()
      const stopJobs = startJobs(kit, [
        { name: 'cards', run: cards.earn },
        { name: 'gifts', run: gifts.expire },
        { name: 'unpaid cards', run: cards.lapse },
        { name: 'refunds', run: payments.askSilentAgain },
        { name: 'second person', run: expire },
        { name: 'rider imports', run: () => expireImports(parts) },
        // The demo's past is booked after the start: its bills are compared and its days are closed when it is complete.
        { name: 'channel bills', run: () => channelBills.run({ beginsNew: !kit.config.demo }) },
        { name: 'splits', run: () => splits.run({ beginsNew: !kit.config.demo }) },
        { name: 'books', run: books.checkWhenDue },
      ])
      return async () => {
        await Promise.all([stopBank(), stopJobs()])
      }
    },
  }
}

/** What is done when it is confirmed: the same calls, with the input that waited, which is read as it was. */
function serveConfirmed(secondPerson: SecondPerson, handlers: Handlers<FinanceEndpoints>): void {
  const { platformCharge, refundPayment } = walletEndpoints
  secondPerson.serve('charge', (input, call) => handlers.platformCharge(platformCharge.input.parse(input), call))
  secondPerson.serve('balance_refund', (input, call) => handlers.refundPayment(refundPayment.input.parse(input), call))
  const { refundDeposit } = depositEndpoints
  secondPerson.serve('deposit_refund', (input, call) => handlers.refundDeposit(refundDeposit.input.parse(input), call))
  const { refundCard } = cardEndpoints
  secondPerson.serve('card_refund', (input, call) => handlers.refundCard(refundCard.input.parse(input), call))
}

/** One line in 2,000 of the sandbox's bills differs, so that a demo has something to resolve. */
const sandboxDifferencesPerMillion = 500

const sandboxBills = ({ db, config }: Kit): SandboxBillOptions => ({
  folder: join(config.dataDir, 'channel-bills'),
  movements: (day) => sandboxMovements(db, day),
  differencesPerMillion: sandboxDifferencesPerMillion,
  seed: 20_261_123,
})

function createPaymentParts(
  kit: Kit,
  parts: { readonly ledger: Ledger; readonly gifts: Gifts; readonly recharges: Recharges },
): Pick<Finance, 'payments' | 'sandbox' | 'takesCallBacksAt'> {
  const key = kit.secrets.key('payment-sandbox')
  const post = createSandboxPost(async (callBack) => (await payments.take('sandbox', callBack)).status === 200)
  const recall = (number: string): Promise<number | null> => askedCents(kit.db, { channel: 'sandbox', number })
  const sandbox = kit.config.demo
    ? createSandbox({ ...kit, key, deliver: post.deliver, recall, bills: sandboxBills(kit) })
    : null
  const channels = [...configuredChannels(kit), ...(sandbox === null ? [] : [sandbox.channel])]
  const payments: Payments = createPayments({
    ...kit,
    ...parts,
    isAboveCap: (tx, paid) => isAboveCap({ kit, ledger: parts.ledger }, tx, paid),
    channels,
  })
  return { payments, sandbox, takesCallBacksAt: post.deliverTo }
}
