import { AppError } from '@saddle/contract/errors.ts'
import type { SessionCall } from '#kit/call.ts'
import type { Tx } from '#kit/db/pool.ts'
import { countRow } from '#kit/db/rows.ts'

/** Who changes something, and within which scope. */
export type ContentCall = Pick<SessionCall, 'caller' | 'scope' | 'address' | 'requestId'>

/** The company of something new. Throws not_found for one outside the scope. */
export function newAgentOf({ scope }: Pick<SessionCall, 'scope'>, agentId: number | undefined): number {
  if (agentId === undefined || !scope.agentIds.includes(agentId)) throw new AppError('not_found')
  return agentId
}

/** Throws foreign_scope where an area is not one of the company's. */
export async function checkAreas(tx: Tx, agentId: number, areaIds: readonly number[]): Promise<void> {
  const ids = [...new Set(areaIds)]
  if (ids.length === 0) return
  const { rows } = await countRow.select`
    from service_area where agent_id = ${agentId} and id = any (${ids}::bigint[])`.execute(tx)
  if (rows[0]?.count !== ids.length) throw new AppError('foreign_scope')
}

/** How many shards a figure has; a rider always counts in the same one. */
const shards = 16
export const shardOf = (riderId: number): number => riderId % shards
