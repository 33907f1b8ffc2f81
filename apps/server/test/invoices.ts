import { sealOf } from '#finance/invoices/read.ts'
import { insertInvoice } from '#finance/invoices/store.ts'
import type { Tx } from '#kit/db/pool.ts'
import type { Kit } from '#kit/kit.ts'

/** An invoice that is asked for, of one order; returns its id. */
export async function addInvoice(options: {
  tx: Tx
  kit: Kit
  agentId: number
  orderId: number
  marker: string
  at: Date
}): Promise<number> {
  const { tx, kit, agentId, orderId, marker, at } = options
  const { rider_id: riderId } = await tx
    .selectFrom('ride_order')
    .select('rider_id')
    .where('id', '=', orderId)
    .executeTakeFirstOrThrow()
  const seal = sealOf({ kit }, riderId)
  return insertInvoice(tx, {
    agentId,
    riderId,
    titleKind: 'company',
    titleSealed: seal(`${marker} title`),
    taxNumberSealed: seal(`${marker} tax`),
    emailSealed: seal(`${marker}@example.com`),
    at,
    items: [{ kind: 'order', subjectId: orderId, number: `${marker} order`, at: at.getTime(), cents: 800 }],
  })
}
