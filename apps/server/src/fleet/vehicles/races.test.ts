import { sql } from 'kysely'
import { beforeAll, expect, it, vi } from 'vitest'
import { offlineAfterMs } from '@saddle/contract/fleet/vehicles.ts'
import { createAudit } from '#audit/public.ts'
import { testDatabase } from '#test/database.ts'
import { testKit } from '#test/kit.ts'
import { createFleet } from '../public.ts'
import { lockKnown } from '../reports/store.ts'

const { db, owner } = await testDatabase()
const kit = testKit(db)
const fleet = createFleet(kit, { audit: createAudit(kit) })

beforeAll(async () => {
  await owner.insertInto('agent').values({ id: 3, parent_id: null, company: '城北出行' }).execute()
  const place = { centre_lat: 31.3, centre_lng: 120.6, ring: '[[120,31],[121,31],[121,32],[120,32],[120,31]]' }
  await owner
    .insertInto('service_area')
    .values({ id: 31, agent_id: 3, name: '城北', ...place })
    .execute()
})

async function silentVehicle(number: string, imei: string): Promise<number> {
  const [id = 0] = await db.system((tx) =>
    fleet.vehicles.register(tx, [{ agentId: 3, areaId: 31, number, imei, model: 'SD-E2' }]),
  )
  await db.system((tx) => speak(tx, id))
  kit.clock.advance(offlineAfterMs + 1_000)
  expect(await fleet.vehicles.markSilentLost()).toBeGreaterThan(0)
  return id
}

/** The vehicle reports in the caller's transaction. */
async function speak(tx: Parameters<typeof lockKnown>[0], vehicleId: number): Promise<void> {
  const at = kit.clock.now()
  const silent = { position: null, batteryPercent: null, voltageV: null, locked: null, charging: null, signal: null }
  const locked = await fleet.reports.lock(tx, [vehicleId])
  const told = { ...silent, odometerM: null, alarms: [], commanded: false, receivedAt: at, occurredAt: at }
  await fleet.reports.apply(tx, locked, [{ vehicleId, ...told, batteryPercent: 80 }])
}

const stateOf = (id: number) =>
  owner.selectFrom('vehicle').select(['state', 'state_before']).where('id', '=', id).executeTakeFirstOrThrow()

async function untilSomebodyWaits(): Promise<void> {
  await vi.waitFor(async () => {
    const { rows } = await sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(owner)
    expect(rows.length).toBeGreaterThan(0)
  })
}

it('work that waited for a report of a silent vehicle goes by the state that the report left', async () => {
  const id = await silentVehicle('SD000001', '861234567000001')
  expect(await stateOf(id)).toEqual({ state: 'non_contactable', state_before: 'available' })
  const work = await db.system(async (tx) => {
    await speak(tx, id)
    const begun = db.system((other) =>
      fleet.turnVehicles(other, [{ vehicleId: id, event: 'maintenance', to: 'non_operational' }]),
    )
    await untilSomebodyWaits()
    return { begun }
  })
  expect(await work.begun).toEqual([id])
  expect(await stateOf(id)).toEqual({ state: 'non_operational', state_before: null })
})

it('what is known of a vehicle after waiting for its lock is one moment of it', async () => {
  const id = await silentVehicle('SD000002', '861234567000002')
  const reading = await db.system(async (tx) => {
    await speak(tx, id)
    const begun = db.system((other) => lockKnown(other, [id]))
    await untilSomebodyWaits()
    return { begun }
  })
  const known = (await reading.begun).get(id)
  expect(known?.now).toMatchObject({ state: 'available', stateBefore: null, batteryPercent: 80 })
})
