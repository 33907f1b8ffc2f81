import { sql, type RawBuilder } from 'kysely'
import type { CardKind, CardProductInput, CardState } from '@saddle/contract/finance/cards.ts'
import { AppError } from '@saddle/contract/errors.ts'
import type { Tx } from '#kit/db/pool.ts'
import { computed, rowOf, rowOfValues, rowsOf, type RowOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import type { Who } from '../wallet/who.ts'
import type { ValidCard } from './rules.ts'

type Promised = {
  kind: CardKind
  name: string
  price_cents: number
  days: number
  free_minutes: number | null
  rides_per_day: number | null
  percent_off: number | null
}

export type ProductRow = Promised & { id: number; agent_id: number; state: 'on' | 'off'; version: number }

export type ListedProductRow = ProductRow & {
  company: string
  changed_by: string
  changed_at: Date
  active_cards: number
  sold_cards: number
}

const promised = sql`p.kind, p.name, p.price_cents, p.days, p.free_minutes, p.rides_per_day, p.percent_off`
const productsMax = 500

export function selectProducts(scope: Scope): RawBuilder<ListedProductRow> {
  return sql<ListedProductRow>`
    select p.id, p.agent_id, a.company, ${promised}, p.state, p.version, p.changed_by, p.changed_at,
      coalesce(s.active, 0) as active_cards, coalesce(s.sold, 0) as sold_cards
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
export function selectOffered(agentId: number): RawBuilder<ProductRow> {
  return sql<ProductRow>`
    select p.id, p.agent_id, ${promised}, p.state, p.version from card_product p
    where p.agent_id = ${agentId} and p.state = 'on' order by p.kind desc, p.price_cents, p.id limit ${productsMax}`
}

export async function lockProduct(tx: Tx, options: { agentIds: readonly number[]; id: number }) {
  const { rows } = await sql<ProductRow>`
    select p.id, p.agent_id, ${promised}, p.state, p.version from card_product p
    where p.id = ${options.id} and p.agent_id = any (${options.agentIds}::bigint[]) for share`.execute(tx)
  return rows[0]
}

const columnsOf = (product: CardProductInput) => ({
  kind: product.kind,
  name: product.name,
  price_cents: product.priceCents,
  days: product.days,
  state: product.state,
  free_minutes: product.kind === 'riding' ? product.freeMinutes : null,
  rides_per_day: product.kind === 'riding' ? product.ridesPerDay : null,
  percent_off: product.kind === 'discount' ? product.percentOff : null,
})

type By = { readonly name: string; readonly at: Date }

export async function insertProduct(tx: Tx, agentId: number, product: CardProductInput, by: By): Promise<number> {
  const { id } = await tx
    .insertInto('card_product')
    .values({ agent_id: agentId, ...columnsOf(product), changed_by: by.name, changed_at: by.at })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Undefined when somebody else has changed it since. */
export async function updateProduct(
  tx: Tx,
  change: { id: number; version: number; product: CardProductInput; by: By },
): Promise<{ version: number } | undefined> {
  const { id, version, product, by } = change
  return tx
    .updateTable('card_product')
    .set({ ...columnsOf(product), version: version + 1, changed_by: by.name, changed_at: by.at })
    .where('id', '=', id)
    .where('version', '=', version)
    .returning('version')
    .executeTakeFirst()
}

export type CardRow = Promised & {
  id: number
  agent_id: number
  rider_id: number
  product_id: number
  state: CardState
  paid_by: string | null
  bought_at: Date | null
  begins_on: string | null
  ends_on: string | null
  earned_days: number
  uses: number
  saved_cents: number
  used_today: boolean
  refunded_cents: number
  refunded_at: Date | null
  refunded_by: string | null
  refund_reason: string
}

const cardsMax = 200

const cardColumns = sql`p.id, p.agent_id, p.rider_id, p.product_id, ${promised}, p.state, p.paid_by, p.bought_at,
  p.begins_on, p.ends_on, p.earned_days, p.refunded_cents, p.refunded_at, p.refunded_by, p.refund_reason,
  u.uses, u.saved_cents, u.used_today`
const usesUntil = (today: string) => sql`lateral (
  select count(*) as uses, coalesce(sum(u.saved_cents), 0)::bigint as saved_cents,
    coalesce(bool_or(u.used_on = ${today}::date), false) as used_today
  from card_use u where u.card_id = p.id) u`

/** Cards of a rider, the newest first; with an id that one alone. */
export function selectCards(who: Who, { id, today }: { id: number | undefined; today: string }): RawBuilder<CardRow> {
  return sql<CardRow>`
    select ${cardColumns}
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
  const { rows } = await sql<CardRow>`
    select ${cardColumns} from rider_card p, ${usesUntil(today)} where p.id = ${id}`.execute(tx)
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

/** The card, added or found by the number of its request; whoever buys for this rider meanwhile waits. */
export async function insertCard(
  tx: Tx,
  card: { who: Who; product: ProductRow; requestId: string; at: Date },
): Promise<{ id: number; isNew: boolean }> {
  const { who, product, requestId, at } = card
  await sql`select from rider where id = ${who.riderId} for no key update`.execute(tx)
  const added = await tx
    .insertInto('rider_card')
    .values({
      agent_id: who.agentId,
      rider_id: who.riderId,
      product_id: product.id,
      kind: product.kind,
      name: product.name,
      price_cents: product.price_cents,
      days: product.days,
      free_minutes: product.free_minutes,
      rides_per_day: product.rides_per_day,
      percent_off: product.percent_off,
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

const cardUseRow = rowsOf(rowOf('card_use', ['card_id']), rowOfValues({ uses: computed('bigint', sql`count(*)`) }))

/** The cards that hold on a day, locked until the ride that uses them is charged. */
export async function lockValidCards(tx: Tx, who: Who, day: string): Promise<ValidCard[]> {
  const { rows } = await sql<Omit<ValidCard, 'uses'>>`
    select c.id, c.kind, c.name, c.free_minutes, c.rides_per_day, c.percent_off
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
