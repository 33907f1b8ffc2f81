import type { Endpoint } from '@saddle/contract/endpoint.ts'
import { cardProductEndpoints } from '@saddle/contract/finance/cardProducts.ts'
import { cardEndpoints } from '@saddle/contract/finance/cards.ts'
import { depositEndpoints } from '@saddle/contract/finance/deposits.ts'
import { channelRefundEndpoints } from '@saddle/contract/finance/refunds.ts'
import { secondPersonEndpoints } from '@saddle/contract/finance/secondPerson.ts'
import { splitBillEndpoints } from '@saddle/contract/finance/splitBills.ts'
import { walletEndpoints } from '@saddle/contract/finance/wallet.ts'
import { riderPeopleEndpoints } from '@saddle/contract/rider/riders.ts'
import { timelineEndpoints } from '@saddle/contract/rider/timeline.ts'

/** Everything that shows a rider's money: an action on it is read anew there. */
export const staleMoney: readonly Endpoint[] = [
  secondPersonEndpoints.listMoneyActs,
  secondPersonEndpoints.sumMoneyActs,
  splitBillEndpoints.listSplitLines,
  splitBillEndpoints.splitTotals,
  walletEndpoints.userWallet,
  walletEndpoints.listStatement,
  walletEndpoints.riderPayments,
  channelRefundEndpoints.listRefunds,
  channelRefundEndpoints.sumRefunds,
  depositEndpoints.listDeposits,
  depositEndpoints.sumDeposits,
  cardEndpoints.myCards,
  cardEndpoints.listSoldCards,
  cardEndpoints.sumSoldCards,
  cardProductEndpoints.listCardProducts,
  cardProductEndpoints.sumCardProducts,
  cardProductEndpoints.cardProductFigures,
  riderPeopleEndpoints.riderDetail,
  timelineEndpoints.riderTimeline,
]
