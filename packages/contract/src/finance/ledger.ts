/**
 * The chart of accounts and the kinds of entries: what the ledger's postings are about and how they are called on the
 * screen. Amounts are whole cents (分) of CNY. A posting above zero means that the account is owed more (credit), below
 * zero that it is owed less or, for an account of the debit side, that it has grown.
 */

interface AccountRow {
  readonly label: string
  /** An asset or expense grows by negative postings: its natural balance is the negated sum. */
  readonly side: 'credit' | 'debit'
  /** An account that may not is never overdrawn; the database refuses the entry. */
  readonly mayBeNegative: boolean
  /** Whose account it is: the agent's own, one for each rider, or one for each other party. */
  readonly owner: 'agent' | 'rider' | 'party'
}

const account = (
  label: string,
  side: AccountRow['side'],
  mayBeNegative: boolean,
  owner: AccountRow['owner'],
): AccountRow => ({ label, side, mayBeNegative, owner })

export const chartOfAccounts = {
  rider_balance: account('骑行余额', 'credit', false, 'rider'),
  rider_gift: account('赠送余额', 'credit', false, 'rider'),
  rider_deposit: account('押金', 'credit', false, 'rider'),
  rider_deposit_frozen: account('冻结押金', 'credit', false, 'rider'),
  /** Sold cards whose days have not passed yet. */
  card_unearned: account('骑行卡预收款', 'credit', false, 'rider'),
  /** Money that is to go back through a channel and that the channel has not paid out yet. */
  refund_payable: account('待付退款', 'credit', false, 'rider'),
  /** Ride and card income that no bill has divided yet; refunds may exceed a day's income. */
  agent_revenue: account('营业收入', 'credit', true, 'agent'),
  /** Own part of divided income that the payment channel has not settled; refunds may exceed a day's income. */
  agent_in_transit: account('在途收入', 'credit', true, 'agent'),
  agent_available: account('可提现余额', 'credit', false, 'agent'),
  /** Kept back of settled income until the company's reserve is full. */
  agent_reserve: account('分账准备金', 'credit', false, 'agent'),
  /** Settled income that the company disputes; it cannot be withdrawn meanwhile. */
  agent_disputed: account('争议冻结收入', 'credit', false, 'agent'),
  agent_withdrawing: account('提现中', 'credit', false, 'agent'),
  /** Paid in for services of the platform and not spent. */
  service_balance: account('服务费余额', 'credit', false, 'agent'),
  /** Paid for services and disputed. */
  service_held: account('争议冻结服务费', 'credit', false, 'agent'),
  platform_fee: account('平台服务费', 'credit', false, 'agent'),
  party_in_transit: account('分账方在途', 'credit', true, 'party'),
  party_available: account('分账方余额', 'credit', false, 'party'),
  /** What a settled day below zero leaves to be netted from later days, and balances that riders bring from another system. */
  agent_receivable: account('应收加盟商', 'debit', true, 'agent'),
  party_receivable: account('应收分账方', 'debit', true, 'party'),
  /** Income from deposits kept for damage or fines. */
  deposit_recovered: account('押金扣款收入', 'credit', true, 'agent'),
  clearing_wechat: account('微信支付清算', 'debit', true, 'agent'),
  clearing_alipay: account('支付宝清算', 'debit', true, 'agent'),
  clearing_bank: account('银行清算', 'debit', true, 'agent'),
  clearing_sandbox: account('沙箱支付清算', 'debit', true, 'agent'),
  /** What the platform or partners owe for benefits that they bear. */
  platform_receivable: account('应收平台承担优惠', 'debit', true, 'agent'),
  partner_receivable: account('应收合作方承担优惠', 'debit', true, 'agent'),
  channel_fee: account('渠道手续费', 'debit', true, 'agent'),
  /** Gift balance that lapsed before it was used. No bill divides it: no money came in for it. */
  gift_breakage: account('赠送余额失效收入', 'credit', true, 'agent'),
  gift_expense: account('赠送支出', 'debit', true, 'agent'),
  adjustment: account('调账', 'debit', true, 'agent'),
  /** What a channel's bill has more than the books, until it is decided whose it is; below zero what it has less. */
  suspense: account('渠道差错挂账', 'credit', true, 'agent'),
  /** Differences to a channel's bill that nobody makes up for. */
  write_off: account('渠道差错核销', 'debit', true, 'agent'),
} as const satisfies Record<string, AccountRow>

export type AccountKind = keyof typeof chartOfAccounts

export const accountKinds = Object.keys(chartOfAccounts) as AccountKind[]

export const entryKinds = {
  recharge: '充值',
  opening_balance: '期初余额',
  ride_charge: '骑行扣费',
  ride_refund: '骑行退款',
  platform_charge: '平台扣款',
  balance_refund: '余额退款',
  gift_grant: '发放赠送余额',
  gift_expiry: '赠送余额到期失效',
  gift_revoke: '收回赠送余额',
  deposit_pay: '缴纳押金',
  deposit_freeze: '冻结押金',
  deposit_unfreeze: '解冻押金',
  deposit_recovery: '押金扣款',
  deposit_refund: '退还押金',
  refund_paid: '退款已由渠道付出',
  refund_returned: '未退成的退款转为余额',
  card_sale: '售卡',
  card_earning: '骑行卡收入确认',
  card_refund: '退卡',
  bill_split: '账单分账',
  split_settlement: '分账结算',
  split_hold: '分账争议冻结',
  split_release: '分账争议结清',
  withdrawal_request: '申请提现',
  withdrawal_paid: '提现到账',
  withdrawal_returned: '提现退回',
  channel_fee: '渠道手续费',
  service_recharge: '服务费充值',
  service_charge: '服务费扣款',
  service_hold: '服务费争议冻结',
  service_release: '服务费争议结清',
  channel_difference: '渠道差错处理',
  adjustment: '调账',
  reversal: '冲正',
} as const satisfies Record<string, string>

export type EntryKind = keyof typeof entryKinds

/** Bounds of an entry; the database holds the same. */
export const ledgerLimits = {
  minPostings: 2,
  maxPostings: 100,
  maxReferenceBytes: 80,
  maxKeyBytes: 80,
  maxMemoBytes: 400,
} as const
