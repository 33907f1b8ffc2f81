import { sql } from 'kysely'
import { cardProductsMax, cardProductStates, type CardProduct } from '@saddle/contract/finance/cardProducts.ts'
import { cardKinds, cardTermsSchema, type CardTerms } from '@saddle/contract/finance/cardTerms.ts'
import { AppError } from '@saddle/contract/errors.ts'
import type { Tx } from '#kit/db/pool.ts'
import { computed, rowOf, rowOfValues, rowsOf, type RowOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import { promiseColumns } from '../cards/rules.ts'
import { shelfStateOf, whyNotSold } from './rules.ts'

const saleColumns = ['state', 'on_from', 'on_to', 'stock', 'sold'] as const

const productRow = rowOf('card_product', 'p', [
  'id',
  'agent_id',
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
  'was_price_cents',
  'rider_max',
  'badge',
  'slogan',
  'colour',
  'version',
  ...saleColumns,
]).codes({ kind: cardKinds, state: cardProductStates })
export type ProductRow = RowOf<typeof productRow>

const listedRow = rowsOf(
  productRow,
  rowOf('card_product', 'p', ['place', 'created_at', 'changed_at', 'changed_by']),
  rowOf('card_product_version', 'v', ['terms']),
  rowOf('agent', 'a', ['company']),
  rowOfValues({
    active_cards: computed('bigint', sql`coalesce(s.active, 0)`),
    sold_cards: computed('bigint', sql`coalesce(s.sold, 0)`),
    given_cards: computed('bigint', sql`coalesce(s.given, 0)`),
    sales_cents: computed('bigint', sql`coalesce(s.cents, 0)`),
    refunded_cents: computed('bigint', sql`coalesce(s.refunded, 0)`),
  }),
)

/** Terms that are stored; what has no value yet gets its default. */
export const termsOf = (stored: unknown): CardTerms => cardTermsSchema.parse(stored)

const listedMax = 5_000

export function selectProducts(scope: Pick<Scope, 'agentIds'>) {
  return listedRow.select`
    from card_product p
    join card_product_version v on v.product_id = p.id and v.version = p.version
    join agent a on a.id = p.agent_id
    left join (
      select c.product_id, count(*) filter (where c.state = 'active') as active,
        count(*) filter (where c.bought_at is not null and c.paid_by <> 'gift') as sold,
        count(*) filter (where c.paid_by = 'gift') as given,
        sum(c.price_cents) filter (where c.bought_at is not null) as cents, sum(c.refunded_cents) as refunded
      from rider_card c where c.agent_id = any (${scope.agentIds}::bigint[]) group by c.product_id
    ) s on s.product_id = p.id
    where p.agent_id = any (${scope.agentIds}::bigint[])
    order by p.agent_id, p.place, p.id limit ${listedMax}`
}

export function productOf(row: RowOf<typeof listedRow>, nowMs: number): CardProduct {
  return {
    id: row.id,
    agentId: row.agent_id,
    company: row.company,
    kind: row.kind,
    name: row.name,
    state: row.state,
    shelf: shelfStateOf(row, nowMs),
    version: row.version,
    terms: termsOf(row.terms),
    priceCents: row.price_cents,
    place: row.place,
    sold: row.sold,
    left: leftOf(row),
    activeCards: row.active_cards,
    soldCards: row.sold_cards,
    givenCards: row.given_cards,
    salesCents: row.sales_cents,
    refundedCents: row.refunded_cents,
    createdAt: row.created_at.getTime(),
    changedAt: row.changed_at.getTime(),
    changedBy: row.changed_by,
  }
}

export const leftOf = ({ stock, sold }: Pick<ProductRow, 'stock' | 'sold'>): number | null =>
  stock === null ? null : Math.max(0, stock - sold)

const isOnSale = (at: Date) => sql<boolean>`p.state = 'on' and (p.on_from is null or p.on_from <= ${at})
  and (p.on_to is null or p.on_to > ${at})`

/** What a company sells now, for an area if one is given, in the order of the shelf. */
export function selectOffered({
  agentId,
  areaId,
  at,
}: {
  readonly agentId: number
  readonly areaId: number | undefined
  readonly at: Date
}) {
  return productRow.select`
    from card_product p
    where p.agent_id = ${agentId} and ${isOnSale(at)}
      and (${areaId ?? null}::bigint is null or p.area_ids = '{}' or p.area_ids @> array[${areaId ?? null}::bigint])
    order by p.place, p.id limit ${cardProductsMax}`
}

/**
 * Takes one card of a product from its stock: the database counts, so that no more are taken than there are. Throws why
 * none was taken.
 */
export async function takeFromStock(
  tx: Tx,
  { agentId, productId, at }: { agentId: number; productId: number; at: Date },
): Promise<ProductRow> {
  const taken = await productRow.returning`
    update card_product p set sold = p.sold + 1
    where p.id = ${productId} and p.agent_id = ${agentId} and ${isOnSale(at)}
      and (p.stock is null or p.sold < p.stock)`.execute(tx)
  const [row] = taken.rows
  if (row !== undefined) return row
  throw new AppError(whyNotSold(await findProduct(tx, { agentId, productId }), at.getTime()))
}

/** A product of a company as it is now. Throws not_found. */
export async function findProduct(
  tx: Tx,
  { agentId, productId }: { agentId: number; productId: number },
): Promise<ProductRow> {
  const { rows } = await productRow.select`
    from card_product p where p.id = ${productId} and p.agent_id = ${agentId}`.execute(tx)
  const [row] = rows
  if (row === undefined) throw new AppError('not_found')
  return row
}

/** Takes one card again whose time to be paid for was over; false when there is none left. */
export async function takeAgain(tx: Tx, { agentId, productId }: { agentId: number; productId: number }) {
  const { numAffectedRows = 0n } = await sql`
    update card_product set sold = sold + 1
    where id = ${productId} and agent_id = ${agentId} and (stock is null or sold < stock)`.execute(tx)
  return numAffectedRows > 0n
}

/** A product of the scope, locked until the end of the transaction. Throws not_found. */
export async function lockProduct(tx: Tx, { scope, id }: { scope: Pick<Scope, 'agentIds'>; id: number }) {
  const { rows } = await productRow.select`
    from card_product p
    where p.id = ${id} and p.agent_id = any (${scope.agentIds}::bigint[]) for no key update`.execute(tx)
  const [row] = rows
  if (row === undefined) throw new AppError('not_found')
  return row
}

const columnsOf = (terms: CardTerms) => ({
  ...promiseColumns(terms),
  was_price_cents: terms.wasPriceCents,
  stock: terms.stock,
  rider_max: terms.riderMax,
  on_from: terms.onFrom === null ? null : new Date(terms.onFrom),
  on_to: terms.onTo === null ? null : new Date(terms.onTo),
  badge: terms.badge,
  slogan: terms.slogan,
  colour: terms.colour,
})

type By = { readonly id: number | null; readonly name: string; readonly at: Date }

async function insertVersion(
  tx: Tx,
  added: { id: number; agentId: number; version: number; terms: CardTerms; by: By },
): Promise<void> {
  const { id, agentId, version, terms, by } = added
  await tx
    .insertInto('card_product_version')
    .values({
      product_id: id,
      version,
      agent_id: agentId,
      terms: JSON.stringify(terms),
      made_at: by.at,
      made_by_id: by.id,
      made_by: by.name,
    })
    .execute()
}

/** Adds a product behind the others of its company. */
export async function insertProduct(
  tx: Tx,
  added: { agentId: number; terms: CardTerms; state: 'draft' | 'on'; by: By },
): Promise<number> {
  const { agentId, terms, state, by } = added
  const { id } = await tx
    .insertInto('card_product')
    .values({
      agent_id: agentId,
      ...columnsOf(terms),
      state,
      place: sql`(select coalesce(max(o.place), -1) + 1 from card_product o where o.agent_id = ${agentId})`,
      created_at: by.at,
      changed_by: by.name,
      changed_at: by.at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await insertVersion(tx, { id, agentId, version: 1, terms, by })
  return id
}

/** Changes a locked product: the next version. */
export async function updateProduct(
  tx: Tx,
  changed: { row: ProductRow; terms: CardTerms; by: By },
): Promise<{ id: number; version: number }> {
  const { row, terms, by } = changed
  const [id, version] = [row.id, row.version + 1]
  await insertVersion(tx, { id, agentId: row.agent_id, version, terms, by })
  await tx
    .updateTable('card_product')
    .set({ ...columnsOf(terms), version, changed_by: by.name, changed_at: by.at })
    .where('id', '=', id)
    .execute()
  return { id, version }
}

const versionRow = rowOf('card_product_version', 'v', ['version', 'terms', 'made_at', 'made_by'])
const versionsMax = 50

export function selectVersions({ id, scope }: { id: number; scope: Pick<Scope, 'agentIds'> }) {
  return versionRow.select`
    from card_product_version v
    where v.product_id = ${id} and v.agent_id = any (${scope.agentIds}::bigint[])
    order by v.version desc limit ${versionsMax}`
}

export function presentVersion(row: RowOf<typeof versionRow>) {
  return { ...versionRow.present(row), terms: termsOf(row.terms) }
}
