import { sql } from 'kysely'
import type { Kit } from '#kit/kit.ts'
import type { Tx } from '#kit/db/pool.ts'
import { computed, rowOfValues } from '#kit/db/rows.ts'
import { startJob } from '#kit/job.ts'
import { lockAsked } from '../calendar/store.ts'
import { changeCalendar } from './calendar.ts'
import { lockFigures, awaitVerification } from './lock.ts'
import { selectBooksBehind, takeInEntries } from './money.ts'
import { makeRideHours, takeBacklogHours, takeStaleHours, type AreaHour } from './rides.ts'

type Deps = Pick<Kit, 'db' | 'log'>

/** Figures are at most this far behind what they are made of, as long as a run is shorter. */
const everyMs = 10_000
/** Steps of one run, each a transaction of its own; the next run goes on. */
const stepsMax = 50
const backlogStepsMax = 20
const booksMax = 5_000

const lockRow = rowOfValues({
  held: computed('boolean', sql`pg_try_advisory_xact_lock(hashtextextended('report_figures', 0))`),
})

const waitingRow = rowOfValues({
  stale: computed('boolean', sql`exists (select from report_stale)`),
  backlog: computed('boolean', sql`exists (select from report_backlog)`),
  calendar: computed('boolean', sql`exists (select from report_calendar where asked_at is not null)`),
})

/** A step of the figures of rides: false when there was nothing, or when another worker is at it. */
async function stepOfRides({ db }: Deps, take: (tx: Tx) => Promise<AreaHour[]>): Promise<boolean> {
  return db.system(async (tx) => {
    await awaitVerification.execute(tx)
    const { rows } = await lockRow.select``.execute(tx)
    if (rows[0]?.held !== true) return false
    const hours = await take(tx)
    await makeRideHours(tx, hours)
    return hours.length > 0
  })
}

async function repeat(step: () => Promise<boolean>, max: number): Promise<number> {
  for (let count = 0; count < max; count += 1) if (!(await step())) return count
  return max
}

/** Puts the hours of companies into the days of the calendars that they have asked for. */
async function followCalendars({ db }: Deps): Promise<number> {
  return repeat(
    () =>
      db.system(async (tx) => {
        await sql`set local statement_timeout = 0`.execute(tx)
        await lockFigures(tx)
        const change = await lockAsked(tx)
        if (change === undefined) return false
        await changeCalendar(tx, change)
        return true
      }),
    stepsMax,
  )
}

/** What a run has done, in steps. */
export type RollupRun = {
  readonly calendars: number
  readonly stale: number
  readonly entries: number
  readonly backlog: number
}

/**
 * Brings the figures up to what has changed: what changed now first, then entries of the ledger, then what nobody waits for.
 * For the worker; several may run at once, each change is taken by one of them.
 */
export async function runRollups(deps: Deps): Promise<RollupRun> {
  const { db } = deps
  const [waiting] = await db.systemRead((k) => waitingRow.select``.compile(k))
  const calendars = waiting?.calendar === true ? await followCalendars(deps) : 0
  const stale = waiting?.stale === true ? await repeat(() => stepOfRides(deps, takeStaleHours), stepsMax) : 0
  let entries = 0
  for (const { agent_id: agentId } of await db.systemRead((k) => selectBooksBehind({ limit: booksMax }).compile(k))) {
    entries += await repeat(() => db.system((tx) => lockAndTakeIn(tx, agentId)), stepsMax)
  }
  const backlog =
    waiting?.backlog === true ? await repeat(() => stepOfRides(deps, takeBacklogHours), backlogStepsMax) : 0
  return { calendars, stale, entries, backlog }
}

async function lockAndTakeIn(tx: Tx, agentId: number): Promise<boolean> {
  await lockFigures(tx)
  return takeInEntries(tx, agentId)
}

/** Runs until nothing waits; `stepsMax` and the like bound a run, `runsMax` this. */
export async function finishRollups(deps: Deps, { runsMax }: { readonly runsMax: number }): Promise<void> {
  for (let count = 0; count < runsMax; count += 1) {
    const { calendars, stale, entries, backlog } = await runRollups(deps)
    if (calendars + stale + entries + backlog === 0) return
  }
  throw new Error(`figures are not up to date after ${runsMax} runs`)
}

export function startRollups(deps: Deps): () => Promise<void> {
  const job = startJob({
    log: deps.log,
    everyMs,
    run: () => runRollups(deps),
    failure: 'figures of reports were not made',
  })
  return job.stop
}
