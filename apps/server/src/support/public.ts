import type { chatEndpoints } from '@saddle/contract/support/chat.ts'
import type { feedbackEndpoints } from '@saddle/contract/support/feedback.ts'
import type { riderTicketEndpoints } from '@saddle/contract/support/riderTickets.ts'
import type { supportTicketEndpoints } from '@saddle/contract/support/tickets.ts'
import type { Handlers } from '#kit/call.ts'
import type { Kit } from '#kit/kit.ts'
import type { Organisation } from '#organisation/public.ts'
import type { RiderEvents } from '#rider/public.ts'
import { createChatHandlers } from './chat/handlers.ts'
import { createTalk, type Talk } from './chat/talk.ts'
import { createTicketHandlers } from './tickets/handlers.ts'
import type { FeedbackDeps } from './feedback/deps.ts'
import { createFeedbackHandlers } from './feedback/handlers.ts'
import { startFeedbackSweeping, sweepFeedback } from './feedback/sweeping.ts'
import { createTicketEvents } from './tickets/ofRider.ts'
import type { TicketParts } from './tickets/parts.ts'
import { createRiderTicketHandlers } from './riderTickets/handlers.ts'
import { startSweeping, sweepTickets } from './tickets/sweeping.ts'

export { chatMessageTopic } from './chat/rules.ts'

export type Support = { readonly handlers: Handlers<typeof chatEndpoints>; readonly talk: Talk }

/** The built-in chat between operators and the support inbox. */
export function createSupport(kit: Kit, others: { readonly organisation: Organisation }): Support {
  const talk = createTalk(kit, others.organisation)
  return { handlers: createChatHandlers(kit, talk), talk }
}

export type Tickets = {
  readonly handlers: Handlers<typeof supportTicketEndpoints & typeof riderTicketEndpoints>
  /** The tickets of a rider as entries of their timeline. */
  readonly riderEvents: RiderEvents
  /** Closes answered tickets that were not reopened; resolves to their number. */
  sweep(): Promise<number>
  /** Does so periodically; returns a function that stops it. For workers; safe to run on several. */
  startBackground(): () => Promise<void>
}

/** Tickets of riders, from the report to the finding. */
export function createTickets(
  kit: Kit,
  others: Pick<TicketParts, 'audit' | 'photos' | 'reportFault' | 'riders'>,
): Tickets {
  const parts = { kit, ...others }
  return {
    handlers: { ...createTicketHandlers(parts), ...createRiderTicketHandlers(parts) },
    riderEvents: createTicketEvents(kit),
    sweep: () => sweepTickets(kit),
    startBackground: () => startSweeping(kit),
  }
}

export interface Feedback {
  readonly handlers: Handlers<typeof feedbackEndpoints>
  /** Tells of tickets whose time is over and closes those that were resolved long ago; resolves to their number. */
  sweep(): Promise<number>
  /** Does so periodically; returns a function that stops it. For workers; safe to run on several. */
  startBackground(): () => Promise<void>
}

/** Tickets of staff to the platform. */
export function createFeedback(kit: Kit, others: Omit<FeedbackDeps, 'kit'>): Feedback {
  return {
    handlers: createFeedbackHandlers({ kit, ...others }),
    sweep: () => sweepFeedback(kit),
    startBackground: () => startFeedbackSweeping(kit),
  }
}
