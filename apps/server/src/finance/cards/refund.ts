import type { RiderCard } from '@saddle/contract/finance/cards.ts'
import { AppError } from '@saddle/contract/errors.ts'
import { businessDayOf } from '@saddle/contract/time.ts'
import type { SessionCall } from '#kit/call.ts'
import type { Tx } from '#kit/db/pool.ts'
import { cardRefund } from '../ledger/recipes.ts'
import type { Count } from '../secondPerson/secondPerson.ts'
import type { MoneyDeps } from '../deps.ts'
import { ofRider, type Who } from '../wallet/who.ts'
import { readCard, refundableCents } from './cards.ts'
import { earningsOf, rideEarnings } from './earning.ts'
import { refundOf } from './rules.ts'
import { lockSoldCard, markRefunded } from './store.ts'

/**
 * Gives a card back: its days or rides until now are earned, those that are left are paid back to where the money came
 * from, and from now on it lowers no ride. Throws not_found and card_not_refundable.
 */
export async function refundCard(
  parts: MoneyDeps,
  call: SessionCall,
  { cardId, reason }: { cardId: number; reason: string },
): Promise<RiderCard> {
  const { kit, audit, ledger, payments } = parts
  const { scope, caller } = call
  const at = kit.clock.now()
  const today = businessDayOf(at)
  const refunding = async (tx: Tx, count: Count): Promise<Who> => {
    const card = await lockSoldCard(tx, { scope, id: cardId, today })
    const { agent_id: agentId, rider_id: riderId, begins_on, used_today: usedToday } = card
    const cents = refundableCents(card, today)
    if (cents === 0 || begins_on === null || card.paid_by === null || card.paid_by === 'gift') {
      throw new AppError('card_not_refundable')
    }
    const { used } = refundOf({ ...card, begins_on, usedToday }, today)
    const { paid_by: paidBy } = card
    await count(tx, { act: 'card_refund', agentId, riderId, areaId: null, cents, reason })
    await markRefunded(tx, { id: cardId, used, cents, at: new Date(at), by: caller.name, reason })
    await audit.act(tx, call, {
      ...ofRider({ agentId, riderId }),
      action: 'card.refund',
      after: { cardId, cents, reason },
    })
    if (paidBy !== 'balance') {
      const refund = await payments.giveBack(tx, { agentId, purpose: 'card', subjectId: cardId, cents, reason })
      if (refund === null) throw new AppError('card_not_refundable')
    }
    // Under the keys of the days, so that what the worker books at the same moment is booked once.
    const { rides, ends_on } = card
    const earned =
      rides === null || ends_on === null
        ? earningsOf({ ...card, begins_on }, used)
        : rideEarnings({ ...card, rides, ends_on }, { at, isOver: false })
    for (const entry of earned) await ledger.post(entry, tx)
    await ledger.post({ ...cardRefund({ agentId, riderId, cardId, cents, at, paidBy }), memo: reason }, tx)
    return { agentId, riderId }
  }
  const input = { cardId, reason }
  const who = await parts.secondPerson.hold(call, input, (count) => kit.db.system((tx) => refunding(tx, count)))
  return readCard(parts, who, cardId)
}
