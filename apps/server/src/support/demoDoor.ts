/** What the demo's past is written with, besides the public part of this domain. Only `apps/server/demo` imports it. */
export type { TicketParts } from './tickets/parts.ts'
export { dueAfter } from './tickets/rules.ts'
export { lockTicket, openTicket, takeStep, type By } from './tickets/ticket.ts'
export { dueAfter as feedbackDueAfter } from './feedback/rules.ts'
export { insertFeedback, insertFeedbackEvent, type FeedbackChanges } from './feedback/store.ts'
export type { Subject as FeedbackSubject } from './feedback/subject.ts'
export { takeFeedbackStep, tellOfFeedback } from './feedback/ticket.ts'
export { keepTicketPhotos } from './ticketPhotos.ts'
