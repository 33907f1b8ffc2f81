import { AppError } from '@saddle/contract/errors.ts'
import type { ReportCalendar } from '@saddle/contract/reports/calendar.ts'
import { scheduledReport } from '@saddle/contract/reports/schedules.ts'
import type { Tx } from '#kit/db/pool.ts'
import { startJob } from '#kit/job.ts'
import { selectCalendar } from '../calendar/store.ts'
import type { ScheduleDeps } from './deps.ts'
import { nextOf, spanAt } from './rules.ts'
import { channelsOf, endDelivery, insertDelivery, lockDue, lockEnded, moveOn, type DueSchedule } from './store.ts'

const everyMs = 20_000
/** Schedules and deliveries of one run; the next run goes on. */
const schedulesAtATime = 200
const deliveriesAtATime = 200

const usual: ReportCalendar = { zone: 'Asia/Shanghai', dayStartsAt: 0 }

export async function calendarOf(tx: Tx, agentId: number): Promise<ReportCalendar> {
  const [row] = (await selectCalendar(agentId).execute(tx)).rows
  return row === undefined ? usual : { zone: row.zone, dayStartsAt: row.day_starts_at }
}

/**
 * Makes the deliveries of a due schedule and moves it to its next time, in one transaction. Times that passed while no
 * worker ran are made up for once.
 */
async function deliverOne(deps: ScheduleDeps): Promise<boolean> {
  const { kit } = deps
  return kit.db.system(async (tx) => {
    const at = new Date(kit.clock.now())
    const schedule = await lockDue(tx, at)
    if (schedule === undefined) return false
    const calendar = await calendarOf(tx, schedule.agent_id)
    for (const operatorId of schedule.receiver_ids) await deliverTo(deps, tx, { schedule, calendar, operatorId, at })
    const { frequency, weekday, month_day: monthDay, hour } = schedule
    const nextAt = new Date(nextOf({ frequency, weekday, monthDay, hour }, calendar.zone, at.getTime()))
    await moveOn(tx, { id: schedule.id, dueAt: schedule.next_at, nextAt })
    return true
  })
}

interface To {
  readonly schedule: DueSchedule
  readonly calendar: ReportCalendar
  readonly operatorId: number
  readonly at: Date
}

/** The receiver's own file, of what they may read now; whoever may not read the report gets none. */
async function deliverTo(deps: ScheduleDeps, tx: Tx, { schedule, calendar, operatorId, at }: To): Promise<void> {
  const access = await deps.accessOf(operatorId)
  if (access === null || access.caller.agentId !== schedule.agent_id) return
  const span = spanAt(schedule.span, calendar, schedule.next_at.getTime())
  const { report, by, format, area_ids: areaIds } = schedule
  const channels = channelsOf(schedule.channels)
  const mayRead = access.caller.permissions.has(scheduledReport(report).permission)
  const narrow = { by, ...span, ...(channels !== null && { channels }) }
  const exportId = mayRead
    ? await queued(deps, tx, {
        call: report === 'reconciliation' ? 'exportReconciliation' : 'exportReportRows',
        access,
        scope: access.grant,
        question: {
          filter: report === 'reconciliation' ? narrow : { ...narrow, report, ...(areaIds !== null && { areaIds }) },
          format,
        },
      })
    : null
  await insertDelivery(tx, {
    agentId: schedule.agent_id,
    scheduleId: schedule.id,
    operatorId,
    operatorName: access.caller.name,
    dueAt: schedule.next_at,
    firstDay: span.from,
    lastDay: span.to,
    exportId,
    at,
  })
}

type Queued = Parameters<ScheduleDeps['exports']['queue']>[1]

async function queued({ exports }: ScheduleDeps, tx: Tx, asked: Queued): Promise<string | null> {
  try {
    return await exports.queue(tx, asked)
  } catch (error) {
    if (error instanceof AppError) return null
    throw error
  }
}

/** Tells the receivers of files that are made, and of those that never will be. */
async function endDeliveries({ kit, tell }: ScheduleDeps): Promise<number> {
  return kit.db.system(async (tx) => {
    const at = new Date(kit.clock.now())
    const ended = await lockEnded(tx, deliveriesAtATime)
    for (const row of ended) {
      await endDelivery(tx, { id: row.id, state: row.is_done ? 'ready' : 'failed', at })
      await tell(tx, {
        isReady: row.is_done,
        agentId: row.agent_id,
        operatorId: row.operator_id,
        key: `delivery ${row.id}`,
        name: row.name,
        from: row.first_day,
        to: row.last_day,
        at,
      })
    }
    return ended.length
  })
}

/** Makes what is due and tells of what is made; resolves to the number of schedules and of deliveries that ended. */
export async function runSchedules(deps: ScheduleDeps): Promise<{ readonly due: number; readonly ended: number }> {
  let due = 0
  while (due < schedulesAtATime && (await deliverOne(deps))) due += 1
  return { due, ended: await endDeliveries(deps) }
}

export function startSchedules(deps: ScheduleDeps): () => Promise<void> {
  const failure = 'scheduled reports were not made'
  return startJob({ log: deps.kit.log, everyMs, run: () => runSchedules(deps), failure }).stop
}
