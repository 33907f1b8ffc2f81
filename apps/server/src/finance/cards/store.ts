import { sql, type RawBuilder } from 'kysely'
import { cardKinds, cardStates, type CardProduct, type CardProductInput } from '@saddle/contract/finance/cards.ts'
import { AppError } from '@saddle/contract/errors.ts'
import type { Tx } from '#kit/db/pool.ts'
import { computed, rowOf, rowOfValues, rowsOf, type RowOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import type { Who } from '../wallet/who.ts'
import type { ValidCard } from './rules.ts'

const promisedColumns = ['kind', 'name', 'price_cents', 'days', 'free_minutes', 'rides_per_day', 'percent_off'] as const

const product = rowOf('card_product', 'p', ['id', 'agent_id', ...promisedColumns, 'state', 'version']).codes({
  kind: cardKinds,
  state: ['on', 'off'],
})
export type ProductRow = RowOf<typeof product>

const listedProduct = rowsOf(
  product,
  rowOf('card_product', 'p', ['changed_by', 'changed_at']),
  rowOf('agent', 'a', ['company']),
  rowOfValues({
    active_cards: computed('bigint', sql`coalesce(s.active, 0)`),
    sold_cards: computed('bigint', sql`coalesce(s.sold, 0)`),
  }),
)

export const productOf = (row: RowOf<typeof listedProduct>): CardProduct => listedProduct.present(row)

const productsMax = 500

export function selectProducts(scope: Scope) {
  return listedProduct.select`
    from card_product p join agent a on a.id = p.agent_id
    left join (
      select c.product_id, count(*) filter (where c.state = 'active') as active,
        count(*) filter (where c.state <> 'waiting') as sold
      from rider_card c where c.agent_id = any (${scope.agentIds}::bigint[]) group by c.product_id
    ) s on s.product_id = p.id
    where p.agent_id = any (${scope.agentIds}::bigint[])
    order by p.state desc, p.agent_id, p.price_cents, p.id limit ${productsMax}`
}

/** What a franchisee sells now. */
export function selectOffered(agentId: number) {
  return product.select`
    from card_product p
    where p.agent_id = ${agentId} and p.state = 'on' order by p.kind desc, p.price_cents, p.id limit ${productsMax}`
}

export async function lockProduct(tx: Tx, options: { agentIds: readonly number[]; id: number }) {
  const { rows } = await product.select`
    from card_product p
    where p.id = ${options.id} and p.agent_id = any (${options.agentIds}::bigint[]) for share`.execute(tx)
  return rows[0]
}

const columnsOf = (given: CardProductInput) => ({
  kind: given.kind,
  name: given.name,
  price_cents: given.priceCents,
  days: given.days,
  state: given.state,
  free_minutes: given.kind === 'riding' ? given.freeMinutes : null,
  rides_per_day: given.kind === 'riding' ? given.ridesPerDay : null,
  percent_off: given.kind === 'discount' ? given.percentOff : null,
})

type By = { readonly name: string; readonly at: Date }

export async function insertProduct(tx: Tx, agentId: number, given: CardProductInput, by: By): Promise<number> {
  const { id } = await tx
    .insertInto('card_product')
    .values({ agent_id: agentId, ...columnsOf(given), changed_by: by.name, changed_at: by.at })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Undefined when it was changed by another call since. */
export async function updateProduct(
  tx: Tx,
  change: { id: number; version: number; product: CardProductInput; by: By },
): Promise<{ version: number } | undefined> {
  const { id, version, product: given, by } = change
  return tx
    .updateTable('card_product')
    .set({ ...columnsOf(given), version: version + 1, changed_by: by.name, changed_at: by.at })
    .where('id', '=', id)
    .where('version', '=', version)
    .returning('version')
    .executeTakeFirst()
}

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
    'refunded_cents',
    'refunded_at',
    'refunded_by',
    'refund_reason',
  ]).codes({ kind: cardKinds, state: cardStates }),
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
  from card_use u where u.card_id = p.id) u`

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

/** Notes that a locked card was given back, after so many of its days. */
export async function markRefunded(
  tx: Tx,
  card: { id: number; earnedDays: number; cents: number; at: Date; by: string; reason: string },
): Promise<void> {
  const { id, earnedDays, cents, at, by, reason } = card
  await sql`
    update rider_card set state = 'refunded', earned_days = ${earnedDays}, refunded_cents = ${cents},
      refunded_at = ${at}, refunded_by = ${by}, refund_reason = ${reason}
    where id = ${id}`.execute(tx)
}

/** The card, added or found by its request number; concurrent purchases for this rider wait. */
export async function insertCard(
  tx: Tx,
  card: { who: Who; product: ProductRow; requestId: string; at: Date },
): Promise<{ id: number; isNew: boolean }> {
  const { who, product: sold, requestId, at } = card
  await sql`select from rider where id = ${who.riderId} for no key update`.execute(tx)
  const added = await tx
    .insertInto('rider_card')
    .values({
      agent_id: who.agentId,
      rider_id: who.riderId,
      product_id: sold.id,
      kind: sold.kind,
      name: sold.name,
      price_cents: sold.price_cents,
      days: sold.days,
      free_minutes: sold.free_minutes,
      rides_per_day: sold.rides_per_day,
      percent_off: sold.percent_off,
      request_id: requestId,
      asked_at: at,
    })
    .onConflict((conflict) => conflict.columns(['rider_id', 'request_id']).doNothing())
    .returning('id')
    .executeTakeFirst()
  if (added !== undefined) return { id: added.id, isNew: true }
  const { id } = await tx
    .selectFrom('rider_card')
    .select('id')
    .where('rider_id', '=', who.riderId)
    .where('request_id', '=', requestId)
    .executeTakeFirstOrThrow()
  return { id, isNew: false }
}

/** A card that waits to be paid for, locked; undefined when it does not wait. */
export async function lockWaitingCard(tx: Tx, who: Who, id: number) {
  await sql`select from rider where id = ${who.riderId} for no key update`.execute(tx)
  return tx
    .selectFrom('rider_card')
    .select(['id', 'kind', 'price_cents'])
    .where('id', '=', id)
    .where('rider_id', '=', who.riderId)
    .where('agent_id', '=', who.agentId)
    .where('state', '=', 'waiting')
    .forUpdate()
    .executeTakeFirst()
}

/** Makes a card valid from a day on, or from the end of the rider's last card of its kind when that is later. */
export async function activateCard(
  tx: Tx,
  card: { id: number; who: Who; paidBy: string; at: Date; today: string },
): Promise<void> {
  const { id, who, paidBy, at, today } = card
  await sql`
    update rider_card c set state = 'active', paid_by = ${paidBy}, bought_at = ${at}, begins_on = b.day,
      ends_on = b.day + c.days
    from (
      select greatest(${today}::date, max(o.ends_on)) as day
      from rider_card n left join rider_card o
        on o.rider_id = n.rider_id and o.kind = n.kind and o.state = 'active' and o.id <> n.id
      where n.id = ${id} and n.rider_id = ${who.riderId}
    ) b
    where c.id = ${id}`.execute(tx)
}

const validCard = rowOf('rider_card', 'c', [
  'id',
  'kind',
  'name',
  'free_minutes',
  'rides_per_day',
  'percent_off',
]).codes({
  kind: cardKinds,
})
const cardUseRow = rowsOf(rowOf('card_use', ['card_id']), rowOfValues({ uses: computed('bigint', sql`count(*)`) }))

/** The cards that hold on a day, locked until the ride that uses them is charged. */
export async function lockValidCards(tx: Tx, who: Who, day: string): Promise<ValidCard[]> {
  const { rows } = await validCard.select`
    from rider_card c
    where c.rider_id = ${who.riderId} and c.agent_id = ${who.agentId} and c.begins_on <= ${day}::date
      and c.ends_on > ${day}::date and c.state <> 'refunded'
    order by c.id for no key update of c`.execute(tx)
  if (rows.length === 0) return []
  // A statement of its own: the one above looked before it waited for the lock.
  const counted = await cardUseRow.select`
    from card_use
    where card_id = any (${rows.map(({ id }) => id)}::bigint[]) and used_on = ${day}::date group by card_id`.execute(tx)
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
    where state = 'active' and begins_on < ${today}::date and begins_on + earned_days < ${today}::date
    order by begins_on, id limit ${limit}`
}

/** Never backwards: of two servers that earn the same days one is behind. */
export async function markEarned(tx: Tx, cards: readonly { id: number; earnedDays: number }[]): Promise<void> {
  await sql`
    update rider_card c set earned_days = e.days, state = case when e.days = c.days then 'over' else c.state end
    from unnest(${cards.map(({ id }) => id)}::bigint[], ${cards.map(({ earnedDays }) => earnedDays)}::int[])
      as e (id, days)
    where c.id = e.id and c.earned_days < e.days and c.state = 'active'`.execute(tx)
}
