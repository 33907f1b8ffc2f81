import { sql } from 'kysely'
import { businessDayOf, dayMs, minuteMs } from '@saddle/contract/time.ts'
import type { Tx } from '#kit/db/pool.ts'
import { computed, rowOf, rowOfValues, rowsOf, type RowOf } from '#kit/db/rows.ts'
import { unnest } from '#kit/db/unnest.ts'
import type { Kit } from '#kit/kit.ts'
import {
  activateCard,
  beginOf,
  benefitsOfCards,
  cardSale,
  insertCard,
  rideCardRow,
  rideEarnings,
  takeFromStock,
  validCardRow,
} from '#finance/demoDoor.ts'
import type { Ledger } from '#finance/public.ts'
import { demoTenants, platformAgentId } from '#demo/tenants.ts'
import { savedBy, type BookedRide, type PastRide, type PastSource } from './benefits.ts'
import { openMall, type Mall } from './cards.ts'
import { drawOf } from './riderFacts.ts'

/**
 * Cards that riders of the past bought by a payment channel shortly before a ride, and the rides that they were used for. A
 * rider buys the card that suits the rides of the week before, as riders of the live city do.
 */

type Deps = { readonly kit: Pick<Kit, 'db' | 'clock'>; readonly ledger: Pick<Ledger, 'postLast'> }

/** One rider in so many buys cards. */
const buyerEvery = 8
const paceDays = 7
/** From so many rides of the week before on a card of days pays, and from so many one of rides or percent. */
const [daysFromRides, ridesFromRides] = [4, 2]
const holdMs = 15 * minuteMs

const heldRow = rowsOf(
  validCardRow,
  rowOf('rider_card', 'c', ['rider_id', 'begins_on']).filled('begins_on'),
  rowOfValues({ uses: computed('jsonb', sql`u.uses`) }),
)
type Held = Omit<RowOf<typeof heldRow>, 'uses' | 'ridden'> & { ridden: number; readonly uses: Map<string, number> }

/** Cards while rides of the past are booked. A past that was cut short goes on with the cards that were sold. */
export async function openPastCards({ kit, ledger }: Deps): Promise<PastSource> {
  const now = kit.clock.now()
  const malls = new Map<number, Mall>()
  for (const { id: agentId } of demoTenants) {
    if (agentId !== platformAgentId) malls.set(agentId, await kit.db.system((tx) => openMall(tx, agentId, now)))
  }
  let held = new Map<number, Held[]>()
  const validOn = (riderId: number, day: string) =>
    (held.get(riderId) ?? [])
      .filter(({ begins_on: first, ends_on: end }) => first <= day && end > day)
      .map((card) => Object.assign({}, card, { uses: card.uses.get(day) ?? 0 }))
  return {
    plan: async (rides) => {
      const day = businessDayOf(Math.min(...rides.map(({ startedAt }) => startedAt)))
      held = await readHeld(kit, day)
      const first = new Map(rides.toReversed().map((ride) => [ride.riderId, ride]))
      const without = [...first.values()].filter(
        ({ riderId, startedAt }) =>
          drawOf(riderId, 80, buyerEvery) === 0 &&
          benefitsOfCards(validOn(riderId, businessDayOf(startedAt))).benefits.length === 0,
      )
      const sold = await sell({ kit, ledger }, malls, without)
      if (sold > 0) held = await readHeld(kit, day)
    },
    held: ({ riderId, startedAt }) => benefitsOfCards(validOn(riderId, businessDayOf(startedAt))),
    take: ({ riderId, startedAt }, lines) => {
      const day = businessDayOf(startedAt)
      for (const id of savedBy(lines, 'riding_card', 'discount_card').keys()) {
        const card = held.get(riderId)?.find((one) => one.id === id)
        if (card === undefined) continue
        card.ridden += 1
        card.uses.set(day, (card.uses.get(day) ?? 0) + 1)
      }
    },
    store: (tx, rides) => storeUses({ ledger }, tx, rides),
  }
}

/** Cards that are valid from a day on. One of so many rides that the worker has ended meanwhile is not any more. */
async function readHeld({ db }: Pick<Kit, 'db'>, day: string): Promise<Map<number, Held[]>> {
  const { rows } = await db.system((tx) =>
    heldRow.select`
      from rider_card c cross join lateral (
        select coalesce(jsonb_object_agg(d.day, d.uses), '{}') as uses from (
          select u.used_on::text as day, count(*) as uses from card_use u
          where u.card_id = c.id and u.used_on >= ${day}::date and u.returned_at is null group by 1
        ) d
      ) u
      where c.ends_on > ${day}::date and (c.state = 'active' or (c.state = 'over' and c.rides is null))
      order by c.id`.execute(tx),
  )
  const held = new Map<number, Held[]>()
  for (const { uses, ...row } of rows) {
    const card: Held = { ...row, uses: new Map(Object.entries(uses as Record<string, number>)) }
    held.set(row.rider_id, [...(held.get(row.rider_id) ?? []), card])
  }
  return held
}

const paceRow = rowOfValues({
  rider_id: computed('bigint', sql`n.rider_id`),
  rides: computed('bigint', sql`o.rides`),
  bought: computed('text[]', sql`c.bought`),
})

/** Which card of the mall a rider buys; null: none. */
function wishOf({ riderId, rides, bought }: { riderId: number; rides: number; bought: readonly string[] }) {
  const count = bought.length
  // Some have had enough of cards.
  if (count > 0 && drawOf(riderId + count, 81, 3) === 0) return null
  const either = (question: number): boolean => drawOf(riderId + count, question, 2) === 0
  if (rides >= daysFromRides) return either(82) ? '月度骑行卡' : '七日骑行卡'
  if (rides >= ridesFromRides) return either(84) ? '十次骑行卡' : '九折优惠卡'
  return either(85) && !bought.includes('三次尝鲜卡') ? '三次尝鲜卡' : null
}

/** Sells cards to riders who have none that is valid, a few minutes before their ride. Resolves to their number. */
async function sell(
  { kit, ledger }: Deps,
  malls: ReadonlyMap<number, Mall>,
  rides: readonly PastRide[],
): Promise<number> {
  if (rides.length === 0) return 0
  const from = new Date(Math.min(...rides.map(({ startedAt }) => startedAt)) - paceDays * dayMs)
  return kit.db.system(async (tx) => {
    const { rows } = await paceRow.select`
      from unnest(${rides.map(({ riderId }) => riderId)}::bigint[]) as n (rider_id)
      cross join lateral (
        select count(*) as rides from ride_order o where o.rider_id = n.rider_id and o.placed_at > ${from}
      ) o
      cross join lateral (
        select coalesce(array_agg(c.name), '{}') as bought from rider_card c where c.rider_id = n.rider_id
      ) c`.execute(tx)
    const paces = new Map(rows.map((row) => [row.rider_id, row]))
    let sold = 0
    for (const ride of rides) {
      const { agentId, riderId, startedAt } = ride
      const pace = paces.get(riderId)
      const wish = pace === undefined ? null : wishOf({ riderId, rides: pace.rides, bought: pace.bought })
      const productId = wish === null ? undefined : malls.get(agentId)?.idOf.get(wish)
      if (pace === undefined || productId === undefined) continue
      const at = startedAt - (2 + drawOf(riderId, 83, 15)) * minuteMs
      await sellOne({ ledger }, tx, { ...ride, productId, at, number: pace.bought.length + 1 })
      sold += 1
    }
    return sold
  })
}

async function sellOne(
  { ledger }: Pick<Deps, 'ledger'>,
  tx: Tx,
  sale: PastRide & { readonly productId: number; readonly at: number; readonly number: number },
): Promise<void> {
  const { agentId, riderId, productId, at, number } = sale
  const [who, boughtAt] = [{ agentId, riderId }, new Date(at)]
  const product = await takeFromStock(tx, { agentId, productId, at: boughtAt })
  const requestId = `history-card-${riderId}-${number}`
  const cardId = await insertCard(tx, { who, product, requestId, at: boughtAt, heldUntil: new Date(at + holdMs) })
  const beginsOn = await beginOf(tx, { who, card: product, today: businessDayOf(at) })
  await activateCard(tx, { id: cardId, paidBy: 'sandbox', at: boughtAt, beginsOn })
  await sql`
    insert into payment (agent_id, rider_id, purpose, subject_id, became, channel, number, cents, state, trade_number,
      created_at, paid_at)
    values (${agentId}, ${riderId}, 'card', ${cardId}, 'card', 'sandbox', md5(${`history card ${cardId}`}),
      ${product.price_cents}, 'paid', ${`history-card-${cardId}`}, ${new Date(at - 20_000)}, ${boughtAt})`.execute(tx)
  ledger.postLast(cardSale({ agentId, riderId, cardId, cents: product.price_cents, paidBy: 'sandbox', at }), tx)
}

type Use = { readonly cardId: number; readonly cents: number; readonly ride: BookedRide }

async function storeUses({ ledger }: Pick<Deps, 'ledger'>, tx: Tx, rides: readonly BookedRide[]): Promise<void> {
  const uses = rides.flatMap((ride) =>
    [...savedBy(ride.lines, 'riding_card', 'discount_card')].map(([cardId, cents]): Use => ({ cardId, cents, ride })),
  )
  if (uses.length === 0) return
  const rows = unnest<Use>({
    rows: uses,
    alias: 'u',
    columns: {
      order_id: ['bigint', ({ ride }) => ride.orderId],
      card_id: ['bigint', ({ cardId }) => cardId],
      agent_id: ['bigint', ({ ride }) => ride.agentId],
      used_on: ['date', ({ ride }) => businessDayOf(ride.startedAt)],
      saved_cents: ['bigint', ({ cents }) => cents],
    },
  })
  await sql`insert into card_use (order_id, card_id, agent_id, used_on, saved_cents) select * from ${rows}`.execute(tx)
  await earnRides({ ledger }, tx, uses)
}

/** Each ride of a card of so many rides earns its part when it ends. */
async function earnRides({ ledger }: Pick<Deps, 'ledger'>, tx: Tx, uses: readonly Use[]): Promise<void> {
  const { rows: cards } = await rideCardRow.select`
    from rider_card c
    where c.id = any (${uses.map(({ cardId }) => cardId)}::bigint[]) and c.rides is not null and c.state = 'active'
    order by c.id for no key update`.execute(tx)
  for (const card of cards) {
    let { ridden, earnings } = card
    for (const { ride } of uses.filter(({ cardId }) => cardId === card.id)) {
      const before = { ...card, earned_rides: ridden, earnings }
      ridden += 1
      const entries = rideEarnings({ ...before, ridden }, { at: ride.endedAt, isOver: false })
      earnings += entries.length
      for (const entry of entries) ledger.postLast(entry, tx)
    }
    await sql`
      update rider_card set ridden = ${ridden}, earned_rides = ${ridden}, earnings = ${earnings}
      where id = ${card.id}`.execute(tx)
  }
}
