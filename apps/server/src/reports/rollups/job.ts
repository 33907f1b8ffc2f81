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

type Deps = Pick<Kit, 'db' | 'log' | 'clock'>

/** Figures are at most this far behind what they are made of, as long as a run is shorter. */
export const figuresEveryMs = 10_000
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

/** What a step of a run found; `busy`: another worker is at it. */
type Step = 'done' | 'nothing' | 'busy'

async function stepOfRides({ db }: Deps, take: (tx: Tx) => Promise<AreaHour[]>): Promise<Step> {
  return db.system(async (tx) => {
    await awaitVerification.execute(tx)
    const { rows } = await lockRow.select``.execute(tx)
    if (rows[0]?.held !== true) return 'busy'
    const hours = await take(tx)
    await makeRideHours(tx, hours)
    return hours.length > 0 ? 'done' : 'nothing'
  })
}

/** Steps that were done, and whether nothing was left. */
type Steps = { readonly count: number; readonly isLast: boolean }
const noSteps: Steps = { count: 0, isLast: true }

async function repeat(step: () => Promise<Step>, max: number): Promise<Steps> {
  for (let count = 0; count < max; count += 1) {
    const found = await step()
    if (found !== 'done') return { count, isLast: found === 'nothing' }
  }
  return { count: max, isLast: false }
}

/** Puts the hours of companies into the days of the calendars that they have asked for. */
async function followCalendars({ db }: Deps): Promise<Steps> {
  return repeat(
    () =>
      db.system(async (tx) => {
        await sql`set local statement_timeout = 0`.execute(tx)
        await lockFigures(tx)
        const change = await lockAsked(tx)
        if (change === undefined) return 'nothing'
        await changeCalendar(tx, change)
        return 'done'
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
  const { db, clock } = deps
  const begunAt = new Date(clock.now())
  const [waiting] = await db.systemRead((k) => waitingRow.select``.compile(k))
  const calendars = waiting?.calendar === true ? await followCalendars(deps) : noSteps
  const stale = waiting?.stale === true ? await repeat(() => stepOfRides(deps, takeStaleHours), stepsMax) : noSteps
  const books = await db.systemRead((k) => selectBooksBehind({ limit: booksMax }).compile(k))
  let entries = { count: 0, isLast: books.length < booksMax }
  for (const { agent_id: agentId } of books) {
    const taken = await repeat(() => db.system((tx) => lockAndTakeIn(tx, agentId)), stepsMax)
    entries = { count: entries.count + taken.count, isLast: entries.isLast && taken.isLast }
  }
  const backlog =
    waiting?.backlog === true ? await repeat(() => stepOfRides(deps, takeBacklogHours), backlogStepsMax) : noSteps
  // What was changed before the beginning was noted by then, and nothing of it was left.
  if ([calendars, stale, entries, backlog].every(({ isLast }) => isLast))
    await db.system((tx) => noteFresh(tx, begunAt))
  return { calendars: calendars.count, stale: stale.count, entries: entries.count, backlog: backlog.count }
}

async function lockAndTakeIn(tx: Tx, agentId: number): Promise<Step> {
  await lockFigures(tx)
  return (await takeInEntries(tx, agentId)) ? 'done' : 'nothing'
}

/** Every change before the moment is in the figures. */
async function noteFresh(tx: Tx, at: Date): Promise<void> {
  await sql`
    insert into report_fresh (at) values (${at}) on conflict (id) do update set at = greatest(report_fresh.at, excluded.at)`.execute(
    tx,
  )
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
    everyMs: figuresEveryMs,
    run: () => runRollups(deps),
    failure: 'figures of reports were not made',
  })
  return job.stop
}
