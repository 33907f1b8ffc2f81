import { AppError } from '@saddle/contract/errors.ts'
import {
  deliveryFields,
  deliveryList,
  scheduledReport,
  scheduleFields,
  scheduleList,
  schedulesMax,
  type ScheduleInput,
  type reportScheduleEndpoints,
} from '@saddle/contract/reports/schedules.ts'
import type { Handlers, SessionCall } from '#kit/call.ts'
import type { Tx } from '#kit/db/pool.ts'
import { serveList } from '#kit/list/serveList.ts'
import type { ScheduleDeps } from './deps.ts'
import { calendarOf } from './job.ts'
import { isSound, nextOf } from './rules.ts'
import {
  countSchedules,
  deleteSchedule,
  deliveryRows,
  insertSchedule,
  lockSchedule,
  presentDelivery,
  presentSchedule,
  scheduleRows,
  selectPeople,
  setState,
  updateSchedule,
  type ScheduleRow,
} from './store.ts'

/** Reports that are made regularly for chosen people of the caller's company. */
export function createScheduleHandlers(deps: ScheduleDeps): Handlers<typeof reportScheduleEndpoints> {
  const { kit, audit } = deps
  const { db, clock } = kit
  const schedules = serveList(deps, scheduleList, {
    name: 'report-schedules',
    rows: scheduleRows,
    present: presentSchedule,
    file: { action: 'report.export_schedules', fields: scheduleFields },
  })
  const deliveries = serveList(deps, deliveryList, {
    name: 'report-deliveries',
    rows: deliveryRows,
    present: presentDelivery,
    file: { action: 'report.export_deliveries', fields: deliveryFields },
  })

  /** The caller may read the report and sees the areas; the receivers are people of the company. */
  const check = async (tx: Tx, input: ScheduleInput, call: SessionCall, agentId: number): Promise<void> => {
    if (!call.caller.permissions.has(scheduledReport(input.report).permission)) throw new AppError('forbidden')
    if (!isSound(input)) throw new AppError('bad_request', { values: { detail: 'frequency' } })
    const areas = new Set(call.grant.areaIds)
    if (input.areaIds?.some((id) => !areas.has(id)) === true) throw new AppError('foreign_scope')
    const ids = [...new Set(input.receiverIds)]
    const { rows } = await selectPeople({ agentId, ids }).execute(tx)
    if (rows.length !== ids.length) throw new AppError('foreign_scope')
  }
  const nextAt = async (tx: Tx, input: Parameters<typeof nextOf>[0], agentId: number): Promise<Date> =>
    new Date(nextOf(input, (await calendarOf(tx, agentId)).zone, clock.now()))
  const found = async (tx: Tx, id: number, call: SessionCall): Promise<ScheduleRow> => {
    const row = await lockSchedule(tx, { id, scope: call.scope })
    if (row === undefined) throw new AppError('not_found')
    return row
  }
  const note = (tx: Tx, call: SessionCall, of: Acted) => audit.act(tx, call, recordOf(of))

  return {
    listReportSchedules: schedules.page,
    exportReportSchedules: schedules.file,
    listReportDeliveries: deliveries.page,
    exportReportDeliveries: deliveries.file,

    listReportReceivers: async (_input, { caller, grant }) => ({
      suc: true,
      data: { list: await db.read(grant, (k) => selectPeople({ agentId: caller.agentId }).compile(k)) },
    }),

    createReportSchedule: (input, call) =>
      db.withScope(call.grant, async (tx) => {
        const { agentId, operatorId, name } = call.caller
        await check(tx, input, call, agentId)
        if ((await countSchedules(tx, agentId)) >= schedulesMax) throw new AppError('report_schedules_full')
        const id = await insertSchedule(tx, {
          ...input,
          agentId,
          nextAt: await nextAt(tx, input, agentId),
          at: new Date(clock.now()),
          author: { operatorId, name },
        })
        await note(tx, call, { agentId, id, action: 'report.schedule_create' })
        return { suc: true, data: presentSchedule(await found(tx, id, { ...call, scope: call.grant })) }
      }),

    changeReportSchedule: (input, call) =>
      db.withScope(call.scope, async (tx) => {
        const { agent_id: agentId, id } = await found(tx, input.id, call)
        await check(tx, input, call, agentId)
        await updateSchedule(tx, { ...input, nextAt: await nextAt(tx, input, agentId) })
        await note(tx, call, { agentId, id, action: 'report.schedule_change' })
        return { suc: true, data: presentSchedule(await found(tx, id, call)) }
      }),

    switchReportSchedule: ({ id, state }, call) =>
      db.withScope(call.scope, async (tx) => {
        const row = await found(tx, id, call)
        if (!call.caller.permissions.has(scheduledReport(row.report).permission)) throw new AppError('forbidden')
        const times = { frequency: row.frequency, weekday: row.weekday, monthDay: row.month_day, hour: row.hour }
        // What was missed while it was paused is not made up for.
        await setState(tx, { id, state, nextAt: await nextAt(tx, times, row.agent_id) })
        await note(tx, call, {
          agentId: row.agent_id,
          id,
          action: state === 'active' ? 'report.schedule_resume' : 'report.schedule_pause',
        })
        return { suc: true, data: presentSchedule(await found(tx, id, call)) }
      }),

    removeReportSchedule: ({ id }, call) =>
      db.withScope(call.scope, async (tx) => {
        const { agent_id: agentId, report } = await found(tx, id, call)
        if (!call.caller.permissions.has(scheduledReport(report).permission)) throw new AppError('forbidden')
        await deleteSchedule(tx, id)
        await note(tx, call, { agentId, id, action: 'report.schedule_remove' })
        return { suc: true, data: {} }
      }),
  }
}

type Acted = { readonly agentId: number; readonly id: number; readonly action: string }
const recordOf = ({ agentId, id, action }: Acted) => ({
  agentId,
  action,
  subjectKind: 'report_schedule',
  subjectId: String(id),
})
