import { supportTicketEndpoints, ticketFields, ticketList, type Ticket } from '@saddle/contract/support/tickets.ts'
import { listOf } from '#kit/list/declare.ts'

const shared = { list: ticketList, call: supportTicketEndpoints.listTickets, fields: ticketFields }

export const tickets = listOf({ ...shared, file: supportTicketEndpoints.exportTickets })

/** Those of one rider, on their own page. */
export const ticketsOfRider = listOf({
  ...shared,
  name: 'tickets of a rider',
  sort: { by: 'opened', direction: 'desc' },
})

export const toTicket = ({ id }: Pick<Ticket, 'id'>): string => `/user-worksheet-detail?ticket=${id}`
