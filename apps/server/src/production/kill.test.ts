import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, it } from 'vitest'
import type { DeviceProtocol } from '@saddle/contract/fleet/protocols.ts'
import { upgradeTermsSchema } from '@saddle/contract/production/upgradeWords.ts'
import { hourMs } from '@saddle/contract/time.ts'
import { createAudit } from '#audit/public.ts'
import { createFleet } from '#fleet/public.ts'
import { createProduction } from '#production/public.ts'
import { createSeededRandom } from '#kit/random.ts'
import { eventually, northScope, seedField } from '#telemetry/field.fixture.ts'
import { testDatabase } from '#test/database.ts'
import { sessionCall, testKit } from '#test/kit.ts'
import { testArtefactKeys, testImage, testUpload } from '#test/upgrades.ts'
import { thorough } from '../../../../scripts/lib/thorough.mjs'
import { jt808Pulling, mqttPulling, omniPulling, type Ports, type Pulling, type Vehicle } from './kill.fixture.ts'

const kills = thorough({ normal: 3, long: 20, full: 60 })
/** An image may have 64 of the largest packages, and every line has at least one left to ask for. */
const mostPerKill = thorough({ normal: 7, long: 3, full: 1 })
/** More packages than all lines but the last may pass, by the size that each protocol gives them. */
const packages = mostPerKill * kills + 2
const packageBytes = { omni: 256, jt808: 1_000, mqtt: 16_384 } as const
/** Each kill starts a process anew; the bound only ends what hangs. */
const timeoutMs = (kills + 1) * 30_000
const script = fileURLToPath(new URL('../telemetry/gateway/gatewayProcess.fixture.ts', import.meta.url))
const { db, url, owner } = await testDatabase()
const kit = testKit(db, testArtefactKeys)
const audit = createAudit(kit)
const fleet = createFleet(kit, { audit })
const { handlers } = createProduction(kit, { audit, fleet })
const operator = sessionCall({ operatorId: 7, agentId: 3, grant: northScope, permissions: ['0601'] })
let running: ChildProcess | null = null
afterAll(() => running?.kill('SIGKILL'))

async function startGatewayProcess(): Promise<{ child: ChildProcess; ports: Ports }> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', script, url], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  running = child
  await once(child, 'message')
  const ask = async (what: string) => {
    child.send(what)
    const [answer] = (await once(child, 'message')) as [unknown]
    return answer
  }
  await ask('artefacts')
  return { child, ports: (await ask('ports')) as Ports }
}

const pullingOf: Readonly<Record<DeviceProtocol, (vehicle: Vehicle) => Pulling>> = {
  omni: (vehicle) => omniPulling(vehicle),
  jt808: (vehicle) => jt808Pulling(kit, vehicle),
  mqtt: (vehicle) => mqttPulling(kit, vehicle),
}

/** A vehicle with a running campaign of its own protocol. */
async function addUpgrade(protocol: DeviceProtocol, serial: number) {
  const [imei, number, model] = [`86123456900000${serial}`, `SD90000${serial}`, `KT-${serial}`]
  const row = { agentId: 3, areaId: 31, number, imei, model, protocol }
  const [vehicleId = 0] = await db.system((tx) => fleet.vehicles.register(tx, [row]))
  const until = new Date(kit.clock.now() + hourMs)
  await owner
    .updateTable('device')
    .set({ registration_open_until: until })
    .where('vehicle_id', '=', vehicleId)
    .execute()
  const of = { version: '300', protocol, bytes: packages * packageBytes[protocol] }
  const { data: artefact } = await handlers.uploadArtefact(testUpload({ agentId: 3, ...of }), operator)
  const terms = upgradeTermsSchema.parse({ nightOnly: false, watchHours: 0 })
  const campaign = { agentId: 3, artefactId: artefact.id, areaIds: [], name: protocol, terms }
  const { data } = await handlers.createUpgradeCampaign(campaign, operator)
  await handlers.startUpgradeCampaign({ id: data.id }, operator)
  const becomesLocked = () =>
    eventually(async () => {
      const known = await owner
        .selectFrom('vehicle_status')
        .select('locked')
        .where('vehicle_id', '=', vehicleId)
        .executeTakeFirstOrThrow()
      expect(known.locked).toBe(true)
    })
  const device = pullingOf[protocol]({ imei, number, becomesLocked })
  return { protocol, vehicleId, device, image: testImage(of) }
}

it(
  'a gateway that is killed in the middle of transfers of each protocol has lost none of their state',
  { timeout: timeoutMs },
  async () => {
    await seedField(owner)
    const upgrades = [await addUpgrade('omni', 1), await addUpgrade('jt808', 2), await addUpgrade('mqtt', 3)]
    const all = (work: (device: Pulling) => Promise<void> | void) =>
      Promise.all(upgrades.map(async ({ device }) => work(device)))
    const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000)
    console.log(`seed ${seed}`)
    const random = createSeededRandom(seed)
    for (let kill = 0; kill <= kills; kill += 1) {
      const { child, ports } = await startGatewayProcess()
      // An upgrade begins with the first line on which the vehicle is known to stand.
      if (kill === 0) await all((device) => device.greet(ports))
      await all((device) => device.open(ports))
      if (kill === kills) await all((device) => device.pull(Infinity))
      else {
        await all((device) => device.pull(1 + Math.floor(random.fraction() * mostPerKill)))
        await all((device) => device.ask())
        await new Promise((resolve) => setTimeout(resolve, random.fraction() * 10))
      }
      child.kill('SIGKILL')
      await once(child, 'exit')
      await all((device) => device.close())
    }
    for (const { protocol, vehicleId, device, image } of upgrades) {
      const where = `${protocol}, seed ${seed}`
      expect(device.image()?.equals(image), where).toBe(true)
      const action = await owner
        .selectFrom('upgrade_action')
        .selectAll()
        .where('vehicle_id', '=', vehicleId)
        .executeTakeFirstOrThrow()
      expect(action, where).toMatchObject({ state: 'downloading', package: (action.packages ?? 0) - 1 })
      // The first line of all may have begun it already.
      expect([kills, kills + 1], where).toContain(action.resumes)
      expect(action.repeats, where).toBeLessThanOrEqual(action.resumes)
    }
  },
)
