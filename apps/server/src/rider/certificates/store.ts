import { sql } from 'kysely'
import {
  certificateKinds,
  certificateList,
  certificateStates,
  type Certificate,
  type CertificateKind,
} from '@saddle/contract/rider/certificates.ts'
import type { Tx } from '#kit/db/pool.ts'
import { rowOf, rowsOf, type RowOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import { spanOf, tableList } from '#kit/list/tableList.ts'
import { personColumns, type OfRiders } from '../parts/rider.ts'

const certificate = rowOf('rider_certificate', 'f', [
  'id',
  'agent_id',
  'rider_id',
  'kind',
  'organisation',
  'photo_ids',
  'submitted_at',
  'state',
  'expires_at',
  'reason',
  'decided_at',
  'decided_by',
]).codes({ kind: certificateKinds, state: certificateStates })
export type CertificateRow = RowOf<typeof certificate>

export const certificateRows = tableList(certificateList, {
  table: 'rider_certificate',
  alias: 'f',
  tenant: 'agent',
  columns: rowsOf(certificate, personColumns),
  joins: sql`join rider r on r.id = f.rider_id join agent on agent.id = f.agent_id`,
  sorts: { submitted: ['submitted_at', 'instant'] },
  find: ({ states = certificateStates, kinds, ...span }, { riderIds }: OfRiders) => ({
    runs: { column: 'state', type: 'text', values: states },
    narrowed: [riderIds && sql`f.rider_id = any (${riderIds}::bigint[])`],
    where: [...spanOf('f.submitted_at', span), kinds && sql`f.kind = any (${kinds}::text[])`],
  }),
})

const certificatesOfRiderMax = 50

/** Of one rider that was looked up within the scope. */
export function selectCertificatesOf({ id, agent_id }: { id: number; agent_id: number }) {
  return certificate.select`
    from rider_certificate f where f.rider_id = ${id} and f.agent_id = ${agent_id}
    order by f.submitted_at desc, f.id desc limit ${certificatesOfRiderMax}`
}

export function selectCertificate({ id, scope }: { id: number; scope: Scope }) {
  return certificate.select`
    from rider_certificate f where f.id = ${id} and f.agent_id = any (${scope.agentIds}::bigint[])`
}

export async function lockCertificate(
  tx: Tx,
  { id, scope }: { id: number; scope: Scope },
): Promise<CertificateRow | undefined> {
  const { rows } = await certificate.select`
    from rider_certificate f where f.id = ${id} and f.agent_id = any (${scope.agentIds}::bigint[]) for update`.execute(
    tx,
  )
  return rows[0]
}

export function certificateOf(row: CertificateRow): Certificate {
  const { photoIds, ...shown } = certificate.present(row)
  return { ...shown, photos: photoIds.length }
}

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

const riderCertificateRow = rowOf('rider_certificate', 'f', ['rider_id'])

/** Ends certificates whose term is over. Resolves to their number. */
export async function expireCertificates(tx: Tx, now: Date): Promise<number> {
  const { rows } = await riderCertificateRow.returning`
    with over as (
      select id from rider_certificate where state = 'approved' and expires_at <= ${now}
      order by expires_at limit ${expiredPerTurn} for update skip locked
    )
    update rider_certificate f set state = 'expired' from over where f.id = over.id`.execute(tx)
  if (rows.length > 0)
    await markRiders(
      tx,
      rows.map((row) => row.rider_id),
    )
  return rows.length
}
