import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, it } from 'vitest'
import { hourMs } from '@saddle/contract/time.ts'
import { createSeededRandom } from '#kit/random.ts'
import { TEST_START_MS, testKit } from '#test/kit.ts'
import { testDatabase } from '#test/database.ts'
import { createAudit } from '#audit/public.ts'
import { createFleet } from '#fleet/public.ts'
import { eventually, seedField } from '../field.fixture.ts'
import { connectPacket, openMqtt, type MqttLine } from './mqtt/mqtt.fixture.ts'
import { createDeviceSecrets } from './secrets.ts'
import { isLong, thorough } from '../../../../../scripts/lib/thorough.mjs'

const kills = thorough({ normal: 3, long: 40, full: 1_000 })
const devicesAtOnce = 4
const maxUnanswered = 50

const script = fileURLToPath(new URL('gatewayProcess.fixture.ts', import.meta.url))
const { db, url, owner } = await testDatabase()
/** Most of a kill's time goes into the next start, and most of that into reading the sources. */
const compiledDir = mkdtempSync(join(tmpdir(), 'saddle-kill-'))
let running: ChildProcess | null = null
afterAll(() => {
  running?.kill('SIGKILL')
  rmSync(compiledDir, { recursive: true, force: true })
})

async function startGatewayProcess(): Promise<{ child: ChildProcess; port: number }> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', script, url], {
    env: { ...process.env, NODE_COMPILE_CACHE: compiledDir },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  running = child
  const [port] = (await once(child, 'message')) as [number]
  return { child, port }
}

/** Talks until the line breaks: sends again what was not answered, then goes on; notes what was answered. */
async function talk(options: { line: MqttLine; device: Speaker; password: string }): Promise<void> {
  const { line, device, password } = options
  const { imei } = device
  line.send(connectPacket({ imei, password }))
  await line.next()
  const say = (n: number): void => {
    const payload = Buffer.from(JSON.stringify({ at: TEST_START_MS - hourMs + n, batteryPercent: n % 100 }))
    const topic = `saddle/v1/${imei}/up/report`
    line.send({ cmd: 'publish', topic, payload, qos: 1, messageId: (n % 60_000) + 1, dup: false, retain: false })
  }
  for (const n of device.unanswered) say(n)
  for (;;) {
    while (device.unanswered.length < maxUnanswered) {
      device.unanswered.push(device.next)
      say(device.next)
      device.next += 1
    }
    const answer = await line.next()
    if (answer.cmd !== 'puback') throw new Error(answer.cmd)
    const at = device.unanswered.findIndex((n) => (n % 60_000) + 1 === answer.messageId)
    if (at >= 0) device.acknowledged.push(...device.unanswered.splice(at, 1))
  }
}
const countAcknowledged = (speakers: readonly Speaker[]): number =>
  speakers.reduce((sum, { acknowledged }) => sum + acknowledged.length, 0)

type Speaker = { imei: string; vehicleId: number; next: number; unanswered: number[]; acknowledged: number[] }

it(
  'a gateway that is killed has lost no report that it acknowledged, and stores none twice',
  async () => {
    await seedField(owner)
    const kit = testKit(db)
    const fleet = createFleet(kit, { audit: createAudit(kit) })
    const secrets = createDeviceSecrets(kit.secrets)
    const speakers: Speaker[] = []
    for (let n = 0; n < devicesAtOnce; n += 1) {
      const imei = `86123456700000${n}`
      const row = { agentId: 3, areaId: 31, number: `SD00000${n}`, imei, model: 'SD-E2', protocol: 'mqtt' as const }
      const [vehicleId] = await db.system((tx) => fleet.vehicles.register(tx, [row]))
      speakers.push({ imei, vehicleId: vehicleId!, next: 0, unanswered: [], acknowledged: [] })
    }
    const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000)
    console.log(`seed ${seed}`)
    const random = createSeededRandom(seed)
    for (let kill = 0; kill < kills; kill += 1) {
      const { child, port } = await startGatewayProcess()
      const talks = speakers.map(async (device) => {
        const line = await openMqtt({ port })
        await talk({ line, device, password: secrets.deviceSecret({ imei: device.imei, secretGeneration: 0 }) }).catch(
          () => {},
        )
        line.end()
      })
      // In the middle of the talk, however fast this machine is just now, and at any moment of a commit.
      const enough = countAcknowledged(speakers) + 1 + Math.floor(random.fraction() * 400)
      await eventually(() => expect(countAcknowledged(speakers)).toBeGreaterThanOrEqual(enough))
      await new Promise((resolve) => setTimeout(resolve, random.fraction() * 30))
      child.kill('SIGKILL')
      await Promise.all(talks)
    }
    let checked = 0
    for (const { vehicleId, acknowledged } of speakers) {
      const rows = await owner
        .selectFrom('device_report')
        .select('occurred_at')
        .where('vehicle_id', '=', vehicleId)
        .execute()
      const stored = rows.map((row) => row.occurred_at.getTime() - (TEST_START_MS - hourMs))
      const known = new Set(stored)
      const lost = acknowledged.filter((n) => !known.has(n)).length
      expect({ lost, twice: stored.length - known.size }, `seed ${seed}`).toEqual({ lost: 0, twice: 0 })
      checked += acknowledged.length
    }
    // Otherwise nothing would have been proved.
    expect(checked).toBeGreaterThan(kills * 10)
  },
  isLong ? 7_200_000 : 300_000,
)
