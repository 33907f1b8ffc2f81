import { randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { hourMs } from '@saddle/contract/time.ts'
import { silentLog } from '#kit/log.ts'
import { startEmbedded } from '#kit/postgres/embedded.ts'
import { createSeededRandom } from '#kit/random.ts'
import { isNatsInstalled, startBusServer, type BusServer } from './bus.ts'
import { count, type Count } from './count.ts'
import { openDisk, type Disk } from './disk.ts'
import { compareLive, startWatching } from './live.ts'
import { startNode, type Node } from './nodes.ts'
import { startObeying } from './obeying.ts'
import { startTickets } from './riders.ts'
import { startRides } from './rides.ts'
import { startStaff } from './staff.ts'
import { strike, type Killed } from './strikes.ts'
import { startSpeaker } from './vehicles.ts'
import { verifyAll } from './verifiers.ts'
import { agentId, areaId, place, seedWorld, withOwner, type World } from './world.ts'

export interface FaultRun extends Count {
  /** Of whose processes how many were killed. */
  readonly kills: Readonly<Partial<Record<Killed, number>>>
  readonly partitions: number
  /** How often each fault happened. */
  readonly faults: Readonly<Record<string, number>>
  /** What verifiers and live indexes say is wrong. */
  readonly wrong: readonly string[]
}

export type BusKind = 'nats' | 'database'

export interface FaultOptions {
  readonly seed: number
  readonly seconds: number
  /** Between one fault and the next, in the middle. */
  readonly pauseMs?: number
  /** Carries the bus; without it NATS where it is installed. */
  readonly bus?: BusKind | undefined
  /** Ends the faults before their time; what was acknowledged until then is counted. */
  readonly signal?: AbortSignal
  readonly say: (sentence: string) => void
}

const startWithinMs = 180_000
const settleWithinMs = 60_000
/** The next notice is handed out within this time. */
const spreadWithinMs = 120_000
const leaderEveryMs = 500
const leaderWithinMs = 40_000
export const usualPauseMs = 1_000

interface Cluster {
  readonly nodes: readonly Node[]
  readonly world: World
  readonly bus: BusServer | null
  readonly disk: Disk | null
  readonly databaseUrl: string
  readonly folder: string
}

/** Runs a cluster under load, strikes its parts by the seed, and counts what was acknowledged and is not there once. */
export async function runFaults(options: FaultOptions): Promise<FaultRun> {
  const { seed, say } = options
  const root = mkdtempSync(join(tmpdir(), 'saddle-faults-'))
  chmodSync(root, 0o755)
  const disk = openDisk(root)
  const folder = disk?.folder ?? root
  const bus = (options.bus ?? (isNatsInstalled() ? 'nats' : 'database')) === 'nats' ? await startBusServer() : null
  const postgres = await startEmbedded({ dataDir: join(folder, 'data'), log: silentLog })
  const nodes: Node[] = []
  let world: World | null = null
  try {
    const secret = randomBytes(32).toString('base64url')
    const socketPath = join(new URL(postgres.url).searchParams.get('host') ?? '', '.s.PGSQL.5432')
    const random = createSeededRandom(seed + 1)
    const compiled = join(root, 'compiled')
    const shared = { folder, compiled, databaseUrl: postgres.url, socketPath, natsPort: bus?.port ?? null, secret }
    mkdirSync(compiled)
    const begunAt = performance.now()
    // The first one makes the schema; the others would wait for it.
    for (const [name, service] of [
      ['api1', 'api'],
      ['api2', 'api'],
      ['gateway1', 'gateway'],
      ['gateway2', 'gateway'],
      ['worker1', 'worker'],
      ['worker2', 'worker'],
    ] as const) {
      nodes.push(await startNode({ ...shared, name, service, random: random.fraction }))
      if (nodes.length === 1) await ready(nodes)
    }
    await ready(nodes)
    const seconds = Math.round((performance.now() - begunAt) / 1_000)
    say(
      `seed ${seed}: ${nodes.length} processes run after ${seconds} s, the bus over ${bus === null ? 'the database' : 'NATS'}`,
    )
    if (disk === null) say('no disk of its own could be mounted: it is neither full nor slow')
    world = await seedWorld({ url: postgres.url, secret, folder })
    return await strikeAll({ nodes, world, bus, disk, databaseUrl: postgres.url, folder }, options)
  } finally {
    await Promise.all(nodes.map((node) => node.stop()))
    await bus?.stop()
    await world?.db.close()
    await postgres.stop()
    disk?.close()
    rmSync(root, { recursive: true, force: true })
  }
}

async function ready(nodes: readonly Node[]): Promise<void> {
  const until = performance.now() + startWithinMs
  for (const node of nodes) {
    while (!(await node.isReady())) {
      if (performance.now() > until) throw new Error(`${node.name} is not ready`)
      await sleep(100)
    }
  }
}

/** Throws unless one process runs the jobs, half a minute later at the latest. */
async function oneLeads(nodes: readonly Node[]): Promise<void> {
  const leading = async ({ url }: Node): Promise<number> => {
    const text = await (await fetch(`${url}/metrics`)).text()
    return /^saddle_jobs_leading 1$/m.test(text) ? 1 : 0
  }
  for (let waitedMs = 0; ; waitedMs += leaderEveryMs) {
    const leaders = (await Promise.all(nodes.map(leading))).reduce((sum, n) => sum + n, 0)
    if (leaders === 1) return
    if (waitedMs > leaderWithinMs) {
      const which = await Promise.all(nodes.map(async (node) => `${node.name}:${node.port} ${await leading(node)}`))
      throw new Error(`${leaders} processes run the jobs: ${which.join(', ')}`)
    }
    await sleep(leaderEveryMs)
  }
}

type Load = Awaited<ReturnType<typeof startLoad>>

/** Vehicles of three protocols, riders, staff, and a console at each api server. */
async function startLoad({ nodes, world }: Cluster) {
  const of = (service: Node['service']): Node[] => nodes.filter((node) => node.service === service)
  const [api, gateways] = [of('api'), of('gateway')]
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
  const consoles = api.map((node) => startWatching(node, client))
  return { vehicles, staff, rides, consoles, tickets: startTickets({ api, key, phones: world.ticketPhones }) }
}

async function strikeAll(
  cluster: Cluster,
  { seed, seconds, pauseMs = usualPauseMs, signal, say }: FaultOptions,
): Promise<FaultRun> {
  const load = await startLoad(cluster)
  const { fraction } = createSeededRandom(seed)
  const target = { ...cluster, fraction, killedPids: new Set<number>() }
  const until = performance.now() + seconds * 1_000
  const open: Promise<void>[] = []
  const faults: Record<string, number> = {}
  const kills: Partial<Record<Killed, number>> = {}
  let partitions = 0
  // eslint-disable-next-line no-unmodified-loop-condition -- whoever has the controller aborts it while this loop waits
  while (performance.now() < until && signal?.aborted !== true) {
    await sleep(pauseMs * (0.3 + 1.4 * fraction()))
    const struck = await strike(target)
    for (const whose of struck.kills) kills[whose] = (kills[whose] ?? 0) + 1
    partitions += struck.partitions
    if (struck.over !== undefined) open.push(struck.over)
    for (const name of struck.names) faults[name] = (faults[name] ?? 0) + 1
  }
  await Promise.all(open)
  await ready(cluster.nodes)
  await oneLeads(cluster.nodes)
  await settle(load, say)
  const wrong = [
    ...(await compareLive({ ...load, fleet: cluster.world.fleet, scope: { agentId, areaId } })),
    ...(await verifyAll({ DATABASE_URL: cluster.databaseUrl, DATA_DIR: join(cluster.folder, 'worker1') })),
  ]
  for (const one of load.consoles) one.stop()
  await allSpread(cluster.databaseUrl, say)
  const counted = await count({
    url: cluster.databaseUrl,
    speakers: load.vehicles.map(({ speaker }) => speaker),
    tickets: load.tickets.acknowledged,
    staff: load.staff.told,
    rides: load.rides.told,
    say,
  })
  for (const sentence of wrong) say(sentence)
  return { kills, partitions, faults, wrong, ...counted }
}

/** What is under way comes to its end; nothing new begins. */
async function settle({ vehicles, staff, rides, tickets }: Load, say: (sentence: string) => void): Promise<void> {
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
