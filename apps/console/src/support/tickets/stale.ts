import { timelineEndpoints } from '@saddle/contract/rider/timeline.ts'
import { supportTicketEndpoints } from '@saddle/contract/support/tickets.ts'

/** Queries that a step of a ticket makes stale. */
export const staleTickets = [
  supportTicketEndpoints.listTickets,
  supportTicketEndpoints.ticketCounters,
  supportTicketEndpoints.ticket,
  supportTicketEndpoints.ticketWorkers,
  timelineEndpoints.riderTimeline,
]
