import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import { createAudit } from '#audit/public.ts'
import { testDatabase } from '#test/database.ts'
import { sessionCall, testKit } from '#test/kit.ts'
import { createFleet } from '../public.ts'
import { namedMax } from './store.ts'

const { db, owner } = await testDatabase()
const kit = testKit(db)
const { handlers, vehicles } = createFleet(kit, { audit: createAudit(kit) })
const call = sessionCall({ operatorId: 7, agentId: 3, grant: { agentIds: [3], areaIds: [31] } })
const foreign = sessionCall({ operatorId: 8, agentId: 4, grant: { agentIds: [4], areaIds: [41] } })
const sort = 'number'

async function find(keyword: string, by = call) {
  const { data } = await handlers.searchVehicles({ filter: { keyword }, sort, pageSize: 20 }, by)
  return { numbers: data.list.map(({ number }) => number), count: data.count }
}

beforeAll(async () => {
  const agents = [
    { id: 2, parent_id: null, company: '总部' },
    { id: 3, parent_id: 2, company: '城北出行' },
    { id: 4, parent_id: 2, company: '城南出行' },
  ]
  await owner.insertInto('agent').values(agents).execute()
  const place = { centre_lat: 31.3, centre_lng: 120.6, ring: '[[120,31],[121,31],[121,32],[120,32],[120,31]]' }
  const areas = [
    { id: 31, agent_id: 3, name: '城北', ...place },
    { id: 41, agent_id: 4, name: '城南', ...place },
  ]
  await owner.insertInto('service_area').values(areas).execute()
  const one = { agentId: 3, areaId: 31, model: 'SD-E2' }
  const rows = [
    { ...one, number: 'SD104711', imei: '861111111111111' },
    { ...one, number: 'SD104712', imei: '861111111111112' },
    { ...one, number: 'XY004711', imei: '862222222222222' },
    { ...one, agentId: 4, areaId: 41, number: 'SD904711', imei: '861111111111119' },
  ]
  await db.system((tx) => vehicles.register(tx, rows))
})

it.each([
  ['SD1047', ['SD104711', 'SD104712']],
  ['sd104712', ['SD104712']],
  ['4711', ['SD104711', 'XY004711']],
  ['0471', []],
  ['8611111111', ['SD104711', 'SD104712']],
  ['862222222222222', ['XY004711']],
])('finds %s by the start of a number or an IMEI, or by last digits', async (keyword, numbers) => {
  expect(await find(keyword)).toEqual({ numbers, count: numbers.length })
})

it('finds nothing of others', async () => {
  expect((await find('4711', foreign)).numbers).toEqual(['SD904711'])
  expect((await find('8611111111', foreign)).numbers).toEqual(['SD904711'])
})

it('finds many as it finds few', async () => {
  // One more than is looked up first, all of one make: their IMEIs begin alike.
  await owner.transaction().execute(async (tx) => {
    // Constraint checks are off: the references are correct, and checking five thousand rows takes seconds.
    await sql`set local session_replication_role = replica`.execute(tx)
    await sql`
      with made as (
        insert into vehicle (agent_id, area_id, number, model, protocol, state, state_changed_at, created_at)
        select 3, 31, 'MANY' || lpad(n::text, 6, '0'), 'SD-E2', 'omni', 'available', now(), now()
        from generate_series(0, ${sql.lit(namedMax)}) n returning id, number
      ), devices as (
        insert into device (vehicle_id, agent_id, area_id, imei)
        select id, 3, 31, '864444' || right(number, 6) || '000' from made
      )
      insert into vehicle_status (vehicle_id, agent_id, area_id) select id, 3, 31 from made`.execute(tx)
  })
  await sql`analyze vehicle, device, vehicle_status`.execute(owner)
  const many = await find('864444')
  expect(many.numbers.slice(0, 2)).toEqual(['MANY000000', 'MANY000001'])
  expect(many.count).toBe(namedMax + 1)
  expect((await find('864444', foreign)).numbers).toEqual([])
  expect(await find('8644440047')).toMatchObject({ count: 100 })
})
