import type { AccountKind, EntryKind } from '@saddle/contract/finance/ledger.ts'
import { platformNotes } from '@saddle/contract/finance/platformNotes.ts'
import { LedgerError, type AccountName, type Entry, type Line } from './rules.ts'

/** Through whom money comes in and goes out. */
export type Channel = 'wechat' | 'alipay' | 'bank' | 'sandbox'

/** What every movement has: whose book, when (milliseconds since 1970), and how much in whole cents. */
export type Movement = { readonly agentId: number; readonly at: number; readonly cents: number }
type OfRider = Movement & { readonly riderId: number }

export const clearing = (channel: Channel): AccountName => ({ kind: `clearing_${channel}` })
export const own = (kind: AccountKind): AccountName => ({ kind })
const ofRider = (kind: AccountKind, riderId: number): AccountName => ({ kind, ownerId: riderId })

function checkCents(cents: number): number {
  if (!Number.isSafeInteger(cents) || cents <= 0) throw new LedgerError(`${cents} is no amount of cents`)
  return cents
}

/** One account is owed less, another more. */
export function between(cents: number, from: AccountName, to: AccountName): Line[] {
  return [
    { account: from, amountCents: -checkCents(cents) },
    { account: to, amountCents: cents },
  ]
}

export function entry(kind: EntryKind, reference: string, { agentId, at }: Movement, lines: Line[]): Entry {
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
  return cents > 0 ? earned : { ...earned, memo: platformNotes.usesReturned }
}

/** What was not used of a card until its end. */
export function cardBreakage(input: OfRider & { readonly cardId: number }): Entry {
  const lines = between(input.cents, ofRider('card_unearned', input.riderId), own('agent_revenue'))
  return {
    ...entry('card_earning', `card:${input.cardId}`, input, lines),
    key: 'breakage',
    memo: platformNotes.usesLapsed,
  }
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

/** The channel keeps its fee of what it passes on; below zero it has given back more than it took, of refunds. */
export function channelFee(input: Movement & { readonly channel: Channel; readonly statementId: number }): Entry {
  const [fee, held] = [own('channel_fee'), clearing(input.channel)]
  const lines = input.cents > 0 ? between(input.cents, fee, held) : between(-input.cents, held, fee)
  return entry('channel_fee', `channel-statement:${input.statementId}`, input, lines)
}

/** Parts of a bill, which sum to what was paid; those below zero are owed. */
export type BillParts = {
  readonly paidCents: number
  readonly feeCents: number
  readonly platformBorneCents: number
  readonly partnerBorneCents: number
  readonly ownerCents: number
  readonly parties: readonly { readonly partyId: number; readonly cents: number }[]
}

/**
 * The income of a closed day is divided: what the channel keeps covers its fee, what others bear is owed by them, and
 * shares are in transit until the channel has settled. Null where nothing moves.
 */
export function billSplit(input: Omit<Movement, 'cents'> & BillParts & { readonly billId: number }): Entry | null {
  const { agentId, at, billId, paidCents, feeCents, platformBorneCents, partnerBorneCents, ownerCents } = input
  const parties = input.parties.map(({ partyId, cents }) => ({
    account: { kind: 'party_in_transit', ownerId: partyId } as const,
    amountCents: cents,
  }))
  const all: Line[] = [
    { account: own('agent_revenue'), amountCents: -paidCents },
    { account: own('channel_fee'), amountCents: feeCents },
    { account: own('platform_receivable'), amountCents: platformBorneCents },
    { account: own('partner_receivable'), amountCents: partnerBorneCents },
    ...parties,
    { account: own('agent_in_transit'), amountCents: ownerCents },
  ]
  const lines = all.filter(({ amountCents }) => amountCents !== 0)
  return lines.length === 0 ? null : { agentId, kind: 'bill_split', reference: `bill:${billId}`, occurredAt: at, lines }
}

/** What a settlement does with a share: repays a debt (below zero: adds to it), fills the reserve, and the rest is available. */
export type SettledShare = {
  readonly cents: number
  readonly repaidCents: number
  readonly reservedCents: number
  readonly availableCents: number
}

/** Shares of a closed day leave the state in transit: the payment channel has settled. Null where nothing moves. */
export function splitSettlement(
  input: Omit<Movement, 'cents'> & {
    readonly day: string
    readonly number: number
    readonly owner: SettledShare
    readonly parties: readonly (SettledShare & { readonly partyId: number })[]
  },
): Entry | null {
  const { agentId, at, day, number, owner, parties } = input
  const all: Line[] = [
    { account: own('agent_in_transit'), amountCents: -owner.cents },
    { account: own('agent_receivable'), amountCents: owner.repaidCents },
    { account: own('agent_reserve'), amountCents: owner.reservedCents },
    { account: own('agent_available'), amountCents: owner.availableCents },
    ...parties.flatMap(({ partyId: ownerId, cents, repaidCents, availableCents }): Line[] => [
      { account: { kind: 'party_in_transit', ownerId }, amountCents: -cents },
      { account: { kind: 'party_receivable', ownerId }, amountCents: repaidCents },
      { account: { kind: 'party_available', ownerId }, amountCents: availableCents },
    ]),
  ]
  const lines = all.filter(({ amountCents }) => amountCents !== 0)
  if (lines.length === 0) return null
  return {
    agentId,
    kind: 'split_settlement',
    reference: `split-day:${day}`,
    key: `settlement:${number}`,
    occurredAt: at,
    lines,
  }
}

/** Income of a closed bill is put right, in the day that is open. */
export function billCorrection(
  input: Omit<Movement, 'cents'> & {
    readonly billId: number
    readonly key: string
    readonly cents: number
    readonly reason: string
  },
): Entry {
  const { agentId, at, billId, key, cents, reason } = input
  const lines =
    cents > 0
      ? between(cents, own('adjustment'), own('agent_revenue'))
      : between(-cents, own('agent_revenue'), own('adjustment'))
  return { agentId, kind: 'adjustment', reference: `bill:${billId}`, key, occurredAt: at, memo: reason, lines }
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

/** A company pays in for services of the platform, through a channel or out of what it may withdraw. */
export function serviceRecharge(
  input: Movement & { readonly noteId: number; readonly from: Channel | 'available' },
): Entry {
  const { noteId, from, cents } = input
  const source = from === 'available' ? own('agent_available') : clearing(from)
  return entry('service_recharge', `charge-note:${noteId}`, input, between(cents, source, own('service_balance')))
}

export const serviceBillReference = (billId: number): string => `service-bill:${billId}`

/** A bill of services is paid out of the balance, also in parts. */
export function serviceCharge(input: Movement & { readonly billId: number; readonly spendId: number }): Entry {
  const lines = between(input.cents, own('service_balance'), own('platform_fee'))
  return { ...entry('service_charge', serviceBillReference(input.billId), input, lines), key: `spend:${input.spendId}` }
}

/** What was paid of a bill and is disputed belongs to nobody until that is decided. */
export function serviceHold(input: Movement & { readonly objectionId: number }): Entry {
  const lines = between(input.cents, own('platform_fee'), own('service_held'))
  return entry('service_hold', `objection:${input.objectionId}`, input, lines)
}

/** A dispute over paid money ends: a part goes back to the company's balance, the platform keeps the rest. */
export function serviceRelease(
  input: Movement & { readonly objectionId: number; readonly backCents: number; readonly reason: string },
): Entry {
  const { cents, backCents, objectionId, reason } = input
  if (!Number.isSafeInteger(backCents) || backCents < 0 || backCents > cents) throw new LedgerError(`${backCents} back`)
  const all: Line[] = [
    { account: own('service_held'), amountCents: -checkCents(cents) },
    { account: own('service_balance'), amountCents: backCents },
    { account: own('platform_fee'), amountCents: cents - backCents },
  ]
  const lines = all.filter(({ amountCents }) => amountCents !== 0)
  return { ...entry('service_release', `objection:${objectionId}`, input, lines), memo: reason }
}

/** Settled income that the company disputes cannot be withdrawn until that is decided. */
export function splitHold(input: Movement & { readonly objectionId: number }): Entry {
  const lines = between(input.cents, own('agent_available'), own('agent_disputed'))
  return entry('split_hold', `objection:${input.objectionId}`, input, lines)
}

/** The dispute is decided: what was held can be withdrawn again, whatever the decision. */
export function splitRelease(input: Movement & { readonly objectionId: number }): Entry {
  const lines = between(input.cents, own('agent_disputed'), own('agent_available'))
  return entry('split_release', `objection:${input.objectionId}`, input, lines)
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
