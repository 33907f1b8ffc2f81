import type { ticketEndpoints } from '@saddle/contract/operations/tickets.ts'
import type { Audit } from '#audit/public.ts'
import type { Handlers } from '#kit/call.ts'
import type { Kit } from '#kit/kit.ts'
import { createTicketHandlers } from './tickets/handlers.ts'

export type Operations = { readonly handlers: Handlers<typeof ticketEndpoints> }

/** The work of field staff on vehicles. */
export function createOperations(kit: Kit, others: { readonly audit: Audit }): Operations {
  return { handlers: createTicketHandlers(kit, others) }
}
