import { sql } from 'kysely'
import {
  certificateKinds,
  certificateStates,
  type Certificate,
  type CertificateFilter,
  type CertificateKind,
} from '@saddle/contract/rider/certificates.ts'
import type { Tx } from '#kit/db/pool.ts'
import type { Scope } from '#kit/db/scope.ts'
import { known } from '#kit/known.ts'
import { countOf, orderOf, pageOf, type Asked, type Listed } from '../parts/runs.ts'

export type CertificateRow = {
  id: number
  agent_id: number
  rider_id: number
  kind: string
  organisation: string
  photo_ids: string[]
  submitted_at: Date
  state: string
  expires_at: Date | null
  reason: string
  decided_at: Date | null
  decided_by: string | null
}

export type ListedCertificateRow = CertificateRow & {
  company: string
  phone_hash: string
  phone_sealed: string
  name_sealed: string | null
  cert_hash: string | null
}

const columns = sql`f.id, f.agent_id, f.rider_id, f.kind, f.organisation, f.photo_ids, f.submitted_at, f.state,
  f.expires_at, f.reason, f.decided_at, f.decided_by`

const listedOf = ({ states = [...certificateStates], kinds }: CertificateFilter): Listed => ({
  table: 'rider_certificate',
  at: 'submitted_at',
  by: { column: 'state', type: 'text', values: states },
  riderId: 'rider_id',
  ...(kinds !== undefined && { filter: sql`x.kind = any (${kinds}::text[])` }),
})

export function selectCertificates(filter: CertificateFilter, asked: Asked) {
  return sql<ListedCertificateRow>`
    select ${columns}, agent.company, r.phone_hash, r.phone_sealed, r.name_sealed, r.cert_hash
    from ${pageOf(listedOf(filter), asked)} join rider_certificate f on f.id = p.id
    join rider r on r.id = f.rider_id join agent on agent.id = f.agent_id
    order by ${orderOf(asked)}`
}

export const countCertificates = (filter: CertificateFilter, asked: Asked) => countOf(listedOf(filter), asked)

const certificatesOfRiderMax = 50

/** Of one rider that was looked up within the scope. */
export function selectCertificatesOf({ id, agent_id }: { id: number; agent_id: number }) {
  return sql<CertificateRow>`
    select ${columns} from rider_certificate f where f.rider_id = ${id} and f.agent_id = ${agent_id}
    order by f.submitted_at desc, f.id desc limit ${certificatesOfRiderMax}`
}

export function selectCertificate({ id, scope }: { id: number; scope: Scope }) {
  return sql<CertificateRow>`
    select ${columns} from rider_certificate f where f.id = ${id} and f.agent_id = any (${scope.agentIds}::bigint[])`
}

export async function lockCertificate(
  tx: Tx,
  { id, scope }: { id: number; scope: Scope },
): Promise<CertificateRow | undefined> {
  const { rows } = await sql<CertificateRow>`
    select ${columns} from rider_certificate f
    where f.id = ${id} and f.agent_id = any (${scope.agentIds}::bigint[]) for update`.execute(tx)
  return rows[0]
}

export const certificateOf = (row: CertificateRow): Certificate => ({
  id: row.id,
  riderId: row.rider_id,
  kind: known(certificateKinds, row.kind),
  organisation: row.organisation,
  photos: row.photo_ids.length,
  submittedAt: row.submitted_at.getTime(),
  state: known(certificateStates, row.state),
  expiresAt: row.expires_at?.getTime() ?? null,
  reason: row.reason,
  decidedAt: row.decided_at?.getTime() ?? null,
  decidedBy: row.decided_by,
})

export async function insertCertificate(
  tx: Tx,
  certificate: {
    readonly agentId: number
    readonly riderId: number
    readonly kind: CertificateKind
    readonly organisation: string
    readonly photoIds: readonly string[]
    readonly at: Date
  },
): Promise<void> {
  await sql`
    insert into rider_certificate (agent_id, rider_id, kind, organisation, photo_ids, submitted_at)
    values (${certificate.agentId}, ${certificate.riderId}, ${certificate.kind}, ${certificate.organisation}, ${certificate.photoIds}::uuid[],
      ${certificate.at})`.execute(tx)
}

/** What a waiting certificate was decided to be, or null: it waits again. The rider's mark follows. */
export async function decideCertificate(
  tx: Tx,
  row: CertificateRow,
  decision: {
    readonly state: 'approved' | 'refused'
    readonly expiresAt: Date | null
    readonly reason: string
    readonly at: Date
    readonly operatorId: number
    readonly operatorName: string
  } | null,
): Promise<void> {
  await sql`
    update rider_certificate set state = ${decision?.state ?? 'waiting'}, expires_at = ${decision?.expiresAt ?? null},
      reason = ${decision?.reason ?? ''}, decided_at = ${decision?.at ?? null},
      decided_by_id = ${decision?.operatorId ?? null}, decided_by = ${decision?.operatorName ?? null}
    where id = ${row.id} and agent_id = ${row.agent_id}`.execute(tx)
  await markRiders(tx, [row.rider_id])
}

/** What a rider holds now: of two certificates the one that was decided last. */
async function markRiders(tx: Tx, riderIds: readonly number[]): Promise<void> {
  await sql`
    update rider r set certificate_kind = (
      select f.kind from rider_certificate f where f.rider_id = r.id and f.state = 'approved'
      order by f.decided_at desc, f.id desc limit 1
    ) where r.id = any (${riderIds}::bigint[])`.execute(tx)
}

const expiredPerTurn = 1_000

/** Ends certificates whose term is over. Resolves to their number. */
export async function expireCertificates(tx: Tx, now: Date): Promise<number> {
  const { rows } = await sql<{ rider_id: number }>`
    with over as (
      select id from rider_certificate where state = 'approved' and expires_at <= ${now}
      order by expires_at limit ${expiredPerTurn} for update skip locked
    )
    update rider_certificate f set state = 'expired' from over where f.id = over.id returning f.rider_id`.execute(tx)
  if (rows.length > 0)
    await markRiders(
      tx,
      rows.map((row) => row.rider_id),
    )
  return rows.length
}
