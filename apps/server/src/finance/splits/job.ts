import { sql } from 'kysely'
import { businessDayEnd, businessDayOf, addDays, minuteMs } from '@saddle/contract/time.ts'
import type { Kit } from '#kit/kit.ts'
import { computed, rowOf, rowOfValues, rowsOf } from '#kit/db/rows.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { closeDay } from './close.ts'
import { divideNext } from './divide.ts'
import { sealStatements } from '../splitBills/statements.ts'
import { selectUnsettledDays, settleDay, type ChannelDays } from './settle.ts'

type Deps = {
  readonly kit: Pick<Kit, 'db' | 'clock' | 'config' | 'log'>
  readonly ledger: Pick<Ledger, 'post' | 'balancesOf'>
  readonly channelDays: ChannelDays
}

/** Days and entries that one run works on, for each company; the next run goes on. */
const daysAtATime = 400
const stepsAtATime = 4_000
const companiesMax = 5_000

const companyRow = rowsOf(
  rowOf('ledger_book', 'b', ['agent_id']),
  rowOfValues({
    has_begun: computed('boolean', sql`c.agent_id is not null`),
    // Entries of the past may be posted in any order, so a book that was never divided is read as a whole, once.
    first_at: computed(
      'timestamptz?',
      sql`case when c.agent_id is null
        then (select min(e.occurred_at) from ledger_entry e where e.agent_id = b.agent_id) else 'epoch' end`,
    ),
  }),
)
const cursorRow = rowOf('split_cursor', 'c', ['open_day'])

/** Companies whose income is divided, each with the day of its first entry. */
async function companiesOf({ db }: Deps['kit']): Promise<{ agentId: number; firstDay: string; hasBegun: boolean }[]> {
  const rows = await db.systemRead((k) =>
    companyRow.select`
      from ledger_book b left join split_cursor c on c.agent_id = b.agent_id
      order by b.agent_id limit ${companiesMax}`.compile(k),
  )
  return rows.flatMap(({ agent_id: agentId, first_at: firstAt, has_begun: hasBegun }) =>
    firstAt === null ? [] : [{ agentId, firstDay: businessDayOf(firstAt.getTime()), hasBegun }],
  )
}

export type SplitRunOptions = {
  /** Also companies whose income was never divided. */
  readonly beginsNew: boolean
  /** A run of the demo's past, as at that time, which settles no day but one. */
  readonly past?: { readonly at: number; readonly day: string }
}

/** What a run has done. */
export type SplitRun = { closedDays: number; bills: number; settledDays: number; statements: number }

/**
 * Divides what is new, closes every day that has ended and whose grace has passed, settles what the channels' bills allow and
 * seals statements: company by company, each step in a transaction of its own, so that a lost connection loses no more than
 * that.
 */
export async function runSplits(given: Deps, { beginsNew, past }: SplitRunOptions): Promise<SplitRun> {
  const kit = past === undefined ? given.kit : { ...given.kit, clock: { now: () => past.at } }
  const deps = { ...given, kit }
  const done: SplitRun = { closedDays: 0, bills: 0, settledDays: 0, statements: 0 }
  for (const { agentId, firstDay, hasBegun } of await companiesOf(kit)) {
    if (!hasBegun && !beginsNew) continue
    try {
      await divideAll(kit, { agentId, firstDay })
      await closeDays(deps, agentId, done)
      await settleDays(deps, { agentId, day: past?.day }, done)
      done.statements += await kit.db.system((tx) => sealStatements(tx, { agentId, at: kit.clock.now() }))
    } catch (err) {
      // What is wrong with one company's book does not hold up the others.
      kit.log.error({ err, agentId }, 'the income of a company was not divided')
    }
  }
  if (done.closedDays > 0) kit.log.info(done, 'days of income are closed')
  return done
}

async function divideAll(
  { db }: Deps['kit'],
  of: { readonly agentId: number; readonly firstDay: string },
): Promise<void> {
  for (let step = 0; step < stepsAtATime; step += 1) {
    if (!(await db.system((tx) => divideNext(tx, of)))) return
  }
}

async function closeDays({ kit, ledger }: Deps, agentId: number, done: SplitRun): Promise<void> {
  const { db, clock, config } = kit
  const [cursor] = await db.systemRead((k) =>
    cursorRow.select`from split_cursor c where c.agent_id = ${agentId}`.compile(k),
  )
  if (cursor === undefined) return
  let day = cursor.open_day
  for (let count = 0; count < daysAtATime; count += 1) {
    const at = clock.now()
    if (businessDayEnd(day) + config.splitGraceMinutes * minuteMs > at) return
    const closing = day
    done.bills += await db.system((tx) => closeDay({ ledger }, tx, { agentId, day: closing, at }))
    done.closedDays += 1
    day = addDays(day, 1)
  }
}

async function settleDays(
  deps: Deps,
  { agentId, day: only }: { readonly agentId: number; readonly day: string | undefined },
  done: SplitRun,
): Promise<void> {
  const { db, clock } = deps.kit
  const days = await db.systemRead((k) => selectUnsettledDays({ agentId, limit: daysAtATime }).compile(k))
  for (const { day } of days.filter((unsettled) => only === undefined || unsettled.day === only)) {
    const isSettled = await db.system((tx) => settleDay(deps, tx, { agentId, day, at: clock.now() }))
    if (isSettled) done.settledDays += 1
  }
}
