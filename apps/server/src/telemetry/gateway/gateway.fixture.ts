import { afterAll, afterEach, expect } from 'vitest'
import { commandSchema } from '@saddle/contract/fleet/commands.ts'
import { sessionCall } from '#test/kit.ts'
import { testDatabase } from '#test/database.ts'
import {
  eventually,
  heartbeat,
  northScope,
  openLine,
  seedField,
  signIn,
  startField,
  type Line,
} from '../field.fixture.ts'

const operator = sessionCall({ operatorId: 7, agentId: 3, grant: northScope, name: '周可', permissions: ['030101'] })

/** A gateway over a database of its own, and what is asked of both; its connections end with each test. */
export async function gatewayFixture() {
  const { db, owner } = await testDatabase()
  await seedField(owner)
  const site = await startField(db)
  const lines: Line[] = []

  afterEach(() => {
    for (const line of lines.splice(0)) line.end()
  })
  afterAll(async () => {
    await site.gateway.close()
  })

  async function line(imei: string): Promise<Line> {
    const opened = await openLine({ port: site.gateway.ports.omni, imei })
    lines.push(opened)
    return opened
  }

  const status = (vehicleId: number) =>
    owner.selectFrom('vehicle_status').selectAll().where('vehicle_id', '=', vehicleId).executeTakeFirstOrThrow()
  const state = async (vehicleId: number) =>
    (await owner.selectFrom('vehicle').select('state').where('id', '=', vehicleId).executeTakeFirstOrThrow()).state
  const reports = (vehicleId: number) =>
    owner.selectFrom('device_report').selectAll().where('vehicle_id', '=', vehicleId).orderBy('occurred_at').execute()
  const command = (id: number) =>
    owner.selectFrom('vehicle_command').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const openAlarms = async (vehicleId: number) =>
    (
      await owner
        .selectFrom('vehicle_alarm')
        .select('kind')
        .where('vehicle_id', '=', vehicleId)
        .where('closed_at', 'is', null)
        .orderBy('kind')
        .execute()
    ).map((row) => row.kind)

  async function order(vehicleId: number, kind: 'unlock' | 'lock') {
    const { data } = await site.fleet.handlers.lockVehicle({ vehicleId, kind, reason: '试车' }, operator)
    return commandSchema.parse(data)
  }

  /** A connected vehicle whose lock is known to be closed. */
  async function connected(locked = true) {
    const vehicle = await site.addVehicle()
    const device = await line(vehicle.imei)
    device.say(signIn, heartbeat(locked))
    await eventually(async () => expect((await status(vehicle.id)).locked).toBe(locked))
    return { vehicle, device }
  }

  return { db, owner, site, lines, line, status, state, reports, command, openAlarms, order, connected }
}
