import type { AllCalls, EndpointName } from './endpoints.ts'
import type { ErrorCode } from './errors.ts'

/** What those outside read of the calls of riders' apps: the documents and the OpenAPI page in English. */

/** Below this path all of them are. */
export const riderApiPath = '/rider/v1/'

type AppCall = {
  [Name in EndpointName]: AllCalls[Name]['permission'] extends 'app' ? Name : never
}[EndpointName]

/** Every call that an application of riders may make; a new one does not compile without its sentence. */
export const riderCalls = {
  nearVehicles:
    'Vehicles near a position that can be ridden, nearest first. When there is none, the place is counted as unmet demand (no rider is noted).',
  quoteRide: 'The price rules of one vehicle right now.',
  reserveRide:
    'Reserves a vehicle for ten minutes. The same rider and vehicle again answers with the same reservation.',
  cancelRide: 'Cancels a reservation.',
  unlockRide:
    'Unlocks a vehicle, with or without a reservation. The charge begins when the lock has confirmed that it is open.',
  pauseRide: 'Locks the vehicle for a stop; the charge goes on.',
  resumeRide: 'Unlocks the vehicle after a stop.',
  endRide:
    'Ends the ride: the place is judged, the lock is closed, and when it has confirmed the ride is charged. Repeating answers the same. Photos of the parked vehicle may be attached.',
  payRide:
    'Pays a ride that is due: from gift balance, then balance. When these do not suffice, the answer holds the parameters of the payment channel, and the ride is paid when the channel has called back.',
  readRide: 'One ride as it is now, with every line of its charge.',
  ownRides: 'The latest rides of the rider, newest first.',
  disputeRide: 'Disputes the fee of a return; a person decides. Photos may be attached.',
  openApp: 'The rider opened the app: notes the phone and the time, answers with certification and ban.',
  certifyRider:
    'Registers name and certificate number, which your application has verified. A certificate that another account holds is refused: ask for a rebind.',
  submitCertificate: 'Hands in a student or profession proof for review; one of a kind may wait at a time.',
  askRebind:
    'Asks for a rebind: a new phone number (newPhone), or the certificate of an old account for this one (name, certNumber).',
  readWallet: 'The wallet: balance, gift balance, deposit, valid cards and the latest lines of the statement.',
  recharge:
    'Recharges the balance: answers with the parameters of the payment channel; booked when the channel has called back.',
  quoteDeposit:
    'How much deposit the rider still has to pay to ride in a service area; zero when it is paid or waived.',
  payDeposit: 'Pays what is missing of the deposit of a service area; payment is null when nothing is.',
  takeDepositBack:
    'Refunds the part of the deposit that is not frozen to the channel it came from; not while a ride lasts or is due.',
  offeredCards: 'Riding cards and discount cards on sale.',
  buyCard:
    'Buys a card, from the balance at once or through a payment channel. A card of the same kind begins where the present one ends.',
  riderOpenTicket:
    'Opens a ticket. The same requestId answers with the same ticket. A fault of a vehicle also makes a repair task.',
  riderTickets: 'The latest tickets of the rider, newest first, twenty at most.',
  riderSay: 'Adds to a ticket; one that was answered is opened again within seven days.',
  riderConfirm: 'Accepts the answer of a ticket with a rating and closes it; repeating changes the rating only.',
  takeBalanceBack:
    'Gives the balance back through the channels that brought it; the gift lapses. Repeating gives nothing more back.',
  riderInvoiceables: 'Rides and recharges that can be invoiced: what was paid, not refunded and not invoiced yet.',
  riderAskInvoice: 'Asks for an invoice of rides or recharges; a company needs its tax number.',
  riderInvoices: 'The invoices of the rider, newest first, fifty at most.',
  riderCancelInvoice: 'Withdraws a request for an invoice that nobody has handled yet; repeating answers the same.',
  riderActivities:
    'Activities that count rides, in reach of the rider: the progress of the present round, and what each level gives.',
  riderCoupons:
    'The coupons of the rider: the open ones first, by when they lapse, then the others, newest first; a hundred at most.',
  riderMessages:
    'Messages to the rider from campaigns, newest first, with the number of unread ones; a hundred at most.',
  riderReadMessages: 'Marks the messages of the rider as read.',
  riderClaimCoupon:
    'Claims a coupon by its code. A code is one coupon of one rider; the same rider again answers with the same coupon.',
  riderHelp:
    'Published help articles of an area in their order, with the beginning of each; Chinese where English is missing. May be searched by text.',
  riderReadHelp:
    'One help article as blocks of headings, paragraphs, lists and pictures. With a phone it counts as a view; views within a minute are one.',
  riderJudgeHelp: 'Says whether a help article was useful; saying it again replaces what was said before.',
  riderTelephones:
    'The telephone lines that are answered now, the one to show first in front. When nobody answers, nextAt says when somebody does.',
  riderPlacements:
    'What a slot of the app shows a rider now. The order is fixed for the rider and the day; weights decide how often each comes first.',
  riderReportPlacements:
    'Reports impressions and taps, at most 100 at a time and not older than 48 hours. The id of an event counts once. The others are named with the reason.',
  riderPicture: 'A picture of a published article or of a placement that is on. It never changes and may be cached.',
  riderRechargeOffers:
    'The amounts that the rider can tap now, with what each gives; what may still be paid in; and what the latest recharges were given, with the reason where one got nothing.',
  riderRechargeWithOffer:
    'Recharges by an amount of an activity, which gives when the payment settles. When the activity has stopped or its budget is used up by then, the recharge is booked without a gift, and the rider may take the balance back.',
  riderOwnInvites:
    'The invite code of the rider, what both sides get for it, and what became of those whom the rider brought. The code is made when it is asked for the first time while an activity runs; a rider who is new is registered then.',
  riderBindInvite:
    'A new rider names who brought them by the code: once, within some days of registering and before the first paid ride. Repeating it answers the same. Tell the telephone (device) as in /open.',
} as const satisfies Readonly<Record<AppCall, string>>

/** The refusals that these calls answer with, beside faults of the application's own code. */
export const riderRefusals = [
  'bad_request',
  'unknown_field',
  'unauthorized',
  'foreign_scope',
  'not_found',
  'payload_too_large',
  'too_many_requests',
  'insecure_transport',
  'unavailable',
  'franchisee_missing',
  'rider_unknown',
  'rider_banned',
  'rider_busy',
  'order_due',
  'deposit_missing',
  'vehicle_not_found',
  'vehicle_busy',
  'vehicle_unavailable',
  'price_missing',
  'ride_step_refused',
  'return_refused',
  'return_photos_full',
  'photo_invalid',
  'photo_too_large',
  'photo_missing',
  'payment_unavailable',
  'balance_insufficient',
  'deposit_insufficient',
  'certificate_taken',
  'already_certified',
  'rebind_taken',
  'rebind_needless',
  'request_waiting',
  'request_decided',
  'ticket_step_refused',
  'ticket_photos_full',
  'invoice_decided',
  'invoice_above_paid',
  'invoice_items_taken',
  'prepaid_cap',
  'recharge_offer_over',
  'recharge_offer_first',
  'recharge_offer_used',
  'coupon_off',
  'coupon_budget_spent',
  'coupon_code_unknown',
  'coupon_code_taken',
  'coupon_code_over',
  'coupon_code_revoked',
  'coupon_cap',
  'coupon_device',
  'invite_code_unknown',
  'invite_guesses_spent',
  'invite_own_code',
  'invite_bound',
  'invite_not_new',
  'invite_off',
  'idempotency_mismatch',
] as const satisfies readonly ErrorCode[]
