import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import { createAudit } from '#audit/public.ts'
import { testKit } from '#test/kit.ts'
import { testDatabase } from '#test/database.ts'
import { createFleet } from '../public.ts'
import { transitions } from './rules.ts'

const { db, owner } = await testDatabase()
const kit = testKit(db)
let vehicleId = 0

beforeAll(async () => {
  await owner.insertInto('agent').values({ id: 2, parent_id: null, company: '总部' }).execute()
  const ring = '[[120,31],[121,31],[121,32],[120,31]]'
  const area = { id: 31, agent_id: 2, name: '城北', centre_lat: 31.5, centre_lng: 120.5, ring }
  await owner.insertInto('service_area').values(area).execute()
  const row = { agentId: 2, areaId: 31, number: 'SD000001', imei: '861234567000001', model: 'SD-E2' }
  const fleet = createFleet(kit, { audit: createAudit(kit) })
  vehicleId = (await db.system((tx) => fleet.vehicles.register(tx, [row])))[0] ?? 0
})

const step = (event: string, from: string, to: string) =>
  db.system((tx) =>
    sql`
      insert into vehicle_event
        (vehicle_id, agent_id, area_id, event, from_state, to_state, cause, occurred_at, recorded_at)
      values (${vehicleId}, 2, 31, ${event}, ${from}, ${to}, 'operator', now(), now())`.execute(tx),
  )

it('the database knows the same transitions as the code', async () => {
  const { rows } = await sql<{ rule: string }>`
    select pg_get_constraintdef(oid) as rule from pg_constraint where conname = 'vehicle_event_transition'`.execute(
    owner,
  )
  const stored = (rows[0]?.rule ?? '').match(/[a-z_]+ [a-z_]+ [a-z_]+(?=["'])/g)
  const known = transitions.flatMap(({ event, from, to }) => from.map((state) => `${event} ${state} ${to}`))
  expect(stored?.toSorted()).toEqual(known.toSorted())
})

it('an event that MDS does not know is refused', async () => {
  await step('maintenance', 'available', 'non_operational')
  await expect(step('maintenance', 'on_trip', 'non_operational')).rejects.toThrow('vehicle_event_transition')
  await expect(step('teleported', 'available', 'elsewhere')).rejects.toThrow('vehicle_event_transition')
})

it('nobody changes or removes an event', async () => {
  for (const statement of [
    sql`update vehicle_event set event = 'trip_start'`,
    sql`delete from vehicle_event`,
    sql`truncate vehicle_event`,
  ]) {
    await expect(db.system((tx) => statement.execute(tx))).rejects.toThrow('permission denied')
    await expect(statement.execute(owner), 'the owner neither').rejects.toThrow('append-only')
  }
  expect(await owner.selectFrom('vehicle_event').select('event').orderBy('id').execute()).toEqual([
    { event: 'provider_drop_off' },
    { event: 'maintenance' },
  ])
})
