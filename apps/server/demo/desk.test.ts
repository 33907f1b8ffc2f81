import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { createAudit } from '#audit/public.ts'
import { createFleet } from '#fleet/public.ts'
import { createGeography } from '#geography/public.ts'
import { createOperations } from '#operations/public.ts'
import { createPhotos } from '#photos/public.ts'
import { testDatabase } from '#test/database.ts'
import { testKit } from '#test/kit.ts'
import { adoptDemoPlan } from './desk.ts'
import { findDemoPeople, seedDemo } from './seed.ts'
import { demoServiceAreas, franchiseeId } from './tenants.ts'

const { db, owner } = await testDatabase()
const kit = testKit(db)
await seedDemo(kit)
const audit = createAudit(kit)
const fleet = createFleet(kit, { audit })
const geography = createGeography(kit, { audit })
/** As a server that has just started: what was seen of riders is remembered for a while. */
const adopt = async () => {
  const operations = createOperations(kit, { audit, fleet, geography, photos: createPhotos(kit) })
  return adoptDemoPlan({ operations, people: await findDemoPeople(kit) })
}
const plans = () => owner.selectFrom('rebalance_plan').select(['area_id', 'agent_id', 'author_name']).execute()

it('adopts nothing while nobody has ridden yet, then one plan, and never a second', async () => {
  expect(await adopt()).toBe(0)
  expect(await plans()).toEqual([])

  // Three weeks of riders who leave one parking place at this hour, and find it empty now.
  const area = demoServiceAreas.findLast(({ agentId }) => agentId === franchiseeId('qinghe'))
  if (area === undefined) throw new Error('the demo has this area')
  const place = await owner
    .selectFrom('fence')
    .select(['centre_lat', 'centre_lng'])
    .where('area_id', '=', area.id)
    .where('kind', '=', 'parking')
    .orderBy('id')
    .limit(1)
    .executeTakeFirstOrThrow()
  await sql`
    insert into trip (vehicle_id, agent_id, area_id, started_at, ended_at, duration_s, start_lat, start_lng)
    select (select min(id) from vehicle where area_id = ${area.id}), ${area.agentId}, ${area.id},
      ${new Date(kit.clock.now())}::timestamptz - week * interval '7 days' + minute * interval '2 minutes',
      ${new Date(kit.clock.now())}::timestamptz - week * interval '7 days' + minute * interval '2 minutes'
        + interval '1 minute', 60, ${place.centre_lat}, ${place.centre_lng}
    from generate_series(1, 3) week, generate_series(0, 80) minute`.execute(owner)
  await sql`
    update vehicle_status set lat = lat - 0.002
    where vehicle_id in (select id from vehicle where area_id = ${area.id})
      and abs(lat - ${place.centre_lat}) < 0.001 and abs(lng - ${place.centre_lng}) < 0.001`.execute(owner)

  const tasks = await adopt()
  expect(tasks).toBeGreaterThan(0)
  expect(await plans()).toEqual([{ area_id: area.id, agent_id: area.agentId, author_name: '沈一诺' }])
  const made = await owner.selectFrom('task').select('id').where('source', '=', 'rebalancing').execute()
  expect(made).toHaveLength(tasks)
  expect(await adopt()).toBe(0)
  expect(await plans()).toHaveLength(1)
})
