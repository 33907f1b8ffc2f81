import type { Tx } from '#kit/db/pool.ts'
import { rowOf } from '#kit/db/rows.ts'

const riderRow = rowOf('rider', ['id'])

export async function findHolder(
  tx: Tx,
  { agentId, certHash }: { agentId: number; certHash: string },
): Promise<number | undefined> {
  const { rows } = await riderRow.select`from rider where agent_id = ${agentId} and cert_hash = ${certHash}`.execute(tx)
  return rows[0]?.id
}
