import type { Tx } from '#kit/db/pool.ts'
import { rowOf } from '#kit/db/rows.ts'

export interface StoredPasskey {
  readonly id: number
  readonly operatorId: number
  readonly credentialId: string
  readonly publicKey: Uint8Array<ArrayBuffer>
  readonly useCount: number
  readonly rpId: string
}

export async function findPasskey(tx: Tx, credentialId: string): Promise<StoredPasskey | null> {
  const row = await tx
    .selectFrom('operator_passkey')
    .select(['id', 'operator_id', 'credential_id', 'public_key', 'use_count', 'rp_id'])
    .where('credential_id', '=', credentialId)
    .executeTakeFirst()
  if (row === undefined) return null
  return {
    id: row.id,
    operatorId: row.operator_id,
    credentialId: row.credential_id,
    publicKey: new Uint8Array(row.public_key),
    useCount: row.use_count,
    rpId: row.rp_id,
  }
}

export const passkeyRow = rowOf('operator_passkey', [
  'id',
  'name',
  'synced',
  'credential_id',
  'created_at',
  'last_used_at',
])

export async function passkeysOf(tx: Tx, operatorId: number) {
  const { rows } = await passkeyRow.select`
    from operator_passkey where operator_id = ${operatorId} order by created_at desc, id desc`.execute(tx)
  return rows
}

/** Marks the passkey as used; false when a concurrent login used the same counter value. */
export async function markUsed(
  tx: Tx,
  passkey: StoredPasskey,
  options: { useCount: number; synced: boolean; at: Date },
): Promise<boolean> {
  const result = await tx
    .updateTable('operator_passkey')
    .set({ use_count: options.useCount, synced: options.synced, last_used_at: options.at })
    .where('id', '=', passkey.id)
    .where('use_count', '=', passkey.useCount)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

export async function removePasskeysOf(tx: Tx, operatorId: number): Promise<void> {
  await tx.deleteFrom('operator_passkey').where('operator_id', '=', operatorId).execute()
}
