import { expect, it } from 'vitest'
import { channelDifference } from './channelRecipes.ts'
import {
  balanceRefund,
  billSplit,
  cardEarning,
  cardSale,
  channelFee,
  depositFreeze,
  depositPay,
  depositRecovery,
  depositRefund,
  depositUnfreeze,
  platformCharge,
  giftExpiry,
  giftGrant,
  giftRevoke,
  recharge,
  refundPaid,
  refundPaidTwice,
  refundReturned,
  withdrawalPaid,
  splitHold,
  splitRelease,
  withdrawalRequest,
  withdrawalReturned,
} from './recipes.ts'
import { checkEntry, LedgerError, type Entry } from './rules.ts'

const at = Date.UTC(2026, 10, 20)
const rider = { agentId: 3, riderId: 7, at, cents: 1_000 }
const agent = { agentId: 3, at, cents: 1_000 }
const deposit = { ...rider, depositId: 5 }

const brief = ({ reference, key, kind, lines }: Entry): string =>
  `${reference} ${key ?? kind}: ${lines.map(({ account, amountCents }) => `${account.kind}${account.ownerId === undefined ? '' : `/${account.ownerId}`} ${amountCents}`).join(', ')}`

const table: readonly (readonly [Entry, string])[] = [
  [
    recharge({ ...rider, paymentId: 2, channel: 'alipay' }),
    'payment:2 recharge: clearing_alipay -1000, rider_balance/7 1000',
  ],
  [giftGrant({ ...rider, lotId: 6, cents: 50 }), 'gift:6 gift_grant: gift_expense -50, rider_gift/7 50'],
  [giftExpiry({ ...rider, lotId: 6, cents: 20 }), 'gift:6 gift_expiry: rider_gift/7 -20, gift_breakage 20'],
  [
    giftRevoke({ ...rider, reference: 'payment:1', key: 'gift_revoke:4', reason: '退款', cents: 30 }),
    'payment:1 gift_revoke:4:7: rider_gift/7 -30, gift_expense 30',
  ],
  [
    balanceRefund({ ...rider, paymentId: 1, refundId: 4 }),
    'payment:1 balance_refund:4: rider_balance/7 -1000, refund_payable/7 1000',
  ],
  [
    refundPaid({ ...rider, reference: 'payment:1', refundId: 4, channel: 'wechat' }),
    'payment:1 refund_paid:4: refund_payable/7 -1000, clearing_wechat 1000',
  ],
  [
    refundReturned({ ...rider, reference: 'order:2', refundId: 5, reason: '账户异常' }),
    'order:2 refund_returned:5: refund_payable/7 -1000, rider_balance/7 1000',
  ],
  [
    refundPaidTwice({ ...rider, reference: 'order:2', refundId: 5, channel: 'alipay' }),
    'order:2 refund_paid:5: adjustment -1000, clearing_alipay 1000',
  ],
  [
    platformCharge({ ...rider, chargeId: 8, reason: '车辆损坏' }),
    'platform-charge:8 platform_charge: rider_balance/7 -1000, agent_revenue 1000',
  ],
  [
    depositPay({ ...deposit, channel: 'sandbox' }),
    'deposit:5 deposit_pay: clearing_sandbox -1000, rider_deposit/7 1000',
  ],
  [depositFreeze({ ...deposit, caseId: 2 }), 'deposit:5 freeze:2: rider_deposit/7 -1000, rider_deposit_frozen/7 1000'],
  [
    depositUnfreeze({ ...deposit, caseId: 2 }),
    'deposit:5 unfreeze:2: rider_deposit_frozen/7 -1000, rider_deposit/7 1000',
  ],
  [
    depositRecovery({ ...deposit, caseId: 2, reason: '丢失车辆' }),
    'deposit:5 recovery:2: rider_deposit_frozen/7 -1000, deposit_recovered 1000',
  ],
  [depositRefund(deposit), 'deposit:5 deposit_refund: rider_deposit/7 -1000, refund_payable/7 1000'],
  [
    cardSale({ ...rider, cardId: 6, paidBy: 'balance' }),
    'card:6 card_sale: rider_balance/7 -1000, card_unearned/7 1000',
  ],
  [
    cardSale({ ...rider, cardId: 6, paidBy: 'wechat' }),
    'card:6 card_sale: clearing_wechat -1000, card_unearned/7 1000',
  ],
  [
    cardEarning({ ...rider, cardId: 6, day: '2026-11-20' }),
    'card:6 earning:2026-11-20: card_unearned/7 -1000, agent_revenue 1000',
  ],
  [
    channelFee({ ...agent, channel: 'wechat', statementId: 9 }),
    'channel-statement:9 channel_fee: channel_fee -1000, clearing_wechat 1000',
  ],
  [
    channelFee({ ...agent, cents: -5, channel: 'wechat', statementId: 9 }),
    'channel-statement:9 channel_fee: clearing_wechat -5, channel_fee 5',
  ],
  [
    channelDifference({ ...agent, channel: 'alipay', differenceId: 4, step: 'refund' }),
    'channel-difference:4 refund: clearing_alipay -1000, suspense 1000',
  ],
  [
    channelDifference({
      ...agent,
      cents: -7,
      channel: 'alipay',
      differenceId: 4,
      step: 'write_off',
      isSuspended: true,
    }),
    'channel-difference:4 write_off: write_off -7, suspense 7',
  ],
  [
    billSplit({
      ...agent,
      billId: 3,
      paidCents: 1_000,
      feeCents: 6,
      platformBorneCents: -200,
      partnerBorneCents: 0,
      ownerCents: 898,
      parties: [
        { partyId: 1, cents: 96 },
        { partyId: 2, cents: 200 },
      ],
    }) ?? expect.fail('an entry'),
    'bill:3 bill_split: agent_revenue -1000, channel_fee 6, platform_receivable -200, party_in_transit/1 96, party_in_transit/2 200, agent_in_transit 898',
  ],
  [splitHold({ ...agent, objectionId: 4 }), 'objection:4 split_hold: agent_available -1000, agent_disputed 1000'],
  [splitRelease({ ...agent, objectionId: 4 }), 'objection:4 split_release: agent_disputed -1000, agent_available 1000'],
  [
    withdrawalRequest({ ...agent, withdrawalId: 2 }),
    'withdrawal:2 withdrawal_request: agent_available -1000, agent_withdrawing 1000',
  ],
  [
    withdrawalPaid({ ...agent, withdrawalId: 2, feeCents: 100 }),
    'withdrawal:2 withdrawal_paid: agent_withdrawing -1000, clearing_bank 900, platform_fee 100',
  ],
  [
    withdrawalPaid({ ...agent, withdrawalId: 2, feeCents: 0 }),
    'withdrawal:2 withdrawal_paid: agent_withdrawing -1000, clearing_bank 1000',
  ],
  [
    withdrawalReturned({ ...agent, withdrawalId: 2, reason: '账号有误' }),
    'withdrawal:2 withdrawal_returned: agent_withdrawing -1000, agent_available 1000',
  ],
]

it.each(table)('writes an entry that the ledger takes: %#', (entry, expected) => {
  expect(brief(entry)).toBe(expected)
  expect(() => checkEntry(entry)).not.toThrow()
})

it('refuses amounts that are none', () => {
  for (const cents of [0, -5, 1.5, Number.NaN, 2 ** 53]) {
    expect(() => depositPay({ ...deposit, cents, channel: 'bank' }), String(cents)).toThrow(LedgerError)
  }
  expect(() => withdrawalPaid({ ...agent, withdrawalId: 1, feeCents: 1_000 })).toThrow(LedgerError)
})
