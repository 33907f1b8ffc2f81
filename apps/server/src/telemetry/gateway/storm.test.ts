import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { sql } from 'kysely'
import { TEST_START_MS } from '#test/kit.ts'
import { testDatabase } from '#test/database.ts'
import { field, openLine, seedField, signIn, startField, type Field } from '../field.fixture.ts'
import { disconnectedAfterMs } from './disconnected.ts'
import { connectPacket, openMqtt } from './mqtt/mqtt.fixture.ts'
import { createDeviceSecrets } from './secrets.ts'
import { isLong, thorough } from '../../../../../scripts/lib/thorough.mjs'

const { db, url, owner } = await testDatabase()
let site: Field
const ends: (() => void)[] = []

beforeAll(async () => {
  await seedField(owner)
  site = await startField(db)
})
afterEach(() => {
  for (const end of ends.splice(0)) end()
})
afterAll(async () => {
  await site.gateway.close()
})

type Known = { imei: string; protocol: 'omni' | 'mqtt' }

async function register(count: number): Promise<Known[]> {
  const known = Array.from({ length: count }, (_, n): Known => ({
    imei: `8677777${String(n).padStart(8, '0')}`,
    protocol: n % 2 === 0 ? 'omni' : 'mqtt',
  }))
  const { agentId, areaId } = field.north
  const rows = known.map(({ imei, protocol }, n) => ({
    agentId,
    areaId,
    imei,
    protocol,
    number: `ST${String(n).padStart(6, '0')}`,
    model: 'SD-E2',
  }))
  await db.system((tx) => site.fleet.vehicles.register(tx, rows))
  return known
}

/** Connects, says something and resolves when that is stored. */
async function arrive({ imei, protocol }: Known): Promise<() => void> {
  if (protocol === 'omni') {
    const line = await openLine({ port: site.gateway.ports.omni, imei })
    ends.push(line.end)
    line.say(signIn, { instruction: 'W0', alarm: 2 })
    expect(await line.next()).toMatchObject({ instruction: 'ack', of: 'W0' })
    return line.end
  }
  const line = await openMqtt({ port: site.gateway.ports.mqtt })
  ends.push(line.end)
  const offline = { topic: `saddle/v1/${imei}/up/offline`, payload: Buffer.from('{"reason":"lost"}') }
  const password = createDeviceSecrets(site.kit.secrets).deviceSecret({ imei, secretGeneration: 0 })
  line.send({ ...connectPacket({ imei, password }), will: { ...offline, qos: 1, retain: false } })
  const payload = Buffer.from(JSON.stringify({ at: site.kit.clock.now(), batteryPercent: 60 }))
  const topic = `saddle/v1/${imei}/up/report`
  line.send({ cmd: 'publish', topic, payload, qos: 1, messageId: 1, dup: false, retain: false })
  expect(await line.next()).toMatchObject({ cmd: 'connack', returnCode: 0 })
  expect(await line.next()).toMatchObject({ cmd: 'puback', messageId: 1 })
  return line.end
}

it('2,000 devices whose lines break at once come back at once, and none is lost', async () => {
  const known = await register(2_000)
  for (let storm = 0; storm < 2; storm += 1) {
    const leave = await Promise.all(known.map(arrive))
    const { reports } = (
      await sql<{ reports: number }>`
      select count(*) as reports from (select distinct vehicle_id from device_report
      where received_at = ${new Date(site.kit.clock.now())}) told`.execute(owner)
    ).rows[0] ?? { reports: 0 }
    expect(reports).toBe(2_000)
    if (storm === 0) for (const end of leave) end()
    site.kit.clock.advance(1_000)
  }
  site.kit.clock.advance(disconnectedAfterMs)
  await site.gateway.tick()
  const lost = await owner.selectFrom('vehicle').select('id').where('state', '=', 'non_contactable').execute()
  expect(lost).toEqual([])
  const open = await site.registry.getSingleMetricAsString('saddle_gateway_connections')
  expect(open).toMatch(/saddle_gateway_connections 2000$/)
}, 600_000)

it(
  'an unpaced QoS 0 flood is stored to the last report in bounded memory',
  async () => {
    const count = thorough({ normal: 60_000, long: 400_000, full: 1_000_000 })
    const maxUnsent = isLong ? 50_000_000 : Number.POSITIVE_INFINITY
    const maxGrowthBytes = 300 * 1024 * 1024
    const { id, imei } = await site.addVehicle(field.north, { protocol: 'mqtt' })
    // Less than the flood would need if it were kept: a gateway that keeps it dies of it.
    const heap = '--max-old-space-size=80'
    const script = fileURLToPath(new URL('gatewayProcess.fixture.ts', import.meta.url))
    const child = fork(script, [url], { execArgv: [heap, '--disable-warning=ExperimentalWarning'] })
    ends.push(() => child.kill('SIGKILL'))
    const [port] = (await once(child, 'message')) as [number]
    const died = once(child, 'exit').then(([code]) => {
      throw new Error(`the gateway ended with ${code}`)
    })
    died.catch(() => {})
    const memory = async (): Promise<number> => {
      child.send('memory')
      const [told] = (await Promise.race([once(child, 'message'), died])) as [number]
      return told
    }
    const line = await openMqtt({ port })
    ends.push(line.end)
    line.send(
      connectPacket({
        imei,
        password: createDeviceSecrets(site.kit.secrets).deviceSecret({ imei, secretGeneration: 0 }),
      }),
    )
    await line.next()
    const before = await memory()
    let peak = before
    const topic = `saddle/v1/${imei}/up/report`
    const said = (n: number, qos: 0 | 1) => {
      const payload = Buffer.from(
        JSON.stringify({ at: TEST_START_MS - 1 - n, batteryPercent: 50, lat: 31.3, lng: 120.7 }),
      )
      line.send({ cmd: 'publish', topic, payload, qos, messageId: 9, dup: false, retain: false })
    }
    for (let n = 0; n < count; n += 1) {
      said(n, 0)
      // The device's own memory is no part of the proof.
      if (n % 20_000 === 0) {
        peak = Math.max(peak, await memory())
        while (line.socket.writableLength > maxUnsent) await once(line.socket, 'drain')
      }
    }
    said(count, 1)
    const turn = { isAnswered: false }
    const answer = line.next().finally(() => {
      turn.isAnswered = true
    })
    answer.catch(() => {})
    while (!turn.isAnswered) peak = Math.max(peak, await memory())
    expect(await answer).toMatchObject({ cmd: 'puback', messageId: 9 })
    expect(peak - before).toBeLessThan(maxGrowthBytes)
    const { rows } = await sql<{ n: number }>`select count(*) as n from device_report where vehicle_id = ${id}`.execute(
      owner,
    )
    expect(rows[0]?.n).toBe(count + 1)
    console.log(
      `flood of ${count}: ${Math.round((peak - before) / 1024 / 1024)} MB at most above ${Math.round(before / 1024 / 1024)} MB`,
    )
  },
  isLong ? 600_000 : 120_000,
)
