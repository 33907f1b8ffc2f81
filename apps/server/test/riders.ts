import { dayMs } from '@saddle/contract/time.ts'
import type { Kit } from '#kit/kit.ts'
import type { Tx } from '#kit/db/pool.ts'
import { createRiders } from '#rider/public.ts'
import { createSeals } from '#rider/people/seals.ts'

/** What of a tenant's riders a call could reach for. */
export interface RiderThings {
  /** The rider of the orders: certified, a student, with a certificate and a rebind that wait. */
  readonly riderId: number
  readonly certNumber: string
  readonly bannedId: number
  readonly bannedPhone: string
  readonly certificateId: number
  readonly decidedCertificateId: number
  readonly rebindId: number
}

/** Gives the rider with this phone one of everything, and a banned rider beside them; texts hold the marker. */
export async function addRiderThings(options: {
  tx: Tx
  kit: Kit
  agentId: number
  marker: string
  riderPhone: string
  at: Date
}): Promise<RiderThings> {
  const { tx, kit, agentId, marker, riderPhone, at } = options
  const seals = createSeals(kit.secrets)
  // One person with both tenants: neither is told of the other.
  const bannedPhone = '13710000001'
  const [riderId = 0, bannedId = 0] = await createRiders(kit).ensure(
    tx,
    [riderPhone, bannedPhone].map((phone) => ({ agentId, phone, name: `${marker} rider` })),
  )
  const own = { agent_id: agentId, rider_id: riderId }
  const certNumber = `CERT000${agentId}`
  const certificate = seals.sealIdNumber(certNumber)
  const certified = { cert_hash: certificate.hash, cert_sealed: certificate.sealed, certified_at: at }
  await tx.updateTable('rider').set(certified).where('id', '=', riderId).execute()
  await tx
    .insertInto('rider_ban')
    .values({ agent_id: agentId, rider_id: bannedId, reason: `${marker} ban`, begun_at: at, operator_name: 'x' })
    .execute()
  await tx.updateTable('rider').set({ banned: true }).where('id', '=', bannedId).execute()
  const submitted = { ...own, organisation: `${marker} school`, submitted_at: at }
  const decided = {
    state: 'approved',
    expires_at: new Date(at.getTime() + dayMs),
    decided_at: at,
    decided_by: 'x',
  }
  const [waiting, approved] = await tx
    .insertInto('rider_certificate')
    .values([
      { ...submitted, kind: 'student' },
      { ...submitted, kind: 'profession', ...decided },
    ])
    .returning('id')
    .execute()
  const phone = seals.sealPhone(`1372000000${agentId}`)
  const rebind = await tx
    .insertInto('rider_rebind')
    .values({
      ...own,
      kind: 'phone',
      new_hash: phone.hash,
      new_sealed: phone.sealed,
      claim: `${marker} claim`,
      asked_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const seen = { first_seen_at: at, last_seen_at: at }
  await tx
    .insertInto('rider_device')
    .values({ ...own, device_hash: marker, model: `${marker} phone`, system: 'x', app_version: '1', ...seen })
    .execute()
  await tx
    .insertInto('rider_reveal')
    .values({ ...own, field: 'phone', reason: `${marker} reason`, operator_id: 1, operator_name: 'x', shown_at: at })
    .execute()
  return {
    riderId,
    certNumber,
    bannedId,
    bannedPhone,
    certificateId: waiting?.id ?? 0,
    decidedCertificateId: approved?.id ?? 0,
    rebindId: rebind.id,
  }
}
