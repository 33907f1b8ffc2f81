import pg from 'pg'
import type { Databases } from './database.ts'
import { machines, setCable } from './network.ts'
import { consoleUrl, isReady, metricsToken, processPort, type Process } from './processes.ts'
import { statusOf, until } from './shell.ts'

interface Options {
  readonly databases: Databases
  readonly processes: readonly Process[]
  readonly vehicles: number
  readonly say: (sentence: string) => void
}

const healMs = 300_000

/**
 * Pulls the cable of the primary's machine until others have taken over, puts it back, and kills one process of each role.
 * Returns the closing line. Throws when something does not come back.
 */
export async function checkCluster({ databases, processes, vehicles, say }: Options): Promise<string> {
  const enough = Math.floor(vehicles * 0.95)
  // The demo has written positions of its own before.
  const begun = Date.now()
  const heard = await untilHeard(databases, { since: begun, enough })
  say(`${heard} of ${vehicles} vehicles are online`)

  const old = await until('a primary', databases.primary)
  const before = Date.now()
  setCable(old, 'down')
  const promoted = await until(
    'a new primary',
    async () => {
      const now = await databases.primary()
      return now === old ? undefined : now
    },
    { withinMs: healMs },
  )
  const promotedS = seconds(before)
  say(`${old.name} was cut off; PostgreSQL of ${promoted.name} is the primary after ${promotedS} s`)
  await until('reports again', async () => (await newestReport(databases)) > before + 1_000 || undefined, {
    withinMs: healMs,
  })
  const reportsS = seconds(before)
  say(`reports are stored again after ${reportsS} s`)
  setCable(old, 'up')
  await until(
    'three databases, one of them a synchronous standby',
    async () => {
      const { running, synchronous } = await databases.members()
      return (running === machines.length && synchronous > 0) || undefined
    },
    { withinMs: healMs },
  )
  const healed = Date.now()
  const again = await allBack(processes, databases, { since: healed, enough })
  say(`${old.name} is back after ${seconds(before)} s: three databases, all processes, ${again} vehicles`)

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
  return `cluster: ${machines.length} machines, ${processes.length} processes, ${last} vehicles online, a new primary after ${promotedS} s, reports after ${reportsS} s, three killed processes back after ${backS} s`
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
    { withinMs: healMs },
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
