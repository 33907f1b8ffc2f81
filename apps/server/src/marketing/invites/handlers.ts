import { AppError } from '@saddle/contract/errors.ts'
import { inviteFields, inviteList, type inviteEndpoints } from '@saddle/contract/marketing/invites.ts'
import type { Handlers } from '#kit/call.ts'
import { rowOf } from '#kit/db/rows.ts'
import { serveList } from '#kit/list/serveList.ts'
import { clearInvite, refuseInvite } from './decide.ts'
import type { InviteDeps } from './deps.ts'
import { inviteRows, presentInvite } from './store.ts'
import { pathTo, treeBelow, treeTops } from './tree.ts'

const codeRow = rowOf('invite_code', 'c', ['code'])

/** Who brought whom, and what people decide about it. */
export function createInviteHandlers(deps: InviteDeps): Handlers<typeof inviteEndpoints> {
  const { kit, riders } = deps
  const invites = serveList(deps, inviteList, {
    name: 'invites',
    prepare: async (filter, { scope }) => ({ riderIds: await riders.idsOf(scope, filter) }),
    rows: inviteRows,
    present: (row) => presentInvite(row, riders.maskedPhone),
    file: { action: 'invite.export', fields: inviteFields },
  })
  return {
    listInvites: invites.page,
    sumInvites: invites.sums,
    exportInvites: invites.file,

    inviteTree: async ({ inviterId, after }, { scope }) => {
      const page = inviterId === undefined ? treeTops(deps, scope, after) : treeBelow(deps, scope, { inviterId, after })
      return { suc: true, data: await page }
    },

    findInInviteTree: async ({ phone }, { scope }) => {
      const paths = []
      for (const riderId of await riders.idsByPhone(scope, phone)) {
        const path = await pathTo(deps, scope, riderId)
        if (path.length > 1 || (path[0]?.brought ?? 0) > 0) paths.push(path)
      }
      return { suc: true, data: { paths } }
    },

    riderInvites: async ({ riderId }, { scope }) => {
      const path = await pathTo(deps, scope, riderId)
      const own = path.at(-1)
      if (own === undefined) throw new AppError('not_found')
      const [code] = await kit.db.read(scope, (k) =>
        codeRow.select`
          from invite_code c where c.rider_id = ${riderId} and c.agent_id = any (${scope.agentIds}::bigint[])`.compile(
          k,
        ),
      )
      const by = path.at(-2)
      const broughtBy =
        by === undefined || own.invite === null
          ? null
          : { riderId: by.riderId, phone: by.phone, state: own.invite.state, inviteId: own.invite.id }
      const { brought, rewarded, refused } = own
      return { suc: true, data: { code: code?.code ?? null, broughtBy, brought, rewarded, refused } }
    },

    refuseInvite: async (input, call) => ({ suc: true, data: await refuseInvite(deps, call, input) }),
    clearInvite: async (input, call) => ({ suc: true, data: await clearInvite(deps, call, input) }),
  }
}
