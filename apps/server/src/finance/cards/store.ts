import { sql, type RawBuilder } from 'kysely'
import { cardPayers, cardStates } from '@saddle/contract/finance/cards.ts'
import { cardKinds } from '@saddle/contract/finance/cardTerms.ts'
import { addDays } from '@saddle/contract/time.ts'
import { AppError } from '@saddle/contract/errors.ts'
import type { Tx } from '#kit/db/pool.ts'
import { computed, countRow, rowOf, rowOfValues, rowsOf, type RowOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import type { ProductRow } from '../cardProducts/store.ts'
import type { Who } from '../wallet/who.ts'
import type { ValidCard } from './rules.ts'

const promisedColumns = [
  'kind',
  'name',
  'price_cents',
  'days',
  'rides',
  'free_minutes',
  'rides_per_day',
  'percent_off',
  'max_off_cents',
  'area_ids',
] as const

const ofCard = rowsOf(
  rowOf('rider_card', 'p', [
    'id',
    'agent_id',
    'rider_id',
    'product_id',
    ...promisedColumns,
    'state',
    'paid_by',
    'bought_at',
    'begins_on',
    'ends_on',
    'earned_days',
    'ridden',
    'earned_rides',
    'earnings',
    'version',
    'asked_at',
    'refunded_cents',
    'refunded_at',
    'refunded_by',
    'refund_reason',
    'revoked_at',
    'revoke_reason',
  ]).codes({ kind: cardKinds, state: cardStates, paid_by: cardPayers }),
  rowOfValues({
    uses: computed('bigint', sql`u.uses`),
    saved_cents: computed('bigint', sql`u.saved_cents`),
    used_today: computed('boolean', sql`u.used_today`),
  }),
)
export type CardRow = RowOf<typeof ofCard>

const cardsMax = 200

const usesUntil = (today: string) => sql`lateral (
  select count(*) as uses, coalesce(sum(u.saved_cents), 0)::bigint as saved_cents,
    coalesce(bool_or(u.used_on = ${today}::date), false) as used_today
  from card_use u where u.card_id = p.id and u.returned_at is null) u`

/** Cards of a rider, the newest first; with an id that one alone. */
export function selectCards(who: Who, { id, today }: { id: number | undefined; today: string }) {
  return ofCard.select`
    from rider_card p, ${usesUntil(today)}
    where p.agent_id = ${who.agentId} and p.rider_id = ${who.riderId}
      and (${id ?? null}::bigint is null or p.id = ${id ?? null}::bigint)
    order by p.id desc limit ${cardsMax}`
}

/** A card of the scope, locked until the end of the transaction, with its rides until now. Throws not_found. */
export async function lockSoldCard(
  tx: Tx,
  { scope, id, today }: { scope: Scope; id: number; today: string },
): Promise<CardRow> {
  const { rows: found } = await sql`
    select from rider_card c where c.id = ${id} and c.agent_id = any (${scope.agentIds}::bigint[])
    for update`.execute(tx)
  if (found.length === 0) throw new AppError('not_found')
  // A statement of its own: a ride that was charged while this one waited for the lock counts.
  const { rows } = await ofCard.select`
    from rider_card p, ${usesUntil(today)} where p.id = ${id}`.execute(tx)
  const [row] = rows
  if (row === undefined) throw new AppError('not_found')
  return row
}

/** Notes that a locked card was given back, after so many of its days or rides. */
export async function markRefunded(
  tx: Tx,
  card: { id: number; used: number; cents: number; at: Date; by: string; reason: string },
): Promise<void> {
  const { id, used, cents, at, by, reason } = card
  await sql`
    update rider_card set state = 'refunded', earned_days = case when rides is null then ${used} else earned_days end,
      earned_rides = case when rides is null then earned_rides else ${used} end,
      earnings = earnings + 1, refunded_cents = ${cents},
      refunded_at = ${at}, refunded_by = ${by}, refund_reason = ${reason}
    where id = ${id}`.execute(tx)
}

/** Locks a rider, so that their purchases go one after the other. */
export async function lockRider(tx: Tx, who: Who): Promise<boolean> {
  const { rows } = await sql`
    select from rider where id = ${who.riderId} and agent_id = ${who.agentId} for no key update`.execute(tx)
  return rows.length > 0
}

/** The card of a request of a rider who is locked. */
export async function cardOfRequest(tx: Tx, who: Who, requestId: string): Promise<number | undefined> {
  const found = await tx
    .selectFrom('rider_card')
    .select('id')
    .where('rider_id', '=', who.riderId)
    .where('request_id', '=', requestId)
    .executeTakeFirst()
  return found?.id
}

const boughtRow = rowsOf(rowOf('rider_card', ['product_id']), rowOfValues({ count: computed('bigint', sql`count(*)`) }))

/** How many cards of each product a rider has bought or waits to pay for; what was given does not count. */
export function selectBought(who: Who, productIds: readonly number[]) {
  return boughtRow.select`
    from rider_card
    where rider_id = ${who.riderId} and agent_id = ${who.agentId} and product_id = any (${productIds}::bigint[])
      and state <> 'lapsed' and paid_by is distinct from 'gift'
    group by product_id`
}

/** A card that waits: its part of the stock is kept until then. */
export async function insertCard(
  tx: Tx,
  card: { who: Who; product: ProductRow; requestId: string; at: Date; heldUntil: Date },
): Promise<number> {
  const { who, product, requestId, at, heldUntil } = card
  const { id } = await tx
    .insertInto('rider_card')
    .values({ ...promisedOf(who, product), request_id: requestId, asked_at: at, held_until: heldUntil })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

const promisedOf = (who: Who, product: ProductRow) => ({
  agent_id: who.agentId,
  rider_id: who.riderId,
  product_id: product.id,
  version: product.version,
  kind: product.kind,
  name: product.name,
  price_cents: product.price_cents,
  days: product.days,
  rides: product.rides,
  free_minutes: product.free_minutes,
  rides_per_day: product.rides_per_day,
  percent_off: product.percent_off,
  max_off_cents: product.max_off_cents,
  area_ids: [...product.area_ids],
})

/** A card that is valid at once and costs nothing. */
export async function insertGiven(
  tx: Tx,
  card: { who: Who; product: ProductRow; requestId: string; at: Date; beginsOn: string },
): Promise<number> {
  const { who, product, requestId, at, beginsOn } = card
  const { id } = await tx
    .insertInto('rider_card')
    .values({
      ...promisedOf(who, product),
      price_cents: 0,
      state: 'active',
      paid_by: 'gift',
      request_id: requestId,
      asked_at: at,
      bought_at: at,
      begins_on: beginsOn,
      ends_on: addDays(beginsOn, product.days),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

const beginsRow = rowOfValues({ day: computed('date?', sql`max(o.ends_on)`) })

/**
 * The first day of a card of a rider who is locked: today, or the end of the rider's last card of its kind and areas. A
 * card of so many rides begins at once: the days of two such cards may overlap without a loss.
 */
export async function beginOf(
  tx: Tx,
  { who, card, today }: { who: Who; card: Pick<ProductRow, 'kind' | 'rides' | 'area_ids'>; today: string },
): Promise<string> {
  if (card.rides !== null) return today
  const { rows } = await beginsRow.select`
    from rider_card o
    where o.rider_id = ${who.riderId} and o.kind = ${card.kind} and o.state = 'active' and o.rides is null
      and o.area_ids = ${[...card.area_ids]}::bigint[]`.execute(tx)
  const day = rows[0]?.day ?? today
  return day > today ? day : today
}

const waitingRow = rowOf('rider_card', ['id', 'product_id', 'state', 'kind', 'rides', 'area_ids', 'price_cents']).codes(
  {
    kind: cardKinds,
  },
)

/** A card that waits or waited to be paid for, locked; undefined when it does not. */
export async function lockUnpaidCard(tx: Tx, who: Who, id: number) {
  await lockRider(tx, who)
  const { rows } = await waitingRow.select`
    from rider_card
    where id = ${id} and rider_id = ${who.riderId} and agent_id = ${who.agentId} and state in ('waiting', 'lapsed')
    for update`.execute(tx)
  return rows[0]
}

/** Makes a card valid from a day on. */
export async function activateCard(
  tx: Tx,
  card: { id: number; paidBy: string; at: Date; beginsOn: string },
): Promise<void> {
  const { id, paidBy, at, beginsOn } = card
  await sql`
    update rider_card set state = 'active', paid_by = ${paidBy}, bought_at = ${at}, held_until = null,
      begins_on = ${beginsOn}::date, ends_on = ${beginsOn}::date + days
    where id = ${id}`.execute(tx)
}

/** What a card that holds promises, and how much of it is used. */
export const validCardRow = rowOf('rider_card', 'c', [
  'id',
  'kind',
  'name',
  'free_minutes',
  'rides_per_day',
  'rides',
  'ridden',
  'percent_off',
  'max_off_cents',
  'area_ids',
  'ends_on',
])
  .codes({ kind: cardKinds })
  .filled('ends_on')
const cardUseRow = rowsOf(rowOf('card_use', ['card_id']), rowOfValues({ uses: computed('bigint', sql`count(*)`) }))

/** The cards that hold on a day, locked until the ride that uses them is charged. */
export async function lockValidCards(tx: Tx, who: Who, day: string): Promise<ValidCard[]> {
  const { rows } = await validCardRow.select`
    from rider_card c
    where c.rider_id = ${who.riderId} and c.agent_id = ${who.agentId} and c.begins_on <= ${day}::date
      and c.ends_on > ${day}::date and c.state in ('active', 'over')
    order by c.id for no key update of c`.execute(tx)
  if (rows.length === 0) return []
  // A statement of its own: the one above looked before it waited for the lock.
  const counted = await cardUseRow.select`
    from card_use
    where card_id = any (${rows.map(({ id }) => id)}::bigint[]) and used_on = ${day}::date and returned_at is null
    group by card_id`.execute(tx)
  const uses = new Map(counted.rows.map((row) => [row.card_id, row.uses]))
  return rows.map((row) => Object.assign(row, { uses: uses.get(row.id) ?? 0 }))
}

export async function insertUses(
  tx: Tx,
  uses: readonly { orderId: number; agentId: number; cardId: number; day: string; savedCents: number }[],
): Promise<void> {
  if (uses.length === 0) return
  await tx
    .insertInto('card_use')
    .values(
      uses.map(({ orderId, agentId, cardId, day, savedCents }) => ({
        order_id: orderId,
        card_id: cardId,
        agent_id: agentId,
        used_on: day,
        saved_cents: savedCents,
      })),
    )
    .execute()
  await sql`
    update rider_card set ridden = ridden + 1
    where id = any (${uses.map(({ cardId }) => cardId)}::bigint[]) and rides is not null`.execute(tx)
}

/** A ride whose whole charge was refunded did not use its cards; of a card of so many rides it comes back. */
export async function returnUses(
  tx: Tx,
  { agentId, orderId, at }: { agentId: number; orderId: number; at: Date },
): Promise<void> {
  await sql`
    with returned as (
      update card_use u set returned_at = ${at} from rider_card c
      where u.order_id = ${orderId} and u.agent_id = ${agentId} and u.returned_at is null and c.id = u.card_id
        and c.state = 'active'
      returning u.card_id
    )
    update rider_card c set ridden = c.ridden - 1 from returned r
    where c.id = r.card_id and c.rides is not null and c.ridden > 0`.execute(tx)
}

/** Ends what was not paid for in time and puts it back on the shelf. Resolves to how many that were. */
export async function lapseUnpaid(tx: Tx, at: Date, limit: number): Promise<number> {
  const { rows } = await countRow
    .query(
      (columns) => sql`
      with late as (
        select id from rider_card where state = 'waiting' and held_until <= ${at}
        order by held_until, id limit ${limit} for update skip locked
      ), lapsed as (
        update rider_card c set state = 'lapsed' from late where c.id = late.id returning c.product_id
      ), counted as (
        select product_id, count(*) as cards from lapsed group by product_id
      ), back as (
        update card_product p set sold = p.sold - counted.cards from counted where p.id = counted.product_id
      )
      select ${columns} from lapsed`,
    )
    .execute(tx)
  return rows[0]?.count ?? 0
}

const earningCardRow = rowOf('rider_card', [
  'id',
  'agent_id',
  'rider_id',
  'price_cents',
  'days',
  'begins_on',
  'earned_days',
]).filled('begins_on')
export type EarningCard = RowOf<typeof earningCardRow>

/** Cards with a day that has passed and is not earned yet. */
export function selectUnearned(today: string, limit: number): RawBuilder<EarningCard> {
  return earningCardRow.select`
    from rider_card
    where state = 'active' and rides is null and begins_on < ${today}::date and begins_on + earned_days < ${today}::date
    order by begins_on, id limit ${limit}`
}

/** Never backwards: of two servers that earn the same days one is behind. */
export async function markEarned(tx: Tx, cards: readonly { id: number; earnedDays: number }[]): Promise<void> {
  await sql`
    update rider_card c set earned_days = e.days, state = case when e.days = c.days then 'over' else c.state end
    from unnest(${cards.map(({ id }) => id)}::bigint[], ${cards.map(({ earnedDays }) => earnedDays)}::int[])
      as e (id, days)
    where c.id = e.id and c.earned_days < e.days and c.state = 'active' and c.rides is null`.execute(tx)
}
