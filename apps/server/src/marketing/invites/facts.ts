import { sql } from 'kysely'
import type { InviteFacts } from '@saddle/contract/marketing/invites.ts'
import { minuteMs } from '@saddle/contract/time.ts'
import type { Tx } from '#kit/db/pool.ts'
import { computed, rowOf, rowOfValues, rowsOf } from '#kit/db/rows.ts'
import type { InviteRide, Likeness } from './rules.ts'

type Pair = { readonly agentId: number; readonly inviterId: number; readonly invitedId: number }

/** Devices and payers of one rider that are compared. */
const comparedMax = 50
/** Riders with one device or payer that are looked at. */
const sharersMax = 200

/**
 * Compares the invited rider with the inviter, with others whom the inviter brought, and with older accounts: telephones and
 * payment accounts by their keyed hashes, documents by the requests that moved one from an account to another.
 */
export async function likenessOf(tx: Tx, { agentId, inviterId, invitedId }: Pair): Promise<Likeness> {
  const isNear = (riderId: string) => sql`
    (${sql.ref(riderId)} = ${inviterId} or exists (
      select from invite i where i.invited_id = ${sql.ref(riderId)} and i.inviter_id = ${inviterId}))`
  const { rows } = await rowOfValues({
    same_device: computed('boolean', sql`exists (select from same_device s where ${isNear('s.rider_id')})`),
    same_payer: computed('boolean', sql`exists (select from same_payer s where ${isNear('s.rider_id')})`),
    same_person: computed('boolean', sql`exists (select from same_person s where s.rider_id = ${inviterId})`),
    older_account: computed(
      'boolean',
      sql`exists (
        select from (select rider_id from same_device union select rider_id from same_person) s
        join rider o on o.id = s.rider_id join rider i on i.id = ${invitedId}
        where o.created_at < i.created_at and not ${isNear('s.rider_id')}
          and exists (select from ride_order r where r.rider_id = o.id and r.charged_cents is not null))`,
    ),
  })
    .query(
      (list) => sql`
      with same_device as (
        select distinct o.rider_id
        from (select device_hash from rider_device where rider_id = ${invitedId} order by last_seen_at desc
          limit ${comparedMax}) d
        join rider_device o on o.device_hash = d.device_hash and o.agent_id = ${agentId} and o.rider_id <> ${invitedId}
        limit ${sharersMax}
      ), same_payer as (
        select distinct o.rider_id
        from (select distinct payer_hash from payment where rider_id = ${invitedId} and agent_id = ${agentId}
          and payer_hash is not null limit ${comparedMax}) p
        join payment o on o.payer_hash = p.payer_hash and o.agent_id = ${agentId} and o.rider_id <> ${invitedId}
        limit ${sharersMax}
      ), same_person as (
        select case when b.rider_id = ${invitedId} then b.holder_id else b.rider_id end as rider_id
        from rider_rebind b
        where b.kind = 'certificate' and b.state = 'approved' and ${invitedId} in (b.rider_id, b.holder_id)
        limit ${sharersMax}
      )
      select ${list}`,
    )
    .execute(tx)
  const [row] = rows
  if (row === undefined) throw new Error('a comparison has no answer')
  return {
    sameDevice: row.same_device,
    samePayer: row.same_payer,
    samePerson: row.same_person,
    olderAccount: row.older_account,
  }
}

const orderRow = rowsOf(
  rowOf('ride_order', 'o', [
    'id',
    'rider_id',
    'agent_id',
    'area_id',
    'state',
    'started_at',
    'ended_at',
    'distance_m',
    'charged_cents',
  ]),
)

/** A ride that was charged, as invites look at it; undefined where it was not. */
export async function rideOf(
  tx: Tx,
  { agentId, orderId }: { readonly agentId: number; readonly orderId: number },
): Promise<InviteRide | undefined> {
  const { rows } = await orderRow.select`
    from ride_order o where o.id = ${orderId} and o.agent_id = ${agentId}`.execute(tx)
  const [row] = rows
  if (row === undefined || row.ended_at === null || row.started_at === null) return undefined
  const endedAt = row.ended_at.getTime()
  return {
    orderId: row.id,
    endedAt,
    minutes: Math.floor((endedAt - row.started_at.getTime()) / minuteMs),
    metres: Math.round(row.distance_m ?? 0),
    paidCents: row.state === 'due' ? 0 : (row.charged_cents ?? 0),
    areaId: row.area_id,
    isRefunded: row.state === 'refunded',
  }
}

/** What is kept of a decision beside its reason. */
export const factsOf = (likeness: Likeness, ride: InviteRide | null): InviteFacts => ({
  ...likeness,
  minutes: ride?.minutes ?? null,
  metres: ride?.metres ?? null,
  paidCents: ride?.paidCents ?? null,
})
