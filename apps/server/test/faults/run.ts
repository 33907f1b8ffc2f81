import { randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { silentLog } from '#kit/log.ts'
import { startEmbedded } from '#kit/postgres/embedded.ts'
import { createSeededRandom } from '#kit/random.ts'
import { isNatsInstalled, startBusServer, type BusServer } from './bus.ts'
import { openDisk, type Disk } from './disk.ts'
import { startLoad, type Conclusion } from './load.ts'
import { startNode, type Node } from './nodes.ts'
import { strike } from './strikes.ts'
import { seedWorld, type World } from './world.ts'

export interface FaultRun extends Conclusion {
  /** Of whose processes how many were killed. */
  readonly kills: Readonly<Record<string, number>>
  readonly partitions: number
  /** How often each fault happened. */
  readonly faults: Readonly<Record<string, number>>
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

async function strikeAll(
  cluster: Cluster,
  { seed, seconds, pauseMs = usualPauseMs, signal, say }: FaultOptions,
): Promise<FaultRun> {
  const of = (service: Node['service']): Node[] => cluster.nodes.filter((node) => node.service === service)
  const [api, gateways] = [of('api'), of('gateway')]
  const load = await startLoad({ world: cluster.world, api, gateways, consoles: api })
  const { fraction } = createSeededRandom(seed)
  const target = { ...cluster, fraction, killedPids: new Set<number>() }
  const until = performance.now() + seconds * 1_000
  const open: Promise<void>[] = []
  const faults: Record<string, number> = {}
  const kills: Record<string, number> = {}
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
  const { databaseUrl, folder } = cluster
  return { kills, partitions, faults, ...(await load.conclude({ databaseUrl, dataDir: join(folder, 'worker1'), say })) }
}
