import { sql } from 'kysely'
import type { Keyring } from '#kit/crypto.ts'
import type { Tx } from '#kit/db/pool.ts'

export const payerPurpose = 'payment-payer'

/**
 * The hash of a payer's account with a channel, the only thing that is kept of it: two riders who pay with one account
 * have the same. Payments that were hashed under an earlier secret are hashed anew when the payer shows up again.
 */
export async function payerHashOf(
  tx: Tx,
  secrets: Pick<Keyring, 'hmacs'>,
  payer: { readonly agentId: number; readonly channel: string; readonly name: string | undefined },
): Promise<string | null> {
  if (payer.name === undefined) return null
  const [hash, ...earlier] = secrets.hmacs({ purpose: payerPurpose, text: `${payer.channel} ${payer.name}` })
  if (earlier.length > 0) {
    await sql`
      update payment set payer_hash = ${hash}
      where agent_id = ${payer.agentId} and payer_hash = any (${earlier}::text[])`.execute(tx)
  }
  return hash
}
