import { sql } from 'kysely'
import type { GiftSource } from '@saddle/contract/finance/gifts.ts'
import { bearers, type Bearer, type UsedGift } from '@saddle/contract/riding/benefits.ts'
import type { Tx } from '#kit/db/pool.ts'
import { rowOf, rowsOf, type RowOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import { unnest } from '#kit/db/unnest.ts'
import type { Who } from '../wallet/who.ts'
import type { GiftPart } from './rules.ts'

const columns = ['id', 'name', 'open_cents', 'ends_at', 'area_ids', 'bearer', 'activity_id'] as const
const lotRow = rowOf('gift_lot', columns).filled('open_cents').codes({ bearer: bearers })

/** A lot of which something is open. */
export type GiftLot = {
  readonly id: number
  readonly name: string
  readonly openCents: number
  readonly endsAt: number | null
  /** Where it pays for rides; empty: everywhere. */
  readonly areaIds: readonly number[]
  readonly bearer: Bearer
  readonly activityId: number | null
}

/** Lots of a rider that are looked at in one go. */
const lotsMax = 500

/** The lots of a rider of which something is open, lapsed ones too, locked until the transaction ends. */
export async function lockOpenLots(tx: Tx, { agentId, riderId }: Who): Promise<GiftLot[]> {
  const { rows } = await lotRow.select`
    from gift_lot where rider_id = ${riderId} and agent_id = ${agentId} and open_cents > 0
    order by ends_at, id limit ${lotsMax} for update`.execute(tx)
  return rows.map((row) => lotRow.present(row))
}

export type NewLot = Who & {
  readonly cents: number
  readonly source: { readonly kind: GiftSource; readonly id: number }
  /** What the rider reads. */
  readonly name: string
  readonly bearer: Bearer
  readonly activityId?: number | null
  readonly areaIds?: readonly number[]
  readonly at: number
  /** Null: it does not lapse. */
  readonly endsAt: number | null
}

/** The new lot; null when the same thing has given one before. */
export async function insertLot(tx: Tx, lot: NewLot): Promise<number | null> {
  const made = await tx
    .insertInto('gift_lot')
    .values({
      agent_id: lot.agentId,
      rider_id: lot.riderId,
      source: lot.source.kind,
      source_id: lot.source.id,
      activity_id: lot.activityId ?? null,
      name: lot.name,
      bearer: lot.bearer,
      area_ids: [...(lot.areaIds ?? [])],
      granted_cents: lot.cents,
      granted_at: new Date(lot.at),
      ends_at: lot.endsAt === null ? null : new Date(lot.endsAt),
    })
    .onConflict((conflict) =>
      conflict
        .columns(['agent_id', 'source', 'source_id'])
        .where(sql<boolean>`source <> 'undo'`)
        .doNothing(),
    )
    .returning('id')
    .executeTakeFirst()
  return made?.id ?? null
}

type Subject = { readonly kind: 'order' | 'charge'; readonly id: number }

const partsOf = (parts: readonly GiftPart[]) =>
  unnest<GiftPart>({
    rows: parts,
    alias: 'p',
    columns: { lot_id: ['bigint', ({ lotId }) => lotId], cents: ['bigint', ({ cents }) => cents] },
  })

/** Takes parts of lots that the caller has locked, and keeps what they were taken for. */
export async function takeParts(
  tx: Tx,
  taken: {
    readonly agentId: number
    readonly subject: Subject
    readonly parts: readonly GiftPart[]
    readonly at: number
  },
): Promise<void> {
  const { agentId, subject, parts, at } = taken
  const column = sql.ref(subject.kind === 'order' ? 'used_cents' : 'revoked_cents')
  const { numAffectedRows } = await sql`
    with part as (
      update gift_lot l set ${column} = l.${column} + p.cents from ${partsOf(parts)}
      where l.id = p.lot_id and l.agent_id = ${agentId} returning l.id as lot_id, p.cents
    )
    insert into gift_use (subject, subject_id, lot_id, agent_id, cents, used_at)
    select ${subject.kind}, ${subject.id}, lot_id, ${agentId}, cents, ${new Date(at)} from part`.execute(tx)
  if (Number(numAffectedRows ?? 0) !== parts.length)
    throw new Error(`a lot that ${subject.kind} ${subject.id} uses is not there`)
}

const usedRow = rowsOf(
  rowOf('gift_use', 'u', ['lot_id', 'cents', 'lapsed_cents']),
  rowOf('gift_lot', 'l', ['name', 'ends_at', 'bearer', 'activity_id']),
).codes({ bearer: bearers })

export const usedGiftOf = (row: RowOf<typeof usedRow>): UsedGift => usedRow.present(row)

/** What an order was paid with from lots, in the order in which they end. */
export const selectUsedGifts = ({
  orderId,
  scope,
}: {
  readonly orderId: number
  readonly scope: Scope
}) => usedRow.select`
  from gift_use u join gift_lot l on l.id = u.lot_id
  where u.subject = 'order' and u.subject_id = ${orderId} and u.agent_id = any (${scope.agentIds}::bigint[])
  order by l.ends_at, l.id limit ${lotsMax}`

const partRow = rowOf('gift_use', 'u', ['lot_id', 'cents', 'lapsed_cents'])

/**
 * Marks what an order took from lots as lapsed, up to a sum: the lots that end last lapse last. What was taken before there
 * were lots has none.
 */
export async function lapseUsed(
  tx: Tx,
  { agentId, orderId, cents }: { readonly agentId: number; readonly orderId: number; readonly cents: number },
): Promise<void> {
  const { rows } = await partRow.select`
    from gift_use u join gift_lot l on l.id = u.lot_id
    where u.subject = 'order' and u.subject_id = ${orderId} and u.agent_id = ${agentId} and u.cents > u.lapsed_cents
    order by l.ends_at, l.id for update`.execute(tx)
  const parts: GiftPart[] = []
  let left = cents
  for (const row of rows) {
    const part = Math.min(left, row.cents - row.lapsed_cents)
    if (part <= 0) break
    parts.push({ lotId: row.lot_id, cents: part })
    left -= part
  }
  if (parts.length === 0) return
  await sql`
    with part as (
      update gift_use u set lapsed_cents = u.lapsed_cents + p.cents from ${partsOf(parts)}
      where u.subject = 'order' and u.subject_id = ${orderId} and u.lot_id = p.lot_id returning u.lot_id, p.cents
    )
    update gift_lot l set used_cents = l.used_cents - p.cents, expired_cents = l.expired_cents + p.cents
    from part p where l.id = p.lot_id`.execute(tx)
}

/** What a charge by hand took from lots, with the ends of these. */
export async function takenByCharge(tx: Tx, chargeId: number) {
  const { rows } = await usedRow.select`
    from gift_use u join gift_lot l on l.id = u.lot_id
    where u.subject = 'charge' and u.subject_id = ${chargeId} order by l.id`.execute(tx)
  return rows.map(usedGiftOf)
}

const revokedRow = rowOf('gift_lot', ['id', 'rider_id', 'open_cents', 'granted_cents', 'revoked_cents']).filled(
  'open_cents',
)

/** Which lots: by their numbers, or by what they were given for. */
export type LotsOf =
  | { readonly lotIds: readonly number[] }
  | { readonly source: { readonly kind: GiftSource; readonly ids: readonly number[] } }

/** Locks lots of a company, in their order. */
export async function lockLots(tx: Tx, agentId: number, of: LotsOf) {
  const which =
    'lotIds' in of
      ? sql`id = any (${[...of.lotIds]}::bigint[])`
      : sql`source = ${of.source.kind} and source_id = any (${[...of.source.ids]}::bigint[])`
  const { rows } = await revokedRow.select`
    from gift_lot where agent_id = ${agentId} and ${which} order by id limit ${lotsMax} for update`.execute(tx)
  return rows.map((row) => revokedRow.present(row))
}

/** Takes back parts of lots that the caller has locked. */
export async function revokeParts(tx: Tx, parts: readonly GiftPart[]): Promise<void> {
  await sql`
    update gift_lot l set revoked_cents = l.revoked_cents + p.cents from ${partsOf(parts)} where l.id = p.lot_id`.execute(
    tx,
  )
}

const dueRow = rowOf('gift_lot', ['id', 'agent_id', 'rider_id', 'open_cents', 'ends_at']).filled(
  'open_cents',
  'ends_at',
)

/** Ends lots whose time is over; the caller writes their entries. */
export async function expireLots(tx: Tx, { now, limit }: { readonly now: number; readonly limit: number }) {
  const { rows } = await dueRow.select`
    from gift_lot where open_cents > 0 and ends_at <= ${new Date(now)}
    order by ends_at, id limit ${limit} for update skip locked`.execute(tx)
  if (rows.length > 0) {
    await sql`
      update gift_lot set expired_cents = expired_cents + open_cents
      where id = any (${rows.map(({ id }) => id)}::bigint[])`.execute(tx)
  }
  return rows.map((row) => dueRow.present(row))
}
