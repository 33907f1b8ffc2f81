import { sql } from 'kysely'
import type { Tx } from '#kit/db/pool.ts'
import { computed, rowOfValues } from '#kit/db/rows.ts'
import { lockDevices, ridersOnDevices } from '../sharedDevices.ts'
import type { TemplateRow } from './templates.ts'

const countRow = rowOfValues({ count: computed('bigint', sql`coalesce(max(n.count), 0)`) })

/**
 * Coupons of a kind that riders on one of a rider's telephones have got and that were not revoked: the most of any telephone.
 * Whoever gives another of the kind on one of these waits until the end of the transaction.
 */
export async function givenOnDevices(
  tx: Tx,
  { template, riderId }: { readonly template: Pick<TemplateRow, 'id' | 'agent_id'>; readonly riderId: number },
): Promise<number> {
  const { id, agent_id: agentId } = template
  await lockDevices(tx, { of: `coupon_template ${id}`, agentId, riderId })
  const { rows } = await countRow.select`
    from (
      select count(*) from ${ridersOnDevices({ agentId, riderId })} d
      join coupon c on c.rider_id = d.rider_id and c.agent_id = ${agentId}
        and c.template_id = ${id} and c.state <> 'revoked'
      group by d.device_hash
    ) n`.execute(tx)
  return rows[0]?.count ?? 0
}
