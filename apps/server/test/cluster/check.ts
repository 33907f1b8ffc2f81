import { minuteMs } from '@saddle/contract/time.ts'
import pg from 'pg'
import { verifyAll } from '../faults/verifiers.ts'
import type { Databases } from './database.ts'
import { machines, setCable, setEtcd, type Machine } from './network.ts'
import { consoleUrl, isReady, metricsToken, processPort, type Process } from './processes.ts'
import { statusOf, until, type Program } from './shell.ts'

interface Options {
  readonly databases: Databases
  readonly processes: readonly Process[]
  /** Stops before the verifiers run: figures follow rides a moment later. */
  readonly city: Program
  readonly vehicles: number
  readonly say: (sentence: string) => void
}

const healMs = 300_000
/** A standing vehicle that says nothing new is written down once in nine minutes. */
const heardWithinMs = 12 * minuteMs

/**
 * Pulls the cable of the primary's machine until others have taken over and puts it back, does the same to its etcd alone, and kills one
 * process of each role. Then ledger, audit log and reports are verified.
 * Returns the closing line. Throws when something does not come back or is not sound.
 */
export async function checkCluster(options: Options): Promise<string> {
  const { databases, processes, city, vehicles, say } = options
  const enough = Math.floor(vehicles * 0.95)
  // The demo has written positions of its own before.
  const begun = Date.now()
  const heard = await untilHeard(databases, { since: begun, enough })
  say(`${heard} of ${vehicles} vehicles are online`)

  const cable = await loseThePrimary(options, {
    enough,
    how: 'was cut off',
    cut: (machine) => setCable(machine, 'down'),
    join: (machine) => setCable(machine, 'up'),
  })
  const etcd = await loseThePrimary(options, {
    enough,
    how: 'has lost the other two etcd',
    cut: (machine) => setEtcd(machine, 'cut'),
    join: (machine) => setEtcd(machine, 'joined'),
  })

  const leader = await until('a leader of the jobs', () => leaderOf(processes))
  const struck = [
    leader,
    ...(['gateway', 'api'] as const).map((role) => processes.find(({ service }) => service === role)),
  ]
  const killedAt = Date.now()
  for (const one of struck) one?.program.kill()
  say(`killed ${struck.map((one) => one?.program.name).join(', ')}`)
  await until('another leader of the jobs', async () => leaderOf(processes), { withinMs: healMs })
  const last = await allBack(processes, databases, { since: Date.now(), enough })
  const backS = seconds(killedAt)
  await city.stop()
  await untilSound(databases, processes)
  return [
    `cluster: ${machines.length} machines, ${processes.length} processes, ${last} vehicles online`,
    `cable pulled: a new primary after ${cable.promotedS} s, reports after ${cable.reportsS} s`,
    `etcd cut off: a new primary after ${etcd.promotedS} s, reports after ${etcd.reportsS} s`,
    `three killed processes back after ${backS} s`,
    'ledger, audit log and reports sound',
  ].join('; ')
}

interface Loss {
  readonly enough: number
  readonly how: string
  readonly cut: (machine: Machine) => void
  readonly join: (machine: Machine) => void
}

/** Takes something from the primary's machine until reports are stored by another primary, gives it back, and waits until all is well. */
async function loseThePrimary({ databases, processes, say }: Options, { enough, how, cut, join }: Loss) {
  const old = await until('a primary', databases.primary)
  const before = Date.now()
  cut(old)
  const promoted = await until(
    'a new primary',
    async () => {
      const now = await databases.primary()
      return now === old ? undefined : now
    },
    { withinMs: healMs },
  )
  const promotedS = seconds(before)
  say(`${old.name} ${how}; PostgreSQL of ${promoted.name} is the primary after ${promotedS} s`)
  const since = Date.now()
  await until('reports again', async () => (await newestReport(databases)) > since || undefined, { withinMs: healMs })
  const reportsS = seconds(before)
  say(`reports are stored again after ${reportsS} s`)
  join(old)
  await until(
    'three databases, one of them a synchronous standby',
    async () => {
      const { running, synchronous } = await databases.members()
      return (running === machines.length && synchronous > 0) || undefined
    },
    { withinMs: healMs },
  )
  const again = await allBack(processes, databases, { since: Date.now(), enough })
  say(`${old.name} is back after ${seconds(before)} s: three databases, all processes, ${again} vehicles`)
  return { promotedS, reportsS }
}

/** Throws with what the verifiers say, unless they find nothing within some minutes. */
async function untilSound(databases: Databases, processes: readonly Process[]): Promise<void> {
  for (const begun = Date.now(); ;) {
    const primary = await until('a primary', databases.primary)
    const { dataDir } = await until('a leader of the jobs', () => leaderOf(processes))
    const faults = await verifyAll({ DATABASE_URL: databases.urlAt(primary), DATA_DIR: dataDir })
    if (faults.length === 0) return
    if (Date.now() - begun > healMs) throw new Error(faults.join('\n'))
  }
}

const seconds = (since: number): number => Math.round((Date.now() - since) / 1_000)

interface Heard {
  readonly since: number
  readonly enough: number
}

/** All processes ready and enough vehicles heard since; how many. */
async function allBack(processes: readonly Process[], databases: Databases, heard: Heard): Promise<number> {
  for (const one of processes)
    await until(`${one.program.name} ready`, async () => (await isReady(one)) || undefined, { withinMs: healMs })
  await until('the console at the entry', async () => (await statusOf(`${consoleUrl}/console/`)) === 200, {
    withinMs: healMs,
  })
  return untilHeard(databases, heard)
}

const untilHeard = async (databases: Databases, { since, enough }: Heard): Promise<number> =>
  until(
    `${enough} vehicles heard`,
    async () => {
      const found = await ask<{ count: number }>(databases, HEARD, [new Date(since)])
      return found !== undefined && found.count >= enough ? found.count : undefined
    },
    { withinMs: heardWithinMs },
  )
const HEARD = 'select count(*)::integer as count from vehicle_status where heard_at > $1'

async function ask<T extends object>(
  databases: Databases,
  text: string,
  values: readonly unknown[] = [],
): Promise<T | undefined> {
  const at = await databases.primary()
  if (at === undefined) return undefined
  const client = new pg.Client({
    connectionString: databases.urlAt(at),
    query_timeout: 5_000,
    connectionTimeoutMillis: 5_000,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    return (await client.query<T>(text, [...values])).rows[0]
  } finally {
    await client.end().catch(() => {})
  }
}

const newestReport = async (databases: Databases): Promise<number> =>
  Number((await ask<{ at: string }>(databases, NEWEST))?.at ?? 0)
const NEWEST = `select (extract(epoch from max(received_at)) * 1000)::bigint::text as at from device_report
  where received_at > now() - interval '10 minutes'`

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
