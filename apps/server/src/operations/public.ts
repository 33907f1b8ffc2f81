import type { taskEndpoints } from '@saddle/contract/operations/taskCalls.ts'
import type { ticketEndpoints } from '@saddle/contract/operations/tickets.ts'
import type { Audit } from '#audit/public.ts'
import type { Fleet } from '#fleet/public.ts'
import type { Handlers } from '#kit/call.ts'
import type { Kit } from '#kit/kit.ts'
import type { Photos } from '#photos/public.ts'
import { createTaskHandlers } from './tasks/handlers.ts'
import { createTicketHandlers } from './tickets/handlers.ts'

export type Operations = { readonly handlers: Handlers<typeof ticketEndpoints> & Handlers<typeof taskEndpoints> }

/** The work of field staff on vehicles. */
export function createOperations(
  kit: Kit,
  others: { readonly audit: Audit; readonly fleet: Fleet; readonly photos: Photos },
): Operations {
  const parts = { kit, ...others }
  return { handlers: { ...createTicketHandlers(kit, others), ...createTaskHandlers(parts) } }
}
