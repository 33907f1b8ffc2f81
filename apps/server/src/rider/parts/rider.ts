import { certificateKinds } from '@saddle/contract/rider/certificates.ts'
import { AppError } from '@saddle/contract/errors.ts'
import type { Tx } from '#kit/db/pool.ts'
import { rowOf, rowsOf, type RowOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'

/** A rider as their row has it. */
export const riderColumns = rowOf('rider', 'r', [
  'id',
  'agent_id',
  'phone_hash',
  'phone_sealed',
  'name_hash',
  'name_sealed',
  'cert_hash',
  'cert_sealed',
  'certified_at',
  'closed_at',
  'created_at',
  'last_active_at',
  'banned',
  'certificate_kind',
]).codes({ certificate_kind: certificateKinds })
export type RiderRow = RowOf<typeof riderColumns>

/** A rider of the scope, locked. Throws not_found. */
export async function lockRider(tx: Tx, { riderId, scope }: { riderId: number; scope: Scope }): Promise<RiderRow> {
  const { rows } = await riderColumns.select`
    from rider r
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
