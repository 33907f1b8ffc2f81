import { sql } from 'kysely'
import { exportFormats } from '@saddle/contract/exported.ts'
import { paymentChannels, type PaymentChannelName } from '@saddle/contract/finance/payments.ts'
import { dimensions } from '@saddle/contract/reports/metrics.ts'
import {
  deliveryList,
  deliveryStates,
  scheduledReports,
  scheduleFrequencies,
  scheduleList,
  scheduleSpans,
  scheduleStates,
  type DeliveryState,
  type ScheduleInput,
  type ScheduleState,
} from '@saddle/contract/reports/schedules.ts'
import type { Tx } from '#kit/db/pool.ts'
import { computed, rowOf, rowOfValues, rowsOf, type RowOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import { tableList } from '#kit/list/tableList.ts'

const own = rowOf('report_schedule', 's', [
  'id',
  'agent_id',
  'name',
  'report',
  'grouped_by as by',
  'span',
  'frequency',
  'weekday',
  'month_day',
  'hour',
  'format',
  'area_ids',
  'channels',
  'receiver_ids',
  'state',
  'next_at',
  'last_at',
  'created_at',
  'created_by',
]).codes({
  report: scheduledReports,
  by: dimensions,
  span: scheduleSpans,
  frequency: scheduleFrequencies,
  format: exportFormats,
  state: scheduleStates,
})
const scheduleRow = rowsOf(
  own,
  rowOfValues({
    receivers: computed(
      'text[]',
      sql`(select coalesce(array_agg(o.name order by o.name), '{}') from operator o
        where o.id = any (s.receiver_ids) and o.agent_id = s.agent_id)`,
    ),
  }),
)
export type ScheduleRow = RowOf<typeof scheduleRow>
export const presentSchedule = (row: ScheduleRow) => {
  const { channels, ...shown } = scheduleRow.present(row)
  return { ...shown, channels: channelsOf(channels) }
}
export const channelsOf = (channels: readonly string[] | null): PaymentChannelName[] | null =>
  channels === null ? null : paymentChannels.filter((one) => channels.includes(one))

export const scheduleRows = tableList(scheduleList, {
  table: 'report_schedule',
  alias: 's',
  tenant: 'agent',
  columns: scheduleRow,
  sorts: { created: ['created_at', 'instant'] },
  find: ({ reports, states }) => ({
    where: [reports && sql`s.report = any (${reports}::text[])`, states && sql`s.state = any (${states}::text[])`],
  }),
})

const deliveryRow = rowsOf(
  rowOf('report_delivery', 'd', [
    'id',
    'agent_id',
    'schedule_id',
    'operator_name',
    'due_at',
    'first_day',
    'last_day',
    'state',
    'ended_at',
  ]).codes({ state: deliveryStates }),
  rowOf('report_schedule', 's', ['name']),
)
export const presentDelivery = deliveryRow.present
export const deliveryRows = tableList(deliveryList, {
  table: 'report_delivery',
  alias: 'd',
  tenant: 'agent',
  columns: deliveryRow,
  joins: sql`join report_schedule s on s.id = d.schedule_id and s.agent_id = d.agent_id`,
  sorts: { due: ['due_at', 'instant'] },
  find: ({ scheduleId, states }) => ({
    where: [
      scheduleId !== undefined && sql`d.schedule_id = ${scheduleId}`,
      states && sql`d.state = any (${states}::text[])`,
    ],
  }),
})

const personRow = rowOf('operator', 'o', ['id', 'name'])
/** People of a company who can log in. */
export const selectPeople = ({ agentId, ids }: { readonly agentId: number; readonly ids?: readonly number[] }) =>
  personRow.select`
    from operator o where o.agent_id = ${agentId} and o.removed_at is null and o.state = 'enabled'
      ${ids === undefined ? sql`` : sql`and o.id = any (${ids}::bigint[])`} order by o.name, o.id limit 1000`

/** A schedule of the scope's companies, locked until the end of the transaction. */
export async function lockSchedule(tx: Tx, { id, scope }: { readonly id: number; readonly scope: Scope }) {
  const { rows } = await scheduleRow.select`
    from report_schedule s where s.id = ${id} and s.agent_id = any (${scope.agentIds}::bigint[]) for update of s`.execute(
    tx,
  )
  return rows[0]
}

export async function countSchedules(tx: Tx, agentId: number): Promise<number> {
  const { rows } = await rowOfValues({ count: computed('integer', sql`count(*)`) }).select`
    from report_schedule s where s.agent_id = ${agentId}`.execute(tx)
  return rows[0]?.count ?? 0
}

const valuesOf = (input: ScheduleInput, nextAt: Date) => ({
  name: input.name,
  report: input.report,
  grouped_by: input.by,
  span: input.span,
  frequency: input.frequency,
  weekday: input.weekday,
  month_day: input.monthDay,
  hour: input.hour,
  format: input.format,
  area_ids: input.areaIds ?? null,
  channels: input.channels ?? null,
  receiver_ids: input.receiverIds,
  next_at: nextAt,
})

export async function insertSchedule(
  tx: Tx,
  input: ScheduleInput & {
    readonly agentId: number
    readonly nextAt: Date
    readonly at: Date
    readonly by: ScheduleInput['by']
    readonly author: { readonly operatorId: number; readonly name: string }
  },
): Promise<number> {
  const { id } = await tx
    .insertInto('report_schedule')
    .values({
      ...valuesOf(input, input.nextAt),
      agent_id: input.agentId,
      created_at: input.at,
      created_by_id: input.author.operatorId,
      created_by: input.author.name,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function updateSchedule(tx: Tx, input: ScheduleInput & { readonly id: number; readonly nextAt: Date }) {
  await tx.updateTable('report_schedule').set(valuesOf(input, input.nextAt)).where('id', '=', input.id).execute()
}

export async function setState(
  tx: Tx,
  { id, state, nextAt }: { readonly id: number; readonly state: ScheduleState; readonly nextAt: Date },
): Promise<void> {
  await tx.updateTable('report_schedule').set({ state, next_at: nextAt }).where('id', '=', id).execute()
}

export async function deleteSchedule(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('report_schedule').where('id', '=', id).execute()
}

/** The schedule that has been due the longest, locked until the end of the transaction. */
export async function lockDue(tx: Tx, at: Date) {
  const { rows } = await own.select`
    from report_schedule s where s.state = 'active' and s.next_at <= ${at}
    order by s.next_at limit 1 for update skip locked`.execute(tx)
  return rows[0]
}
export type DueSchedule = NonNullable<Awaited<ReturnType<typeof lockDue>>>

export async function moveOn(
  tx: Tx,
  { id, dueAt, nextAt }: { readonly id: number; readonly dueAt: Date; readonly nextAt: Date },
): Promise<void> {
  await tx.updateTable('report_schedule').set({ last_at: dueAt, next_at: nextAt }).where('id', '=', id).execute()
}

export async function insertDelivery(
  tx: Tx,
  delivery: {
    readonly agentId: number
    readonly scheduleId: number
    readonly operatorId: number
    readonly operatorName: string
    readonly dueAt: Date
    readonly firstDay: string
    readonly lastDay: string
    readonly exportId: string | null
    readonly at: Date
  },
): Promise<void> {
  const { exportId, at } = delivery
  await tx
    .insertInto('report_delivery')
    .values({
      agent_id: delivery.agentId,
      schedule_id: delivery.scheduleId,
      operator_id: delivery.operatorId,
      operator_name: delivery.operatorName,
      due_at: delivery.dueAt,
      first_day: delivery.firstDay,
      last_day: delivery.lastDay,
      state: exportId === null ? 'forbidden' : 'making',
      export_id: exportId,
      ended_at: exportId === null ? at : null,
    })
    .execute()
}

const endedRow = rowsOf(
  rowOf('report_delivery', 'd', ['id', 'agent_id', 'operator_id', 'first_day', 'last_day']),
  rowOf('report_schedule', 's', ['name']),
  rowOfValues({ is_done: computed('boolean', sql`coalesce(e.state = 'done', false)`) }),
)
/** Deliveries whose file is made or will never be, locked until the end of the transaction. */
export async function lockEnded(tx: Tx, limit: number) {
  const { rows } = await endedRow.select`
    from report_delivery d join report_schedule s on s.id = d.schedule_id
    left join export_job e on e.export_id = d.export_id
    where d.state = 'making' and coalesce(e.state not in ('queued', 'running'), true)
    order by d.id limit ${limit} for update of d skip locked`.execute(tx)
  return rows
}

export async function endDelivery(
  tx: Tx,
  { id, state, at }: { readonly id: number; readonly state: DeliveryState; readonly at: Date },
): Promise<void> {
  await tx.updateTable('report_delivery').set({ state, ended_at: at }).where('id', '=', id).execute()
}
