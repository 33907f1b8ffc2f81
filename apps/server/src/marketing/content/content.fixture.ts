import { createAudit } from '#audit/public.ts'
import type { AppCall } from '#kit/call.ts'
import { createPhotos } from '#photos/public.ts'
import { createRiders } from '#rider/public.ts'
import { testDatabase } from '#test/database.ts'
import { publicCall, sessionCall, testKit } from '#test/kit.ts'
import { createContent } from './content.ts'

/** Two companies with an area each, and their content. */
export async function contentWorld() {
  const { db, owner } = await testDatabase()
  const kit = testKit(db)
  const photos = createPhotos(kit)
  const content = createContent(kit, { audit: createAudit(kit), photos, riders: createRiders(kit) })
  await owner
    .insertInto('agent')
    .values([
      { id: 2, parent_id: null, company: '总部' },
      { id: 3, parent_id: 2, company: '城北' },
      { id: 4, parent_id: 2, company: '城南' },
    ])
    .execute()
  const outline = { centre_lat: 31, centre_lng: 120, ring: '[[120,31],[120.1,31],[120.1,31.1],[120,31]]' }
  await owner
    .insertInto('service_area')
    .values([
      { id: 31, agent_id: 3, name: '城北', ...outline },
      { id: 32, agent_id: 3, name: '城北二区', ...outline },
      { id: 41, agent_id: 4, name: '城南', ...outline },
    ])
    .execute()
  const agentId = 3
  const clerk = sessionCall({ operatorId: 7, agentId, grant: { agentIds: [3], areaIds: [31, 32] }, name: '周可' })
  const outsider = sessionCall({ operatorId: 8, agentId: 4, grant: { agentIds: [4], areaIds: [41] } })
  const app: AppCall = { ...publicCall(), app: { id: 1, agentIds: [3] } }
  const foreignApp: AppCall = { ...publicCall(), app: { id: 2, agentIds: [4] } }
  return { db, owner, kit, photos, content, handlers: content.handlers, agentId, clerk, outsider, app, foreignApp }
}
