/** What the demo's past is written with, besides the public part of this domain. Only `apps/server/demo` imports it. */
export type { ComplaintParts } from './complaints/parts.ts'
export { dueAfter } from './complaints/rules.ts'
export { lockTicket, openTicket, takeStep, type By } from './complaints/ticket.ts'
