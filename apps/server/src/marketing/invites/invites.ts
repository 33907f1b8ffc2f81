import type { inviteActivityEndpoints } from '@saddle/contract/marketing/inviteActivities.ts'
import type { inviteEndpoints } from '@saddle/contract/marketing/invites.ts'
import type { riderInviteEndpoints } from '@saddle/contract/marketing/riderInvites.ts'
import type { Handlers } from '#kit/call.ts'
import type { Facts } from '../facts/facts.ts'
import { createInviteActivityHandlers } from '../inviteActivities/handlers.ts'
import type { Rewards } from '../rewards/rewards.ts'
import { createRiderInviteHandlers } from '../riderInvites/handlers.ts'
import type { InviteDeps } from './deps.ts'
import { inviteConsumer, sweepInvites } from './follow.ts'
import { createInviteHandlers } from './handlers.ts'

export type InviteEndpoints = typeof inviteActivityEndpoints & typeof inviteEndpoints & typeof riderInviteEndpoints

export type Invites = {
  readonly handlers: Handlers<InviteEndpoints>
  /** What time does to invites. Resolves to the number of those that changed. For the worker. */
  sweep(): Promise<number>
}

/** Invites: their activities, what riders do with them, and what rides and time make of them. */
export function createInvites(
  deps: InviteDeps & { readonly rewards: Rewards; readonly facts: Pick<Facts, 'consume'> },
): Invites {
  deps.facts.consume(inviteConsumer(deps))
  return {
    handlers: {
      ...createInviteActivityHandlers(deps),
      ...createInviteHandlers(deps),
      ...createRiderInviteHandlers(deps),
    },
    sweep: () => sweepInvites(deps),
  }
}
