import { setTimeout as sleep } from 'node:timers/promises'
import { hourMs } from '@saddle/contract/time.ts'
import { count, type Count } from './count.ts'
import { compareLive, startWatching } from './live.ts'
import type { ApiAddress, GatewayAddress } from './nodes.ts'
import { startObeying } from './obeying.ts'
import { startTickets } from './riders.ts'
import { startRides } from './rides.ts'
import { startStaff } from './staff.ts'
import { startSpeaker } from './vehicles.ts'
import { verifyAll } from './verifiers.ts'
import { agentId, areaId, place, withOwner, type World } from './world.ts'

export interface Conclusion extends Count {
  /** What verifiers and live indexes say is wrong. */
  readonly wrong: readonly string[]
}

export interface Load {
  /** How many reports of each vehicle were acknowledged until now. */
  acknowledgedReports(): number[]
  /** Ends the load, and holds what was acknowledged against the database. */
  conclude(options: Concluding): Promise<Conclusion>
}

interface Concluding {
  readonly databaseUrl: string
  /** Of a worker: its anchors of the audit log are verified. */
  readonly dataDir: string
  readonly say: (sentence: string) => void
}

interface LoadOptions {
  readonly world: World
  readonly api: readonly ApiAddress[]
  readonly gateways: readonly GatewayAddress[]
  /** Each shows the live map to a console. */
  readonly consoles: readonly ApiAddress[]
}

const settleWithinMs = 60_000
/** The next notice is handed out within this time. */
const spreadWithinMs = 120_000

/** Vehicles of three protocols, riders, staff, and consoles that watch the live map. */
export async function startLoad(options: LoadOptions): Promise<Load> {
  const running = await start(options)
  const { vehicles } = running
  return {
    acknowledgedReports: () => vehicles.map(({ speaker }) => speaker.acknowledged.length),
    conclude: (concluding) => conclude(running, options.world, concluding),
  }
}

type Running = Awaited<ReturnType<typeof start>>

async function start({ world, api, gateways, consoles }: LoadOptions) {
  const firstAt = Math.floor((Date.now() - hourMs) / 1_000) * 1_000
  const { secrets, key } = world
  const client = await world.logIn(api[0]?.url ?? '')
  const vehicles = [
    ...world.talking.map((vehicle) => startSpeaker({ vehicle, gateways, secrets, firstAt })),
    ...[...world.commanded, ...world.ridden].map((vehicle) => startObeying({ vehicle, place, gateways, secrets })),
  ]
  const staff = startStaff({ api, client, vehicleIds: world.commanded.map(({ vehicleId }) => vehicleId) })
  const rides = startRides({
    api,
    key,
    riders: world.riders,
    vehicleNumbers: world.ridden.map(({ number }) => number),
    staff,
  })
  return {
    vehicles,
    staff,
    rides,
    consoles: consoles.map((node) => startWatching(node, client)),
    tickets: startTickets({ api, key, phones: world.ticketPhones }),
  }
}

async function conclude(
  running: Running,
  world: World,
  { databaseUrl, dataDir, say }: Concluding,
): Promise<Conclusion> {
  const { vehicles, staff, rides, tickets, consoles } = running
  await settle(running, say)
  const wrong = [
    ...(await compareLive({ consoles, fleet: world.fleet, scope: { agentId, areaId } })),
    ...(await verifyAll({ DATABASE_URL: databaseUrl, DATA_DIR: dataDir })),
  ]
  for (const one of consoles) one.stop()
  await allSpread(databaseUrl, say)
  const counted = await count({
    url: databaseUrl,
    speakers: vehicles.map(({ speaker }) => speaker),
    tickets: tickets.acknowledged,
    staff: staff.told,
    rides: rides.told,
    say,
  })
  for (const sentence of wrong) say(sentence)
  return { ...counted, wrong }
}

/** What is under way comes to its end; nothing new begins. */
async function settle({ vehicles, staff, rides, tickets }: Running, say: (sentence: string) => void): Promise<void> {
  tickets.quieten()
  const ending = Promise.all([rides.quieten(), staff.quieten()])
  await Promise.race([ending, sleep(settleWithinMs, undefined, { ref: false })])
  for (const vehicle of vehicles) vehicle.quieten()
  const settled = performance.now() + settleWithinMs
  while (vehicles.some(({ speaker }) => speaker.unanswered.length > 0) && performance.now() < settled) await sleep(100)
  await Promise.all([rides.stop(), staff.stop(), tickets.stop(), ...vehicles.map((vehicle) => vehicle.stop())])
  const unanswered = vehicles.reduce((sum, { speaker }) => sum + speaker.unanswered.length, 0)
  if (unanswered > 0) say(`${unanswered} reports were never answered, and count for nothing`)
}

/** Notices are handed out by a job. Waits as long as it goes on, however slow the machine is. */
async function allSpread(url: string, say: (sentence: string) => void): Promise<void> {
  await withOwner(url, async (owner) => {
    for (let [least, until] = [Infinity, 0]; ;) {
      const { rows } = await owner.query<{ left: number }>(
        'select count(*)::integer as left from notice where spread_at is null',
      )
      const left = rows[0]?.left ?? 0
      if (left === 0) return
      if (left < least) [least, until] = [left, performance.now() + spreadWithinMs]
      else if (performance.now() > until) return say(`${left} notices are not handed out`)
      await sleep(250)
    }
  })
}
