import { sql } from 'kysely'
import { AppError } from '@saddle/contract/errors.ts'
import type { Tx } from '#kit/db/pool.ts'
import { rowOf, rowsOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'

/** A rider as their row has it. */
export type RiderRow = {
  id: number
  agent_id: number
  phone_hash: string
  phone_sealed: string
  name_hash: string | null
  name_sealed: string | null
  cert_hash: string | null
  cert_sealed: string | null
  certified_at: Date | null
  closed_at: Date | null
  created_at: Date
  last_active_at: Date
  banned: boolean
  certificate_kind: string | null
}

export const riderColumns = sql`r.id, r.agent_id, r.phone_hash, r.phone_sealed, r.name_hash, r.name_sealed, r.cert_hash,
  r.cert_sealed, r.certified_at, r.closed_at, r.created_at, r.last_active_at, r.banned, r.certificate_kind`

/** A rider of the scope, locked. Throws not_found. */
export async function lockRider(tx: Tx, { riderId, scope }: { riderId: number; scope: Scope }): Promise<RiderRow> {
  const { rows } = await sql<RiderRow>`
    select ${riderColumns} from rider r
    where r.id = ${riderId} and r.agent_id = any (${scope.agentIds}::bigint[]) for update`.execute(tx)
  const [row] = rows
  if (row === undefined) throw new AppError('not_found')
  return row
}

/** Riders that a list is narrowed to; absent: it is not. */
export type OfRiders = { readonly riderIds: readonly number[] | undefined }

/** Whose a listed row is, from `rider r` and `agent`. */
export const personColumns = rowsOf(
  rowOf('rider', 'r', ['phone_hash', 'phone_sealed', 'name_sealed', 'cert_hash']),
  rowOf('agent', 'agent', ['company']),
)
