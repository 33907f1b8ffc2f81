import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, it } from 'vitest'
import { upgradeTermsSchema } from '@saddle/contract/production/upgradeWords.ts'
import { openSigned } from '@saddle/device-protocols/image.ts'
import type { OmniCommandBody } from '@saddle/device-protocols/omni/codec.ts'
import { createAudit } from '#audit/public.ts'
import { createFleet } from '#fleet/public.ts'
import { createProduction } from '#production/public.ts'
import { createSeededRandom } from '#kit/random.ts'
import { eventually, heartbeat, northScope, openLine, seedField, signIn, type Line } from '#telemetry/field.fixture.ts'
import { testDatabase } from '#test/database.ts'
import { sessionCall, testKit } from '#test/kit.ts'
import { testArtefactKey, testArtefactKeys, testImage, testUpload } from '#test/upgrades.ts'

const isLong = process.env['SADDLE_LONG'] !== undefined
const kills = isLong ? 60 : 3
/** The test's clock stands still, so a line passes no more packages than its burst: what is left after the last kill has to fit. */
const mostPerKill = isLong ? 3 : 7
const bytes = 256 * (mostPerKill + 1) * (kills + 2)
/** Each kill starts a process anew; the bound only ends what hangs. */
const timeoutMs = (kills + 1) * 30_000
const script = fileURLToPath(new URL('../telemetry/gateway/gatewayProcess.fixture.ts', import.meta.url))
const { db, url, owner } = await testDatabase()
let running: ChildProcess | null = null
afterAll(() => running?.kill('SIGKILL'))

async function startGatewayProcess(): Promise<{ child: ChildProcess; port: number }> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', script, url], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  running = child
  await once(child, 'message')
  child.send('ports')
  const [ports] = (await once(child, 'message')) as [{ omni: number }]
  return { child, port: ports.omni }
}

const imei = '861234569000001'

/** A line on which the vehicle is known to be locked. */
async function online(port: number, vehicleId: number): Promise<Line> {
  const line = await openLine({ port, imei })
  line.say(signIn, heartbeat(true))
  await eventually(async () => {
    const known = await owner
      .selectFrom('vehicle_status')
      .select('locked')
      .where('vehicle_id', '=', vehicleId)
      .executeTakeFirstOrThrow()
    expect(known.locked).toBe(true)
  })
  return line
}

async function next<I extends 'U0' | 'U1'>(line: Line, instruction: I) {
  for (;;) {
    const frame = await line.next()
    if (frame.instruction === instruction) return frame as Extract<OmniCommandBody, { instruction: I }>
  }
}

it(
  'a gateway that is killed in the middle of a transfer has lost none of its state',
  { timeout: timeoutMs },
  async () => {
    await seedField(owner)
    const kit = testKit(db, testArtefactKeys)
    const audit = createAudit(kit)
    const fleet = createFleet(kit, { audit })
    const { handlers } = createProduction(kit, { audit, fleet })
    const row = { agentId: 3, areaId: 31, number: 'SD900001', imei, model: 'SD-E2', protocol: 'omni' as const }
    const [vehicleId = 0] = await db.system((tx) => fleet.vehicles.register(tx, [row]))
    const call = sessionCall({ operatorId: 7, agentId: 3, grant: northScope, permissions: ['0601'] })
    const { data: artefact } = await handlers.uploadArtefact(
      testUpload({ agentId: 3, version: '300', protocol: 'omni', bytes }),
      call,
    )
    const terms = upgradeTermsSchema.parse({ nightOnly: false, watchHours: 0 })
    const of = { agentId: 3, artefactId: artefact.id, areaIds: [], name: '300', terms }
    const { data: campaign } = await handlers.createUpgradeCampaign(of, call)
    await handlers.startUpgradeCampaign({ id: campaign.id }, call)
    const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000)
    console.log(`seed ${seed}`)
    const random = createSeededRandom(seed)
    const parts: Buffer[] = []
    const pull = async (line: Line, until: number): Promise<void> => {
      while (parts.length < until) {
        line.say({ instruction: 'U1', packet: parts.length, deviceType: '8A' })
        const { hex } = await next(line, 'U1')
        parts.push(Buffer.from(hex, 'hex'))
      }
    }
    let packages = 0
    for (let kill = 0; kill <= kills; kill += 1) {
      const { child, port } = await startGatewayProcess()
      // The upgrade begins, or goes on, with the first line on which the vehicle is known to stand.
      const line = await online(port, vehicleId).then(async (first) => {
        if (kill > 0) return first
        first.end()
        await first.closed
        return online(port, vehicleId)
      })
      packages = (await next(line, 'U0')).packages
      if (kill === kills) await pull(line, packages)
      else {
        await pull(line, parts.length + 1 + Math.floor(random.fraction() * mostPerKill))
        line.say({ instruction: 'U1', packet: parts.length, deviceType: '8A' })
        await new Promise((resolve) => setTimeout(resolve, random.fraction() * 10))
      }
      child.kill('SIGKILL')
      await once(child, 'exit')
      line.end()
    }
    const whole = Buffer.concat(parts)
    const image = testImage({ version: '300', protocol: 'omni', bytes })
    expect(openSigned(testArtefactKey, whole)?.equals(image), `seed ${seed}`).toBe(true)
    const action = await owner
      .selectFrom('upgrade_action')
      .selectAll()
      .where('vehicle_id', '=', vehicleId)
      .executeTakeFirstOrThrow()
    expect(action).toMatchObject({ state: 'downloading', package: packages - 1 })
    // The first line of all may have begun it already.
    expect([kills, kills + 1]).toContain(action.resumes)
    expect(action.repeats, `seed ${seed}`).toBeLessThanOrEqual(action.resumes)
  },
)
