import type { chatEndpoints } from '@saddle/contract/support/chat.ts'
import type { complaintEndpoints, riderComplaintEndpoints } from '@saddle/contract/support/complaints.ts'
import type { Handlers } from '#kit/call.ts'
import type { Kit } from '#kit/kit.ts'
import type { Organisation } from '#organisation/public.ts'
import type { RiderEvents } from '#rider/public.ts'
import { createChatHandlers } from './chat/handlers.ts'
import { createTalk, type Talk } from './chat/talk.ts'
import { createComplaintHandlers } from './complaints/handlers.ts'
import { createComplaintEvents } from './complaints/ofRider.ts'
import type { ComplaintParts } from './complaints/parts.ts'
import { createRiderComplaintHandlers } from './complaints/rider.ts'
import { startSweeping, sweepComplaints } from './complaints/sweeping.ts'

export { chatMessageTopic } from './chat/rules.ts'

export type Support = { readonly handlers: Handlers<typeof chatEndpoints>; readonly talk: Talk }

/** The built-in chat between operators and the support inbox. */
export function createSupport(kit: Kit, others: { readonly organisation: Organisation }): Support {
  const talk = createTalk(kit, others.organisation)
  return { handlers: createChatHandlers(kit, talk), talk }
}

export type Complaints = {
  readonly handlers: Handlers<typeof complaintEndpoints & typeof riderComplaintEndpoints>
  /** The tickets of a rider as entries of their timeline. */
  readonly riderEvents: RiderEvents
  /** Closes answered tickets that were not reopened; resolves to their number. */
  sweep(): Promise<number>
  /** Does so periodically; returns a function that stops it. For workers; safe to run on several. */
  startBackground(): () => Promise<void>
}

/** Tickets of riders, from the report to the finding. */
export function createComplaints(
  kit: Kit,
  others: Pick<ComplaintParts, 'audit' | 'photos' | 'reportFault' | 'riders'>,
): Complaints {
  const parts = { kit, ...others }
  return {
    handlers: { ...createComplaintHandlers(parts), ...createRiderComplaintHandlers(parts) },
    riderEvents: createComplaintEvents(kit),
    sweep: () => sweepComplaints(kit),
    startBackground: () => startSweeping(kit),
  }
}
