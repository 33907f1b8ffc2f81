import { afterAll, beforeAll, expect, it } from 'vitest'
import { testDatabase } from '#test/database.ts'
import { field, seedField, startField, type Field } from '#telemetry/field.fixture.ts'
import { connectPacket, openMqtt } from './mqtt/mqtt.fixture.ts'
import { createDeviceSecrets } from './secrets.ts'

const { db, owner } = await testDatabase()
let site: Field

beforeAll(async () => {
  await seedField(owner)
  site = await startField(db)
})
afterAll(async () => {
  await site.gateway.close()
})

async function mqttIn(version: 4 | 5) {
  const { imei, id } = await site.addVehicle(field.north, { protocol: 'mqtt' })
  const line = await openMqtt({ port: site.gateway.ports.mqtt, version })
  const password = createDeviceSecrets(site.kit.secrets).deviceSecret({ imei, secretGeneration: 0 })
  line.send(connectPacket({ imei, password, version }))
  expect(await line.next()).toMatchObject({ cmd: 'connack' })
  return { line, imei, id }
}

const closings = async (): Promise<Record<string, number>> => {
  const { values } = await site.metrics.closed.get()
  return Object.fromEntries(values.map(({ labels, value }) => [`${labels.protocol} ${labels.reason}`, value]))
}

it.each([
  ['SUBSCRIBE without a topic', 4, [0x82, 2, 0, 1]],
  ['SUBSCRIBE without a topic', 5, [0x82, 3, 0, 1, 0]],
  ['SUBSCRIBE with number 0', 4, [0x82, 6, 0, 0, 0, 1, 35, 1]],
  ['SUBSCRIBE without anything', 4, [0x82, 0]],
  ['UNSUBSCRIBE without a topic', 4, [0xa2, 2, 0, 1]],
  ['UNSUBSCRIBE without a topic', 5, [0xa2, 3, 0, 1, 0]],
  ['UNSUBSCRIBE without anything', 5, [0xa2, 0]],
  ['PUBLISH of QoS 1 that ends before its number', 4, [0x32, 2, 0, 0]],
  ['PUBLISH of QoS 1 that ends before its number', 5, [0x32, 2, 0, 0]],
  ['PUBLISH of QoS 1 with number 0', 4, [0x32, 4, 0, 0, 0, 0]],
] as const)('%s closes its own MQTT %i line and nothing else', async (_, version, bytes) => {
  const other = await mqttIn(version)
  const { line } = await mqttIn(version)
  const before = (await closings())['mqtt protocol'] ?? 0
  line.raw(Buffer.from(bytes))
  if (version === 5) expect(await line.next()).toMatchObject({ cmd: 'disconnect' })
  await line.closed
  expect((await closings())['mqtt protocol']).toBe(before + 1)
  other.line.send({ cmd: 'pingreq' })
  expect(await other.line.next()).toMatchObject({ cmd: 'pingresp' })
  other.line.end()
})
