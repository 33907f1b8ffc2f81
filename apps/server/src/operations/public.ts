import type { statisticsEndpoints } from '@saddle/contract/operations/statistics.ts'
import type { taskEndpoints } from '@saddle/contract/operations/taskCalls.ts'
import type { ticketEndpoints } from '@saddle/contract/operations/tickets.ts'
import type { Audit } from '#audit/public.ts'
import type { Fleet } from '#fleet/public.ts'
import type { Handlers } from '#kit/call.ts'
import type { Kit } from '#kit/kit.ts'
import type { Photos } from '#photos/public.ts'
import { createStatisticsHandlers } from './statistics/handlers.ts'
import { createTaskHandlers } from './tasks/handlers.ts'
import { createTicketHandlers } from './tickets/handlers.ts'

type Calls = typeof ticketEndpoints & typeof taskEndpoints & typeof statisticsEndpoints
export { reportFault } from './tasks/fault.ts'

export type Operations = { readonly handlers: Handlers<Calls> }

/** The work of field staff on vehicles. */
export function createOperations(
  kit: Kit,
  others: { readonly audit: Audit; readonly fleet: Fleet; readonly photos: Photos },
): Operations {
  const parts = { kit, ...others }
  return {
    handlers: {
      ...createTicketHandlers(kit, others),
      ...createTaskHandlers(parts),
      ...createStatisticsHandlers(parts),
    },
  }
}
