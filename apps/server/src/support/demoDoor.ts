/** What the demo's past is written with, besides the public part of this domain. Only `apps/server/demo` imports it. */
export type { TicketParts } from './tickets/parts.ts'
export { dueAfter } from './tickets/rules.ts'
export { lockTicket, openTicket, takeStep, type By } from './tickets/ticket.ts'
