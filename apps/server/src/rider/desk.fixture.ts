import type { RiderFilter } from '@saddle/contract/rider/riders.ts'
import { createAudit } from '#audit/public.ts'
import { createPhotos } from '#photos/public.ts'
import { testDatabase } from '#test/database.ts'
import { publicCall, sessionCall, testKit } from '#test/kit.ts'
import { createRiderDesk, createRiders } from './public.ts'

/** Riders of two companies, the desk of one of them, and a riders' application. */
export async function riderDesk() {
  const { db, owner } = await testDatabase()
  const kit = testKit(db)
  const riders = createRiders(kit)
  const desk = createRiderDesk(kit, { audit: createAudit(kit), photos: createPhotos(kit), events: {}, riders })
  const { handlers } = desk
  const call = sessionCall({ operatorId: 7, agentId: 3, grant: { agentIds: [3], areaIds: [31] }, name: '周可' })
  const foreign = sessionCall({ operatorId: 8, agentId: 4, grant: { agentIds: [4], areaIds: [] } })
  const above = sessionCall({ operatorId: 1, agentId: 2, grant: { agentIds: [2, 3, 4], areaIds: [31] } })
  const phones = ['13700000001', '13700000002', '13700000003'] as const

  const search = async (filter: RiderFilter, by = call) => {
    const { data } = await handlers.searchRiders({ filter, sort: 'registered', direction: 'asc', pageSize: 20 }, by)
    return data.list.map(({ id }) => id)
  }

  const agents = [
    { id: 2, parent_id: null, company: '总部' },
    { id: 3, parent_id: 2, company: '城北出行' },
    { id: 4, parent_id: 2, company: '城南出行' },
  ]
  await owner.insertInto('agent').values(agents).execute()
  const ids = await db.system((tx) =>
    riders.ensure(tx, [
      { agentId: 3, phone: phones[0], name: '王小明' },
      { agentId: 3, phone: phones[1], name: '李想' },
      { agentId: 3, phone: phones[2], name: null },
      { agentId: 4, phone: phones[0], name: '王小明' },
    ]),
  )
  const app = { agent_id: 3, name: 'app', key_hash: 'x', created_at: new Date(kit.clock.now()) }
  const appId = (await owner.insertInto('rider_app').values(app).returning('id').executeTakeFirstOrThrow()).id

  const ofApp = () => ({ ...publicCall(), app: { id: appId, agentIds: [3] } })

  return { db, owner, kit, riders, desk, handlers, call, foreign, above, phones, ids, appId, ofApp, search }
}
