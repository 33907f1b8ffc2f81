import { sql } from 'kysely'
import type { TaskKind } from '@saddle/contract/operations/taskWords.ts'
import { createAudit } from '#audit/public.ts'
import { createFleet } from '#fleet/public.ts'
import { createGeography } from '#geography/public.ts'
import { createPhotos } from '#photos/public.ts'
import { sessionCall, testKit } from '#test/kit.ts'
import { testDatabase } from '#test/database.ts'
import { createOperations } from './public.ts'

const grant = { agentIds: [3], areaIds: [31] }
const permissions = ['0909', '090901', '090902', '090903', '0501', '0908']
export const desk = sessionCall({ operatorId: 1007, agentId: 3, grant, name: '周可', permissions })
export const worker = sessionCall({ operatorId: 1008, agentId: 3, grant, name: '陆小川', permissions: ['0909'] })
export const other = sessionCall({ operatorId: 1009, agentId: 3, grant, name: '何乐行', permissions: ['0909'] })
export const outsider = sessionCall({
  operatorId: 1020,
  agentId: 4,
  grant: { agentIds: [4], areaIds: [41] },
  permissions,
})

/** What a task is completed with when nothing is to be said of it. */
export const done = { photos: [], parts: [], checks: [], note: '' }

/** The code of the refusal, or `nothing`. */
export const refusal = async (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'nothing',
    (error: { code?: string }) => String(error.code),
  )

/** Two companies with an area each and three people of the first one; the operations that they work with. */
export async function operationsDesk() {
  const { db, owner } = await testDatabase()
  const kit = testKit(db)
  const audit = createAudit(kit)
  const fleet = createFleet(kit, { audit })
  const operations = createOperations(kit, {
    audit,
    fleet,
    geography: createGeography(kit, { audit }),
    photos: createPhotos(kit),
  })
  const { handlers } = operations

  const square = [
    [120, 31],
    [121, 31],
    [121, 32],
    [120, 31],
  ]
  await owner.insertInto('agent').values({ id: 2, parent_id: null, company: '总部' }).execute()
  for (const id of [3, 4])
    await owner
      .insertInto('agent')
      .values({ id, parent_id: 2, company: `公司${id}` })
      .execute()
  for (const [id, agentId] of [
    [31, 3],
    [41, 4],
  ] as const) {
    const area = { id, agent_id: agentId, name: `区${id}`, centre_lat: 31.5, centre_lng: 120.5 }
    await owner
      .insertInto('service_area')
      .values({ ...area, ring: JSON.stringify(square) })
      .execute()
  }
  await owner.insertInto('role').values({ id: 1, agent_id: 3, name: '运维' }).execute()
  await owner.insertInto('role_permission').values({ role_id: 1, agent_id: 3, code: '0909' }).execute()
  for (const [index, name] of ['周可', '陆小川', '何乐行'].entries()) {
    const id = 1007 + index
    const person = { id, agent_id: 3, name, level: 4, role_id: 1, op_man_id: String(id).padStart(24, '0') }
    await owner
      .insertInto('operator')
      .values({ ...person, phone_hash: name, phone_sealed: name })
      .execute()
  }

  let next = 1
  async function vehicles(count = 1): Promise<number[]> {
    const rows = Array.from({ length: count }, () => {
      const serial = String(next++).padStart(6, '0')
      const place = { lat: 31.2, lng: 120.7 }
      return {
        agentId: 3,
        areaId: 31,
        number: `SD${serial}`,
        imei: `861234567${serial}`,
        model: 'SD-E2',
        position: place,
      }
    })
    return db.system((tx) => fleet.vehicles.register(tx, rows))
  }
  async function create(kind: TaskKind, count = 1): Promise<number[]> {
    const vehicleIds = await vehicles(count)
    const input = { vehicleIds, numbers: [], kind, priority: 2 as const, note: '' }
    return (await handlers.createTasks(input, desk)).data.created
  }
  const battery = (vehicleId: number, percent: number) =>
    sql`update vehicle_status set battery_percent = ${percent} where vehicle_id = ${vehicleId}`.execute(owner)
  return { db, owner, kit, fleet, operations, handlers, vehicles, create, battery }
}
