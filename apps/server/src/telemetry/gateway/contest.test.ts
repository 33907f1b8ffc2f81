import { connect, type Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { testDatabase } from '#test/database.ts'
import { eventually, openLine, seedField, signIn, startField, type Field, type Line } from '#telemetry/field.fixture.ts'
import { homeAfterMs } from './contest.ts'
import { gatewayLimits } from './limits.ts'

const { db, owner } = await testDatabase()
let site: Field
const sockets: Socket[] = []

beforeAll(async () => {
  await seedField(owner)
  site = await startField(db)
})
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
})
afterAll(async () => {
  await site.gateway.close()
})

const home = '127.0.0.7'
const elsewhere = '127.0.9.9'

async function callFrom(localAddress: string, imei: string): Promise<Line> {
  const socket = connect({ port: site.gateway.ports.omni, host: '127.0.0.1', localAddress, noDelay: true })
  sockets.push(socket)
  const line = await openLine({ port: 0, imei, socket })
  line.say(signIn, { instruction: 'W0', alarm: 2 })
  return line
}

async function signedInFrom(localAddress: string, imei: string): Promise<Line> {
  const line = await callFrom(localAddress, imei)
  expect(await line.next()).toMatchObject({ instruction: 'ack', of: 'W0' })
  return line
}

async function nextAck(line: Line): Promise<unknown> {
  for (;;) {
    const frame = await line.next()
    if (frame.instruction === 'ack') return frame
  }
}

const contests = async (vehicleId: number): Promise<number> =>
  (
    await owner
      .selectFrom('vehicle_alarm')
      .select('id')
      .where('vehicle_id', '=', vehicleId)
      .where('kind', '=', 'address_contest')
      .where('closed_at', 'is', null)
      .execute()
  ).length

const outcomes = async (): Promise<Record<string, number>> => {
  const { values } = await site.metrics.addressChanges.get()
  return Object.fromEntries(values.map(({ labels, value }) => [String(labels.outcome), value]))
}

it('an outsider from another network does not take the place of a line that answers', async () => {
  const { id, imei } = await site.addVehicle()
  const line = await signedInFrom(home, imei)
  const outsider = await callFrom(elsewhere, imei)
  // The device is asked where it is, and answers as it answers anybody.
  expect(await line.next()).toMatchObject({ instruction: 'D0' })
  line.say({ instruction: 'H0', locked: true })
  await outsider.closed
  expect(outsider.received).toEqual([])
  await eventually(async () => expect(await contests(id)).toBe(1))
  expect(await outcomes()).toMatchObject({ refused: 1 })
  const noted = owner.selectFrom('unknown_device').select('address').where('imei', '=', imei)
  await eventually(async () => expect(await noted.execute()).toEqual([{ address: elsewhere }]))
  line.say({ instruction: 'W0', alarm: 2 })
  expect(await line.next()).toMatchObject({ instruction: 'ack', of: 'W0' })
})

it('a line that is dead makes room for one from another network', async () => {
  const { id, imei } = await site.addVehicle()
  const dead = await signedInFrom(home, imei)
  const next = await callFrom(elsewhere, imei)
  expect(await dead.next()).toMatchObject({ instruction: 'D0' })
  site.kit.clock.advance(gatewayLimits.contestMs)
  await site.gateway.tick()
  expect(await next.next()).toMatchObject({ instruction: 'ack', of: 'W0' })
  await dead.closed
  expect(await contests(id)).toBe(0)
  expect(await outcomes()).toMatchObject({ moved: 1 })
})

it('the same network replaces its line at once, as a device does that lost it', async () => {
  const { imei } = await site.addVehicle()
  const first = await signedInFrom(home, imei)
  await signedInFrom('127.0.0.8', imei)
  await first.closed
  expect(first.received).toHaveLength(1)
})

it('the network where a vehicle is at home takes its place back from whoever used its absence', async () => {
  const { id, imei } = await site.addVehicle()
  const line = await signedInFrom(home, imei)
  line.end()
  await line.closed
  const outsider = await signedInFrom(elsewhere, imei)
  await signedInFrom(home, imei)
  await outsider.closed
  await eventually(async () => expect(await contests(id)).toBe(1))
  expect(await outcomes()).toMatchObject({ returned: 1 })
})

it('a vehicle that has moved for good is at home in its new network', async () => {
  const { id, imei } = await site.addVehicle()
  const line = await signedInFrom(home, imei)
  line.end()
  await line.closed
  const moved = await signedInFrom(elsewhere, imei)
  const stepMs = gatewayLimits.idleMs / 2
  for (let passed = 0; passed < homeAfterMs; passed += stepMs) {
    site.kit.clock.advance(stepMs)
    moved.say({ instruction: 'W0', alarm: 2 })
    // The gateway may ask for the version, too: its own clock of ticks runs on.
    expect(await nextAck(moved)).toMatchObject({ instruction: 'ack', of: 'W0' })
  }
  const outsider = await callFrom(home, imei)
  expect(await moved.next()).toMatchObject({ instruction: 'D0' })
  moved.say({ instruction: 'H0', locked: true })
  await outsider.closed
  await eventually(async () => expect(await contests(id)).toBe(1))
  expect(moved.socket.destroyed).toBe(false)
})
