import { sql } from 'kysely'
import { AppError } from '@saddle/contract/errors.ts'
import { businessDayOf } from '@saddle/contract/time.ts'
import type { Tx } from '#kit/db/pool.ts'
import { computed, rowOf, rowOfValues, rowsOf } from '#kit/db/rows.ts'
import { findProduct } from '../cardProducts/store.ts'
import { begunDays } from './rules.ts'
import { beginOf, cardOfRequest, insertGiven, lockRider } from './store.ts'

/**
 * Gives a rider a card of a product, whether or not it is on sale: nothing is booked, it takes nothing from the stock, and
 * it cannot be paid back. Given again with the same request, it is the same card. Throws not_found.
 */
export async function giveCard(
  tx: Tx,
  given: { agentId: number; riderId: number; productId: number; at: Date; requestId: string },
): Promise<number> {
  const { agentId, riderId, productId, at, requestId } = given
  const who = { agentId, riderId }
  if (!(await lockRider(tx, who))) throw new AppError('not_found')
  const known = await cardOfRequest(tx, who, requestId)
  if (known !== undefined) return known
  const product = await findProduct(tx, { agentId, productId })
  const beginsOn = await beginOf(tx, { who, card: product, today: businessDayOf(at.getTime()) })
  return insertGiven(tx, { who, product, requestId, at, beginsOn })
}

const givenRow = rowsOf(
  rowOf('rider_card', 'c', ['state', 'days', 'begins_on', 'rides', 'ridden']),
  rowOfValues({ used_on: computed('date?', sql`(select max(u.used_on) from card_use u where u.card_id = c.id)`) }),
)

/**
 * Ends a card that was given: it lowers no ride from now on. Resolves to the days of it that the rider keeps, because they
 * have begun; all of them when it was over already. Throws not_found for a card that was bought.
 */
export async function endGivenCard(
  tx: Tx,
  ended: { agentId: number; cardId: number; at: Date; by: string; reason: string },
): Promise<number> {
  const { agentId, cardId, at, by, reason } = ended
  const { rows } = await givenRow.select`
    from rider_card c where c.id = ${cardId} and c.agent_id = ${agentId} and c.paid_by = 'gift'
    for update of c`.execute(tx)
  const [card] = rows
  if (card === undefined) throw new AppError('not_found')
  const { state, days, begins_on, used_on } = card
  if (state === 'over' || begins_on === null) return days
  const today = businessDayOf(at.getTime())
  const kept = begunDays({ begins_on, days, usedToday: used_on === today }, today)
  if (state !== 'active') return kept
  await sql`
    update rider_card set state = 'revoked', revoked_at = ${at}, revoked_by = ${by}, revoke_reason = ${reason}
    where id = ${cardId}`.execute(tx)
  return kept
}
