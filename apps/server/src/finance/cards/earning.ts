import { sql } from 'kysely'
import { addDays, businessDayEnd, businessDayOf } from '@saddle/contract/time.ts'
import { rowOf, type RowOf } from '#kit/db/rows.ts'
import type { Tx } from '#kit/db/pool.ts'
import { cardBreakage, cardEarning, cardRideEarning } from '../ledger/recipes.ts'
import type { Entry } from '../ledger/rules.ts'
import type { MoneyDeps } from '../deps.ts'
import { earnedOnDay, earnedUntil, passedDays } from './rules.ts'
import { markEarned, selectUnearned, type EarningCard } from './store.ts'

type Deps = Pick<MoneyDeps, 'kit' | 'ledger'>

const earnedAtOnce = 500

/** Books what cards have earned by their days and by their rides. Resolves to the number of entries. */
export async function earnCards(deps: Deps): Promise<number> {
  return (await earnDays(deps)) + (await earnRides(deps))
}

/**
 * Each day of a card is one entry under its own key: what a server had posted when it died is answered with the first
 * entry, and no day is earned twice.
 */
async function earnDays({ kit, ledger }: Deps): Promise<number> {
  const today = businessDayOf(kit.clock.now())
  let earned = 0
  for (;;) {
    const cards = await kit.db.systemRead((k) => selectUnearned(today, earnedAtOnce).compile(k))
    const entries = cards.flatMap((card) => earningsOf(card, passedDays(card, today)))
    const answers = await ledger.postMany(entries)
    const refused = answers.find((answer) => answer.status === 'rejected')
    if (refused !== undefined) throw new Error('the ledger refused what cards have earned', { cause: refused.reason })
    earned += entries.length
    await kit.db.system((tx) =>
      markEarned(
        tx,
        cards.map((card) => ({ id: card.id, earnedDays: passedDays(card, today) })),
      ),
    )
    if (cards.length < earnedAtOnce) return earned
  }
}

/** The entries of what a card has earned until so many of its days, but for those that are booked. */
export function earningsOf(card: EarningCard, until: number): Entry[] {
  const { id: cardId, agent_id: agentId, rider_id: riderId, price_cents: priceCents, days } = card
  const entries: Entry[] = []
  for (let index = card.earned_days; index < until; index += 1) {
    const cents = earnedOnDay({ priceCents, days, index })
    const day = addDays(card.begins_on, index)
    // A card of fewer cents than days has days that earn nothing.
    if (cents > 0) entries.push(cardEarning({ agentId, riderId, cardId, cents, day, at: businessDayEnd(day) }))
  }
  return entries
}

export const rideCardRow = rowOf('rider_card', 'c', [
  'id',
  'agent_id',
  'rider_id',
  'price_cents',
  'rides',
  'ridden',
  'earned_rides',
  'earnings',
  'ends_on',
]).filled('rides', 'ends_on')
export type RideCard = RowOf<typeof rideCardRow>

const idRow = rowOf('rider_card', 'c', ['id'])
const isDue = (today: string) => sql<boolean>`c.state = 'active' and c.rides is not null
  and (c.ridden <> c.earned_rides or c.ends_on <= ${today}::date)`

/** One card a transaction, with its entries: a ride that comes back can take an earned one back. */
async function earnRides({ kit, ledger }: Deps): Promise<number> {
  const now = kit.clock.now()
  const today = businessDayOf(now)
  let earned = 0
  for (;;) {
    const query = idRow.select`from rider_card c where ${isDue(today)} order by c.id limit ${earnedAtOnce}`
    const due = await kit.db.systemRead((k) => query.compile(k))
    for (const { id } of due) {
      earned += await kit.db.system(async (tx) => {
        const [card] = (
          await rideCardRow.select`
            from rider_card c where c.id = ${id} and ${isDue(today)} for no key update`.execute(tx)
        ).rows
        if (card === undefined) return 0
        const isOver = card.ends_on <= today
        const entries = rideEarnings(card, { at: now, isOver })
        await markRides(tx, card, { isOver, entries: entries.length })
        for (const entry of entries) await ledger.post(entry, tx)
        return entries.length
      })
    }
    if (due.length < earnedAtOnce) return earned
  }
}

/** What the rides of a card have earned since it was looked at last, and at its end what was not used of it. */
export function rideEarnings(card: RideCard, { at, isOver }: { at: number; isOver: boolean }): Entry[] {
  const { id: cardId, agent_id: agentId, rider_id: riderId, price_cents: cents, rides: parts, ridden } = card
  const own = { agentId, riderId, cardId, at }
  const until = (count: number): number => earnedUntil({ cents, parts, count })
  const entries: Entry[] = []
  const ridesCents = until(ridden) - until(card.earned_rides)
  if (ridesCents !== 0) entries.push(cardRideEarning({ ...own, cents: ridesCents, number: card.earnings + 1 }))
  const restCents = cents - until(ridden)
  if (isOver && restCents > 0) {
    entries.push(cardBreakage({ ...own, cents: restCents, at: businessDayEnd(addDays(card.ends_on, -1)) }))
  }
  return entries
}

async function markRides(tx: Tx, card: RideCard, done: { isOver: boolean; entries: number }): Promise<void> {
  const { isOver, entries } = done
  await sql`
    update rider_card set earned_rides = ${isOver ? card.rides : card.ridden}, earnings = earnings + ${entries},
      state = case when ${isOver}::boolean then 'over' else state end
    where id = ${card.id}`.execute(tx)
}
