import type { areaEndpoints } from '@saddle/contract/organisation/areas.ts'
import { AppError } from '@saddle/contract/errors.ts'
import type { Handlers } from '#kit/call.ts'
import type { Kit } from '#kit/kit.ts'
import { findAreas } from './store.ts'

export function createAreaHandlers(kit: Pick<Kit, 'db'>): Handlers<Pick<typeof areaEndpoints, 'listServiceAreas'>> {
  return {
    // Of the selected franchisees, but whatever areas are selected: the header's selector shows what else could be.
    listServiceAreas: async (input, { grant, scope: { agentIds } }) => {
      if (input.agentId !== undefined && !grant.agentIds.includes(input.agentId)) throw new AppError('foreign_scope')
      return { suc: true, data: await findAreas({ db: kit.db, scope: { ...grant, agentIds }, filter: input }) }
    },
  }
}
