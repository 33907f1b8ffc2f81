import { inviteTermsSchema, type inviteActivityEndpoints } from '@saddle/contract/marketing/inviteActivities.ts'
import type { Handlers } from '#kit/call.ts'
import type { ActivityDeps } from '../activities/deps.ts'
import { serveActivities } from '../activities/handlers.ts'
import type { Rewards } from '../rewards/rewards.ts'
import { previewOf } from './preview.ts'

type Deps = ActivityDeps & { readonly rewards: Pick<Rewards, 'price'> }

/** The handlers of invite activities: what every activity has, with the terms of invites. */
export function createInviteActivityHandlers(deps: Deps): Handlers<typeof inviteActivityEndpoints> {
  const { kit, rewards } = deps
  const served = serveActivities(deps, {
    kind: 'invite',
    terms: inviteTermsSchema,
    fileName: 'invite-activities',
    // Throws not_found where a reward is not the company's.
    check: async (tx, { agentId, terms }) => {
      const both = [...terms.inviterRewards, ...terms.invitedRewards]
      await rewards.price(tx, { agentId, rewards: both, at: new Date(kit.clock.now()) })
    },
    preview: (asked) => previewOf(deps, asked),
  })
  return {
    listInviteActivities: served.list,
    sumInviteActivities: served.sums,
    exportInviteActivities: served.file,
    createInviteActivity: served.create,
    changeInviteActivity: served.change,
    switchInviteActivity: served.switchState,
    inviteActivityVersions: served.versions,
    previewInviteActivity: served.preview,
  }
}
