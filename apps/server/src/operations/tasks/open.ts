import { sql } from 'kysely'
import { taskTargetMinutes } from '@saddle/contract/operations/taskTargets.ts'
import type { TaskKind, TaskPriority, TaskSource, TaskTrigger } from '@saddle/contract/operations/taskWords.ts'
import { type LatLng } from '@saddle/geo/earth.ts'
import type { Tx } from '#kit/db/pool.ts'
import { computed, rowOfValues } from '#kit/db/rows.ts'
import { unnest } from '#kit/db/unnest.ts'
import { insertSteps } from './store.ts'

/** A task that is to be opened. */
export type NewTask = {
  readonly vehicleId: number
  readonly kind: TaskKind
  readonly priority?: TaskPriority
  /** Absent: as soon as the area's target says. */
  readonly dueAt?: number | undefined
  readonly note?: string
  readonly trigger?: TaskTrigger
  readonly triggerDetail?: string
  readonly triggerValue?: number
  readonly to?: LatLng & { readonly fenceId: number | null; readonly name: string }
}

export type Opened = {
  readonly id: number
  readonly vehicleId: number
  readonly agentId: number
  readonly areaId: number
}

export type Opening = {
  readonly at: number
  readonly source: TaskSource
  /** Null: the platform itself. */
  readonly by: { readonly operatorId: number; readonly name: string } | null
  readonly tasks: readonly NewTask[]
}

const openTasksRow = rowOfValues({
  id: computed('bigint', sql`id`),
  vehicle_id: computed('bigint', sql`vehicle_id`),
  agent_id: computed('bigint', sql`agent_id`),
  area_id: computed('bigint', sql`area_id`),
})

/**
 * Opens tasks in the caller's transaction, which must see the vehicles. A vehicle that has an unfinished task of the
 * same kind keeps that one and gets no second; only what was opened is told.
 */
export async function openTasks(tx: Tx, { at, source, by, tasks }: Opening): Promise<Opened[]> {
  if (tasks.length === 0) return []
  const rows = unnest<NewTask>({
    rows: tasks,
    alias: 'n',
    columns: {
      vehicle_id: ['bigint', (task) => task.vehicleId],
      kind: ['text', (task) => task.kind],
      priority: ['smallint', (task) => task.priority ?? 2],
      due_at: ['timestamptz', (task) => task.dueAt],
      note: ['text', (task) => task.note ?? ''],
      trigger: ['text', (task) => task.trigger ?? null],
      trigger_detail: ['text', (task) => task.triggerDetail ?? ''],
      trigger_value: ['real', (task) => task.triggerValue ?? null],
      to_lat: ['double precision', (task) => task.to?.lat ?? null],
      to_lng: ['double precision', (task) => task.to?.lng ?? null],
      to_fence_id: ['bigint', (task) => task.to?.fenceId ?? null],
      to_name: ['text', (task) => task.to?.name ?? ''],
      target: ['integer', (task) => taskTargetMinutes[task.kind]],
    },
  })
  const opened = await openTasksRow.returning`
    insert into task (
      vehicle_id, agent_id, area_id, kind, state, source, opened_at, priority, due_at, note, trigger, trigger_detail,
      trigger_value, from_lat, from_lng, to_lat, to_lng, to_fence_id, to_name)
    select
      v.id, v.agent_id, v.area_id, n.kind, 'open', ${source}::text, ${new Date(at)}::timestamptz, n.priority,
      coalesce(n.due_at, ${new Date(at)}::timestamptz
        + coalesce((w.targets ->> n.kind)::integer, n.target) * interval '1 minute'),
      n.note, n.trigger, n.trigger_detail, n.trigger_value, s.lat, s.lng, n.to_lat, n.to_lng, n.to_fence_id, n.to_name
    from ${rows} join vehicle v on v.id = n.vehicle_id join vehicle_status s on s.vehicle_id = v.id
    left join work_area w on w.area_id = v.area_id
    on conflict (vehicle_id, kind) where done_at is null do nothing
    `.execute(tx)
  await insertSteps(
    tx,
    opened.rows.map((task) => ({ task, step: 'opened', at, by })),
  )
  return opened.rows.map((row) => ({
    id: row.id,
    vehicleId: row.vehicle_id,
    agentId: row.agent_id,
    areaId: row.area_id,
  }))
}
