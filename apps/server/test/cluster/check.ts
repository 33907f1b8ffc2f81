import { readFileSync } from 'node:fs'
import { createSeededRandom } from '#kit/random.ts'
import { startLoad } from '../faults/load.ts'
import type { FaultRun } from '../faults/run.ts'
import { seedWorld } from '../faults/world.ts'
import type { Databases } from './database.ts'
import { entryAddress, machines, setCable, setEtcd, type Machine } from './network.ts'
import { consoleUrl, entryPorts, isReady, metricsToken, processPort, type Process } from './processes.ts'
import { until, type Program } from './shell.ts'

interface Options {
  readonly databases: Databases
  readonly processes: readonly Process[]
  /** The servers of the bus. */
  readonly bus: readonly Program[]
  readonly secret: string
  /** Where codes of logins are found. */
  readonly codes: string
  readonly seed: number
  /** How often each fault happens. */
  readonly rounds: number
  readonly say: (sentence: string) => void
}

interface Check extends Options {
  readonly fraction: () => number
  /** Reports of each vehicle that were acknowledged. */
  readonly acknowledged: () => number[]
  readonly kills: Record<string, number>
  partitions: number
}

const healMs = 300_000

/**
 * Strikes three machines under the load of `npm run faults`, which comes in at the entry: each fault once a round, in the order of the
 * seed, and the next one when everything is back. Returns what happened, and what of all that was acknowledged is lost or there twice.
 * Throws when something does not come back.
 */
export async function checkCluster(options: Options): Promise<FaultRun> {
  const { databases, processes, secret, codes, seed, rounds, say } = options
  const random = createSeededRandom(seed)
  const world = await seedWorld({ url: databases.entryUrl, secret, folder: codes })
  try {
    const load = await startLoad({
      world,
      api: [{ name: 'entry', url: consoleUrl }],
      gateways: [{ host: entryAddress, devicePorts: entryPorts }],
      consoles: processes
        .filter(({ service }) => service === 'api')
        .map(({ program: { name }, address }) => ({ name, url: `http://${address}:${processPort}` })),
    })
    const { fraction } = random
    const check: Check = { ...options, fraction, acknowledged: load.acknowledgedReports, kills: {}, partitions: 0 }
    await untilAllBack(check)
    say(`seed ${seed}: three databases, ${processes.length} processes, every vehicle answered`)
    const struck: Record<string, number> = {}
    for (let round = 0; round < rounds; round += 1) {
      const order = Object.keys(faults)
        .map((name) => ({ name, place: fraction() }))
        .toSorted((a, b) => a.place - b.place)
      for (const { name } of order) {
        const begunAt = performance.now()
        const how = await faults[name]?.(check)
        await untilAllBack(check)
        struck[name] = (struck[name] ?? 0) + 1
        say(`${name}: ${how}; all back after ${secondsSince(begunAt)} s`)
      }
    }
    const leader = await until('a leader of the jobs', () => leaderOf(processes))
    const concluded = await load.conclude({ databaseUrl: databases.entryUrl, dataDir: leader.dataDir, say })
    return { kills: check.kills, partitions: check.partitions, faults: struck, ...concluded }
  } finally {
    await world.db.close()
  }
}

/** Each does one thing to the cluster, and says what came of it. */
const faults: Readonly<Record<string, (check: Check) => Promise<string>>> = {
  'the cable of the primary': (check) =>
    loseThePrimary(check, {
      cut: (machine) => setCable(machine, 'down'),
      join: (machine) => setCable(machine, 'up'),
    }),
  'etcd of the primary cut off': (check) =>
    loseThePrimary(check, {
      cut: (machine) => setEtcd(machine, 'cut'),
      join: (machine) => setEtcd(machine, 'joined'),
    }),
  'the cable of another machine': async (check) => {
    const primary = await until('a primary', check.databases.primary)
    const others = machines.filter((machine) => machine !== primary)
    const machine = others[Math.floor(check.fraction() * others.length)] ?? machines[0]
    const sinceAt = performance.now()
    setCable(machine, 'down')
    check.partitions += 1
    await untilReported(check)
    const reportedS = secondsSince(sinceAt)
    setCable(machine, 'up')
    return `${machine.name}, all vehicles answered after ${reportedS} s`
  },
  'kill -9 of PostgreSQL': async (check) => {
    const primary = await until('a primary', check.databases.primary)
    const pid = Number(readFileSync(check.databases.pidFileAt(primary), 'utf8').split('\n')[0])
    process.kill(pid, 'SIGKILL')
    noteKill(check, 'PostgreSQL')
    return `on ${primary.name}`
  },
  'kill -9 of Patroni': async (check) => {
    const primary = await until('a primary', check.databases.primary)
    check.databases.patroniAt(primary).kill()
    noteKill(check, 'Patroni')
    return `on ${primary.name}`
  },
  'kill -9 of one process of each role': async (check) => {
    const leader = await until('a leader of the jobs', () => leaderOf(check.processes))
    const [gateways, api] = (['gateway', 'api'] as const).map((role) =>
      check.processes.filter(({ service }) => service === role),
    )
    const one = (of: readonly Process[] = []): Process[] => of.slice(0, 1)
    return killProcesses(check, [leader, ...one(gateways), ...one(api)])
  },
  'kill -9 of all processes': (check) => killProcesses(check, check.processes),
  'the bus wiped': async (check) => {
    for (const server of check.bus) {
      server.kill()
      noteKill(check, 'bus')
    }
    return `${check.bus.length} servers killed at once`
  },
}

function noteKill(check: Check, whose: string): void {
  check.kills[whose] = (check.kills[whose] ?? 0) + 1
}

async function killProcesses(check: Check, struck: readonly Process[]): Promise<string> {
  for (const { program, service } of struck) {
    program.kill()
    noteKill(check, service)
  }
  return Promise.resolve(struck.map(({ program }) => program.name).join(', '))
}

interface Loss {
  readonly cut: (machine: Machine) => void
  readonly join: (machine: Machine) => void
}

/** Takes something from the primary's machine until all vehicles are answered by way of another primary, and gives it back. */
async function loseThePrimary(check: Check, { cut, join }: Loss): Promise<string> {
  const { primary } = check.databases
  const old = await until('a primary', primary)
  const cutAt = performance.now()
  cut(old)
  check.partitions += 1
  const promoted = await until(
    'a new primary',
    async () => {
      const now = await primary()
      return now !== undefined && now !== old && now
    },
    { withinMs: healMs },
  )
  const promotedS = secondsSince(cutAt)
  await untilReported(check)
  const reportedS = secondsSince(cutAt)
  join(old)
  return `${old.name}, ${promoted.name} is the primary after ${promotedS} s, all vehicles answered after ${reportedS} s`
}

const secondsSince = (at: number): number => Math.round((performance.now() - at) / 1_000)

/** Every vehicle has been answered since. */
async function untilReported({ acknowledged }: Check): Promise<void> {
  const before = acknowledged()
  await until(
    'an answer to every vehicle',
    async () => acknowledged().every((count, at) => count > (before[at] ?? 0)),
    {
      withinMs: healMs,
    },
  )
}

async function untilAllBack(check: Check): Promise<void> {
  const { databases, processes } = check
  await until('three databases, one of them a synchronous standby', databases.isComplete, { withinMs: healMs })
  for (const one of processes) await until(`${one.program.name} ready`, () => isReady(one), { withinMs: healMs })
  await until('a leader of the jobs', () => leaderOf(processes), { withinMs: healMs })
  await untilReported(check)
}

/** Which worker runs the jobs; undefined unless it is exactly one. */
async function leaderOf(processes: readonly Process[]): Promise<Process | undefined> {
  const leading = await Promise.all(
    processes.map(async ({ address, service }) => {
      if (service !== 'worker') return false
      try {
        const answer = await fetch(`http://${address}:${processPort}/metrics`, {
          headers: { authorization: `Bearer ${metricsToken}` },
          signal: AbortSignal.timeout(2_000),
        })
        return /^saddle_jobs_leading 1$/m.test(await answer.text())
      } catch {
        return false
      }
    }),
  )
  const found = processes.filter((_, index) => leading[index])
  return found.length === 1 ? found[0] : undefined
}
