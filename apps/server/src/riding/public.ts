import type { orderEndpoints } from '@saddle/contract/riding/orders.ts'
import type { PriceRules } from '@saddle/contract/riding/price.ts'
import type { priceEndpoints } from '@saddle/contract/riding/prices.ts'
import type { refundEndpoints } from '@saddle/contract/riding/refunds.ts'
import type { Audit } from '#audit/public.ts'
import type { Fleet } from '#fleet/public.ts'
import type { Geography } from '#geography/public.ts'
import type { Handlers } from '#kit/call.ts'
import type { Kit } from '#kit/kit.ts'
import { createRiders } from '#rider/public.ts'
import { bookHistory } from './history/book.ts'
import { createOrderHandlers } from './orders/handlers.ts'
import { createPriceHandlers } from './prices/handlers.ts'
import { createRefundHandlers } from './refunds/handlers.ts'

export type Riding = {
  readonly handlers: Handlers<typeof orderEndpoints & typeof priceEndpoints & typeof refundEndpoints>
  /**
   * Makes an order of every ride of the past that has none; areas without prices get `rules` first. For the demo. Safe
   * to repeat and to be cut short. Resolves to the number of orders.
   */
  bookHistory(rules: PriceRules): Promise<number>
}

/** Rides as orders: what they cost and why, and giving money back. */
export function createRiding(
  kit: Kit,
  others: { readonly audit: Audit; readonly fleet: Fleet; readonly geography: Geography },
): Riding {
  const parts = { kit, riders: createRiders(kit), ...others }
  return {
    handlers: { ...createOrderHandlers(parts), ...createPriceHandlers(parts), ...createRefundHandlers(parts) },
    bookHistory: (rules) => bookHistory(parts, rules),
  }
}
