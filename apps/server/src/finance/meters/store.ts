import { sql, type RawBuilder } from 'kysely'
import { meters, type Meter, type MeterCount, type MeterPrice } from '@saddle/contract/finance/meters.ts'
import type { Tx } from '#kit/db/pool.ts'
import { computed, rowOf, rowOfValues, rowsOf, type RowOf } from '#kit/db/rows.ts'
import { unnest } from '#kit/db/unnest.ts'

/** The version of a meter's price that holds on a day. */
export const priceOn = (meter: RawBuilder<unknown>, on: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select m.id, m.price_cents, m.per_quantity from meter_price m
  where m.meter = ${meter} and m.first_day <= ${on} order by m.first_day desc, m.version desc limit 1`

const price = rowsOf(
  rowOf('meter_price', 'p', [
    'id',
    'meter',
    'version',
    'price_cents',
    'per_quantity',
    'reason',
    'made_at',
    'made_by',
  ]).codes({ meter: meters }),
  rowOfValues({ first_day: computed('text', sql`to_char(p.first_day, 'YYYY-MM-DD')`) }),
)
export const presentPrice = (row: RowOf<typeof price>): MeterPrice => price.present(row)

const pricesMax = 200
/** The newest versions; of one id where it is given. */
export function selectPrices({ id = null }: { id?: number | null }) {
  return price.select`
    from meter_price p where ${id}::bigint is null or p.id = ${id} order by p.made_at desc, p.id desc limit ${pricesMax}`
}

const priceId = rowOf('meter_price', ['id'])

/** Adds the next version of a meter's price. Two at once fail on the unique version. */
export async function insertPrice(
  tx: Tx,
  made: Pick<MeterPrice, 'meter' | 'firstDay' | 'priceCents' | 'perQuantity' | 'reason'> & {
    readonly at: Date
    readonly by: string
    readonly byId: number
  },
): Promise<MeterPrice> {
  const { rows } = await priceId.returning`
    insert into meter_price (meter, version, first_day, price_cents, per_quantity, reason, made_at, made_by_id, made_by)
    select ${made.meter}, coalesce(max(version), 0) + 1, ${made.firstDay}::date, ${made.priceCents}, ${made.perQuantity},
      ${made.reason}, ${made.at}, ${made.byId}::bigint, ${made.by}
    from meter_price where meter = ${made.meter}`.execute(tx)
  const [row] = (await selectPrices({ id: rows[0]?.id ?? 0 }).execute(tx)).rows
  if (row === undefined) throw new Error('a price that was just made is there')
  return presentPrice(row)
}

const LOCK = 'service_bills'
/** Counting and issuing wait for one another, on all servers. */
export async function lockCounting(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${LOCK}, 0))`.execute(tx)
}

const closing = rowOfValues({ last: computed('text?', sql`to_char(max(day), 'YYYY-MM-DD')`) })
/** The last day that a meter was counted for; null: none. */
export async function lastCounted(tx: Tx, meter: Meter): Promise<string | null> {
  const { rows } = await closing.select`from meter_closing where meter = ${meter}`.execute(tx)
  return rows[0]?.last ?? null
}

/** Closes a day of a meter with what was counted; false when it was closed before. Companies without a place are left out. */
export async function closeDay(
  tx: Tx,
  counted: { readonly meter: Meter; readonly day: string; readonly at: Date; readonly counts: readonly MeterCount[] },
): Promise<boolean> {
  const { meter, at, counts } = counted
  const { rows } = await sql`
    insert into meter_closing (meter, day, counted_at) values (${meter}, ${counted.day}::date, ${at})
    on conflict do nothing returning day`.execute(tx)
  if (rows.length === 0) return false
  const used = unnest<MeterCount>({
    rows: counts.filter(({ quantity }) => quantity > 0),
    alias: 'n',
    columns: {
      agent_id: ['bigint', ({ agentId }) => agentId],
      area_id: ['bigint', ({ areaId }) => areaId],
      quantity: ['bigint', ({ quantity }) => quantity],
    },
  })
  await sql`
    insert into meter_day (agent_id, area_id, meter, day, quantity, counted_at)
    select n.agent_id, n.area_id, ${meter}, ${counted.day}::date, n.quantity, ${at} from ${used}`.execute(tx)
  return true
}

export async function insertTallies(
  tx: Tx,
  { tallies, at }: { readonly tallies: readonly (readonly [Meter, number, number])[]; readonly at: Date },
): Promise<void> {
  await tx
    .insertInto('meter_tally')
    .values(tallies.map(([meter, agentId, quantity]) => ({ meter, agent_id: agentId, quantity, at })))
    .execute()
}

const tallyCount = rowOfValues({
  agent_id: computed('bigint', sql`t.agent_id`),
  quantity: computed('bigint', sql`sum(t.quantity)`),
})
export function selectTallyCounts({ meter, from, to }: { meter: Meter; from: Date; to: Date }) {
  return tallyCount.select`
    from meter_tally t where t.meter = ${meter} and t.at >= ${from} and t.at < ${to} group by t.agent_id`
}

const tally = rowOf('meter_tally', 't', ['at', 'quantity'])
export function selectTallies(asked: { meter: Meter; agentId: number; from: Date; to: Date; limit: number }) {
  return tally.select`
    from meter_tally t where t.agent_id = ${asked.agentId} and t.meter = ${asked.meter}
      and t.at >= ${asked.from} and t.at < ${asked.to} order by t.at, t.id limit ${asked.limit}`
}
