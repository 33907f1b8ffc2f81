import { sql, type RawBuilder } from 'kysely'
import { orderNumber } from '#riding/public.ts'

/** When a ride was ordered, beside the row that names it; null where the reader may not see the ride. */
export const placedAtOf = (orderId: RawBuilder<unknown>, agentId: RawBuilder<unknown>) =>
  sql`(select o.placed_at from ride_order o where o.id = ${orderId} and o.agent_id = ${agentId})`

/** The number of an order, as people read it. */
export const numberOf = (id: number | null, placedAt: number | null): string | null =>
  id === null || placedAt === null ? null : orderNumber({ id, placedAt })
