import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { minuteMs } from '@saddle/contract/time.ts'
import { TEST_START_MS } from '#test/kit.ts'
import { testDatabase } from '#test/database.ts'
import { field, seedField, startField, type Field } from '#telemetry/field.fixture.ts'

const { db, owner } = await testDatabase()
let site: Field
beforeAll(async () => {
  await seedField(owner)
  site = await startField(db)
})
afterAll(async () => {
  await site.gateway.close()
})

it('a gateway that writes a sign-in late does not take a vehicle back from the one that it signed in at since', async () => {
  const { leases } = site.fleet
  const { id: vehicleId } = await site.addVehicle(field.north)
  const [early, late] = [randomUUID(), randomUUID()]
  const said = (at: number) => [{ vehicleId, address: '10.0.0.9', at }]
  const first = TEST_START_MS - minuteMs
  expect(await leases.take(early, said(first))).toEqual([])
  expect(await leases.take(late, said(first + 2))).toEqual([])
  expect(await leases.take(early, said(first + 1))).toEqual([vehicleId])
  expect(await leases.holder(vehicleId)).toMatchObject({ gatewayId: late })
  expect(await leases.lost(early, [vehicleId])).toEqual([vehicleId])
  expect(await leases.take(early, said(first + 3))).toEqual([])
  expect(await leases.holder(vehicleId)).toMatchObject({ gatewayId: early })
})

it('a lease of a time to come, which a clock that was set back has left, is no obstacle', async () => {
  const { leases } = site.fleet
  const { id: vehicleId } = await site.addVehicle(field.north)
  const [old, now] = [randomUUID(), randomUUID()]
  await leases.take(old, [{ vehicleId, address: '', at: Date.now() + 60 * minuteMs }])
  expect(await leases.take(now, [{ vehicleId, address: '', at: Date.now() }])).toEqual([])
  expect(await leases.holder(vehicleId)).toMatchObject({ gatewayId: now })
})
