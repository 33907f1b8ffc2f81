import type { AccountKind, EntryKind } from '@saddle/contract/finance/ledger.ts'
import { LedgerError, type AccountName, type Entry, type Line } from './rules.ts'

/** Through whom money comes in and goes out. */
export type Channel = 'wechat' | 'alipay' | 'bank' | 'sandbox'

/** What every movement has: whose book, when (milliseconds since 1970), and how much in whole cents. */
type Movement = { readonly agentId: number; readonly at: number; readonly cents: number }
type OfRider = Movement & { readonly riderId: number }

const clearing = (channel: Channel): AccountName => ({ kind: `clearing_${channel}` })
const own = (kind: AccountKind): AccountName => ({ kind })
const ofRider = (kind: AccountKind, riderId: number): AccountName => ({ kind, ownerId: riderId })

function checkCents(cents: number): number {
  if (!Number.isSafeInteger(cents) || cents <= 0) throw new LedgerError(`${cents} is no amount of cents`)
  return cents
}

/** One account is owed less, another more. */
function between(cents: number, from: AccountName, to: AccountName): Line[] {
  return [
    { account: from, amountCents: -checkCents(cents) },
    { account: to, amountCents: cents },
  ]
}

function entry(kind: EntryKind, reference: string, { agentId, at }: Movement, lines: Line[]): Entry {
  return { agentId, kind, reference, occurredAt: at, lines }
}

/** Money paid in through a channel becomes balance. */
export function recharge(input: OfRider & { readonly paymentId: number; readonly channel: Channel }): Entry {
  const { riderId, paymentId, channel, cents } = input
  return entry(
    'recharge',
    `payment:${paymentId}`,
    input,
    between(cents, clearing(channel), ofRider('rider_balance', riderId)),
  )
}

type OfLot = OfRider & { readonly lotId: number }
const lotReference = ({ lotId }: OfLot): string => `gift:${lotId}`

/** A rider is given a lot of gift balance: an expense, and a liability until it is used. */
export function giftGrant(input: OfLot): Entry {
  return entry(
    'gift_grant',
    lotReference(input),
    input,
    between(input.cents, own('gift_expense'), ofRider('rider_gift', input.riderId)),
  )
}

/** What nobody has used until the end of a lot is owed no more. */
export function giftExpiry(input: OfLot): Entry {
  return entry(
    'gift_expiry',
    lotReference(input),
    input,
    between(input.cents, ofRider('rider_gift', input.riderId), own('gift_breakage')),
  )
}

/** What is open of lots is taken back, and was no expense. */
export function giftRevoke(
  input: OfRider & { readonly reference: string; readonly key: string; readonly reason: string },
): Entry {
  const { riderId, reference, key, reason, cents } = input
  const lines = between(cents, ofRider('rider_gift', riderId), own('gift_expense'))
  return { ...entry('gift_revoke', reference, input, lines), key: `${key}:${riderId}`, memo: reason }
}

/** Paid balance is to go back to where it came from; gifts do not. */
export function balanceRefund(input: OfRider & { readonly paymentId: number; readonly refundId: number }): Entry {
  const { riderId, paymentId, refundId, cents } = input
  const lines = between(cents, ofRider('rider_balance', riderId), ofRider('refund_payable', riderId))
  return { ...entry('balance_refund', `payment:${paymentId}`, input, lines), key: `balance_refund:${refundId}` }
}

/** The platform charges a rider's balance by hand, with a reason. */
export function platformCharge(input: OfRider & { readonly chargeId: number; readonly reason: string }): Entry {
  const { riderId, chargeId, cents, reason } = input
  const lines = between(cents, ofRider('rider_balance', riderId), own('agent_revenue'))
  return { ...entry('platform_charge', `platform-charge:${chargeId}`, input, lines), memo: reason }
}

type OfDeposit = OfRider & { readonly depositId: number }
const depositReference = ({ depositId }: OfDeposit): string => `deposit:${depositId}`

export function depositPay(input: OfDeposit & { readonly channel: Channel }): Entry {
  const lines = between(input.cents, clearing(input.channel), ofRider('rider_deposit', input.riderId))
  return entry('deposit_pay', depositReference(input), input, lines)
}

/** While a damage or fine is investigated, that part of the deposit cannot be refunded. */
export function depositFreeze(input: OfDeposit & { readonly caseId: number }): Entry {
  const { riderId, caseId, cents } = input
  const lines = between(cents, ofRider('rider_deposit', riderId), ofRider('rider_deposit_frozen', riderId))
  return { ...entry('deposit_freeze', depositReference(input), input, lines), key: `freeze:${caseId}` }
}

export function depositUnfreeze(input: OfDeposit & { readonly caseId: number }): Entry {
  const { riderId, caseId, cents } = input
  const lines = between(cents, ofRider('rider_deposit_frozen', riderId), ofRider('rider_deposit', riderId))
  return { ...entry('deposit_unfreeze', depositReference(input), input, lines), key: `unfreeze:${caseId}` }
}

/** A frozen part is kept for good; what is left of it is unfrozen by an entry of its own. */
export function depositRecovery(input: OfDeposit & { readonly caseId: number; readonly reason: string }): Entry {
  const { riderId, caseId, cents, reason } = input
  const lines = between(cents, ofRider('rider_deposit_frozen', riderId), own('deposit_recovered'))
  return {
    ...entry('deposit_recovery', depositReference(input), input, lines),
    key: `recovery:${caseId}`,
    memo: reason,
  }
}

export function depositRefund(input: OfDeposit): Entry {
  const { riderId, cents } = input
  const lines = between(cents, ofRider('rider_deposit', riderId), ofRider('refund_payable', riderId))
  return entry('deposit_refund', depositReference(input), input, lines)
}

/** A sold card is owed in days until they pass. */
export function cardSale(input: OfRider & { readonly cardId: number; readonly paidBy: Channel | 'balance' }): Entry {
  const { riderId, cardId, paidBy, cents } = input
  const source = paidBy === 'balance' ? ofRider('rider_balance', riderId) : clearing(paidBy)
  return entry('card_sale', `card:${cardId}`, input, between(cents, source, ofRider('card_unearned', riderId)))
}

/** What a day of a card earns, `day` as YYYY-MM-DD of the area. */
export function cardEarning(input: OfRider & { readonly cardId: number; readonly day: string }): Entry {
  const lines = between(input.cents, ofRider('card_unearned', input.riderId), own('agent_revenue'))
  return { ...entry('card_earning', `card:${input.cardId}`, input, lines), key: `earning:${input.day}` }
}

/** What the rides of a card have earned since its last entry; below zero where a refunded ride came back to it. */
export function cardRideEarning(input: OfRider & { readonly cardId: number; readonly number: number }): Entry {
  const { riderId, cardId, cents, number } = input
  const [unearned, revenue] = [ofRider('card_unearned', riderId), own('agent_revenue')]
  const lines = cents > 0 ? between(cents, unearned, revenue) : between(-cents, revenue, unearned)
  const earned = { ...entry('card_earning', `card:${cardId}`, input, lines), key: `rides:${number}` }
  return cents > 0 ? earned : { ...earned, memo: '骑行已退款，次数退回' }
}

/** What was not used of a card until its end. */
export function cardBreakage(input: OfRider & { readonly cardId: number }): Entry {
  const lines = between(input.cents, ofRider('card_unearned', input.riderId), own('agent_revenue'))
  return { ...entry('card_earning', `card:${input.cardId}`, input, lines), key: 'breakage', memo: '到期未用的次数' }
}

/** The days of a card that have not begun go back to where the money for it came from. */
export function cardRefund(input: OfRider & { readonly cardId: number; readonly paidBy: Channel | 'balance' }): Entry {
  const { riderId, cardId, paidBy, cents } = input
  const target = ofRider(paidBy === 'balance' ? 'rider_balance' : 'refund_payable', riderId)
  return entry('card_refund', `card:${cardId}`, input, between(cents, ofRider('card_unearned', riderId), target))
}

/** A refund that was booked, `reference` being what its payment was for. */
type OfRefund = OfRider & { readonly refundId: number; readonly reference: string }

/** The channel has paid a refund out. */
export function refundPaid(input: OfRefund & { readonly channel: Channel }): Entry {
  const lines = between(input.cents, ofRider('refund_payable', input.riderId), clearing(input.channel))
  return { ...entry('refund_paid', input.reference, input, lines), key: `refund_paid:${input.refundId}` }
}

/** The channel could not pay a refund out: the rider has it as balance. */
export function refundReturned(input: OfRefund & { readonly reason: string }): Entry {
  const { riderId, refundId, reference, cents, reason } = input
  const lines = between(cents, ofRider('refund_payable', riderId), ofRider('rider_balance', riderId))
  return { ...entry('refund_returned', reference, input, lines), key: `refund_returned:${refundId}`, memo: reason }
}

/** The channel has paid a refund out after all, and the rider has had it as balance before: the company bears it. */
export function refundPaidTwice(input: OfRefund & { readonly channel: Channel }): Entry {
  const lines = between(input.cents, own('adjustment'), clearing(input.channel))
  return { ...entry('refund_paid', input.reference, input, lines), key: `refund_paid:${input.refundId}` }
}

/** The channel keeps its fee of what it passes on. */
export function channelFee(input: Movement & { readonly channel: Channel; readonly statementId: number }): Entry {
  const lines = between(input.cents, own('channel_fee'), clearing(input.channel))
  return entry('channel_fee', `channel-statement:${input.statementId}`, input, lines)
}

export type Share = { readonly partyId: number } & (
  | { readonly basisPoints: number; readonly cents?: never }
  | { readonly cents: number; readonly basisPoints?: never }
)

const MAX_SHARES = 10
const WHOLE_BASIS_POINTS = 10_000

/**
 * What each party gets of a bill, in the order of the rule: a fixed sum as long as there is enough, a percentage of the
 * whole rounded down. The owner keeps the rest, so no cent is lost or made.
 */
export function splitCents(totalCents: number, shares: readonly Share[]): { shareCents: number[]; restCents: number } {
  if (shares.length > MAX_SHARES) throw new LedgerError(`${shares.length} parties share a bill`)
  let restCents = checkCents(totalCents)
  const shareCents = shares.map(({ basisPoints, cents }) => {
    const wanted =
      basisPoints === undefined
        ? cents
        : Number((BigInt(totalCents) * BigInt(basisPoints)) / BigInt(WHOLE_BASIS_POINTS))
    if (!Number.isSafeInteger(wanted) || wanted < 0) throw new LedgerError(`a share of ${wanted}`)
    const share = Math.min(wanted, restCents)
    restCents -= share
    return share
  })
  return { shareCents, restCents }
}

/** A day's income is divided: the platform's fee and the parties' shares go, the rest becomes available. */
export function billSplit(
  input: Movement & {
    readonly billId: number
    readonly platformBasisPoints: number
    readonly shares: readonly Share[]
  },
): Entry {
  const { cents, billId, platformBasisPoints, shares } = input
  const platform = splitCents(cents, [{ partyId: 0, basisPoints: platformBasisPoints }])
  const [feeCents = 0] = platform.shareCents
  const rest = platform.restCents === 0 ? null : splitCents(platform.restCents, shares)
  const parties = shares.map(({ partyId }, index) => ({
    account: { kind: 'party_available', ownerId: partyId } as const,
    amountCents: rest?.shareCents[index] ?? 0,
  }))
  const lines: Line[] = [
    { account: own('agent_revenue'), amountCents: -cents },
    { account: own('platform_fee'), amountCents: feeCents },
    ...parties,
    { account: own('agent_available'), amountCents: rest?.restCents ?? 0 },
  ]
  return entry(
    'bill_split',
    `bill:${billId}`,
    input,
    lines.filter(({ amountCents }) => amountCents !== 0),
  )
}

type OfWithdrawal = Movement & { readonly withdrawalId: number }
const withdrawalReference = ({ withdrawalId }: OfWithdrawal): string => `withdrawal:${withdrawalId}`

export function withdrawalRequest(input: OfWithdrawal): Entry {
  const lines = between(input.cents, own('agent_available'), own('agent_withdrawing'))
  return entry('withdrawal_request', withdrawalReference(input), input, lines)
}

/** The bank has paid out; the agent bears the fee for it, which the platform takes. */
export function withdrawalPaid(input: OfWithdrawal & { readonly feeCents: number }): Entry {
  const { cents, feeCents } = input
  if (feeCents < 0 || feeCents >= cents) throw new LedgerError(`a fee of ${feeCents} for ${cents} cents`)
  const paid: Line[] = [
    { account: own('agent_withdrawing'), amountCents: -checkCents(cents) },
    { account: clearing('bank'), amountCents: cents - feeCents },
    { account: own('platform_fee'), amountCents: feeCents },
  ]
  const lines = paid.filter(({ amountCents }) => amountCents !== 0)
  return entry('withdrawal_paid', withdrawalReference(input), input, lines)
}

export function withdrawalReturned(input: OfWithdrawal & { readonly reason: string }): Entry {
  const lines = between(input.cents, own('agent_withdrawing'), own('agent_available'))
  return { ...entry('withdrawal_returned', withdrawalReference(input), input, lines), memo: input.reason }
}

/** What the ledger calls an order. */
export const orderReference = (orderId: number): string => `order:${orderId}`

type OfOrder = Movement & { readonly orderId: number }
/** What one account gives for a ride; below zero what it gets. */
export type RideSource = { readonly account: AccountName; readonly cents: number }

function rideEntry(kind: EntryKind, input: OfOrder, cents: number, sources: readonly RideSource[]): Entry {
  const taken = sources.map(({ account, cents: part }) => ({ account, amountCents: -part }))
  return entry(kind, orderReference(input.orderId), input, [
    ...taken,
    { account: own('agent_revenue'), amountCents: cents },
  ])
}

/** The charge of a ride, from the accounts that pay for it: gifts, balance, a channel. */
export function rideCharge(input: OfOrder & { readonly sources: readonly RideSource[] }): Entry {
  return { ...rideEntry('ride_charge', input, input.cents, input.sources), key: 'ride_charge' }
}

/** The charge of a ride that was paid by a channel alone. */
export function rideChargeByChannel(input: OfOrder & { readonly channel: Channel }): Entry {
  return rideCharge({ ...input, sources: [{ account: clearing(input.channel), cents: input.cents }] })
}

/** Money of a ride goes back to the accounts that it came from, and gifts lapse; `targets` are what each account gets. */
export function rideRefund(
  input: OfOrder & { readonly refundId: number; readonly targets: readonly RideSource[] },
): Entry {
  const sources = input.targets.map(({ account, cents }) => ({ account, cents: -cents }))
  return { ...rideEntry('ride_refund', input, -input.cents, sources), key: `ride_refund:${input.refundId}` }
}
