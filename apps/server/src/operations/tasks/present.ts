import {
  taskCheckCodes,
  taskKinds,
  taskOutcomes,
  taskPriorities,
  taskReviews,
  taskSources,
  taskStates,
  taskSteps,
  taskTriggers,
} from '@saddle/contract/operations/taskWords.ts'
import type { Task, TaskStepEntry } from '@saddle/contract/operations/tasks.ts'
import { vehicleStateSchema } from '@saddle/contract/fleet/vehicles.ts'
import { sql } from 'kysely'
import { computed, rowOf, rowOfValues, rowsOf, type RowOf } from '#kit/db/rows.ts'
import { codeOf } from '#kit/codes.ts'

/** Joins the result `r` and the review `e` of a task `t`. */
export const joinResult = sql`left join task_result r on r.task_id = t.id left join task_review e on e.task_id = t.id`

/** Columns of a task `t` with its result, its review, its vehicle `v`, the vehicle's status `s` and the area `sa`. */
export const taskColumns = rowsOf(
  rowOf('task', 't', [
    'id',
    'kind',
    'state',
    'source',
    'priority',
    'agent_id',
    'area_id',
    'vehicle_id',
    'opened_at',
    'due_at',
    'claimed_at',
    'on_site_at',
    'done_at',
    'assignee_id',
    'person_name',
    'trigger',
    'trigger_detail',
    'trigger_value',
    'cause_gone_at',
    'from_lat',
    'from_lng',
    'to_lat',
    'to_lng',
    'to_fence_id',
    'to_name',
    'note',
    'outcome',
    'outcome_at',
  ]),
  rowOf('service_area', 'sa', ['name as area_name']),
  rowOf('vehicle', 'v', ['number', 'state as vehicle_state']),
  rowOf('vehicle_status', 's', ['battery_percent as vehicle_battery', 'lat as vehicle_lat', 'lng as vehicle_lng']),
  rowOf('task_result', 'r', [
    'lat as done_lat',
    'lng as done_lng',
    'scanned_number',
    'battery_before',
    'battery_after',
    'reason',
  ]).optional(),
  rowOf('task_review', 'e', ['reviewed_at', 'reviewer_name']).optional(),
  rowOfValues({
    done_note: computed('text', sql`coalesce(r.note, '')`),
    photo_ids: computed('text[]', sql`coalesce(r.photo_ids, '{}')`),
    checks_fine: computed('text[]', sql`coalesce(r.checks_fine, '{}')`),
    checks_failed: computed('text[]', sql`coalesce(r.checks_failed, '{}')`),
    pay_cents: computed('bigint', sql`coalesce(r.pay_cents, 0)`),
    parts_cents: computed('bigint', sql`coalesce(r.parts_cents, 0)`),
    review: computed('text', sql`coalesce(e.state, 'none')`),
    review_note: computed('text', sql`coalesce(e.note, '')`),
  }),
)
/** Only where tasks are looked for around a place. */
interface Distant {
  readonly distance_m?: number | null
}
export type TaskRow = RowOf<typeof taskColumns> & Distant

const point = (lat: number | null, lng: number | null) => (lat === null || lng === null ? null : { lat, lng })
const ms = (at: Date | null): number | null => at?.getTime() ?? null

export function taskOf(row: TaskRow): Task {
  const to = point(row.to_lat, row.to_lng)
  return {
    id: row.id,
    kind: codeOf(taskKinds, row.kind),
    state: codeOf(taskStates, row.state),
    source: codeOf(taskSources, row.source),
    priority: codeOf(taskPriorities, row.priority),
    agentId: row.agent_id,
    areaId: row.area_id,
    areaName: row.area_name,
    vehicleId: row.vehicle_id,
    number: row.number,
    vehicle: {
      state: vehicleStateSchema.parse(row.vehicle_state),
      batteryPercent: row.vehicle_battery,
      position: point(row.vehicle_lat, row.vehicle_lng),
    },
    openedAt: row.opened_at.getTime(),
    dueAt: ms(row.due_at),
    claimedAt: ms(row.claimed_at),
    onSiteAt: ms(row.on_site_at),
    doneAt: ms(row.done_at),
    assigneeId: row.assignee_id,
    personName: row.person_name,
    trigger: row.trigger === null ? null : codeOf(taskTriggers, row.trigger),
    triggerDetail: row.trigger_detail,
    triggerValue: row.trigger_value,
    causeGoneAt: ms(row.cause_gone_at),
    from: point(row.from_lat, row.from_lng),
    to: to === null ? null : { ...to, fenceId: row.to_fence_id, name: row.to_name },
    note: row.note,
    distanceM: row.distance_m ?? null,
    doneNote: row.done_note,
    photoIds: row.photo_ids,
    scannedNumber: row.scanned_number,
    batteryBefore: row.battery_before,
    batteryAfter: row.battery_after,
    donePlace: point(row.done_lat, row.done_lng),
    outcome: row.outcome === null ? null : codeOf(taskOutcomes, row.outcome),
    outcomeAt: ms(row.outcome_at),
    checksFine: row.checks_fine.map((check) => codeOf(taskCheckCodes, check)),
    checksFailed: row.checks_failed.map((check) => codeOf(taskCheckCodes, check)),
    reason: row.reason,
    payCents: row.pay_cents,
    partsCents: row.parts_cents,
    review: codeOf(taskReviews, row.review),
    reviewedAt: ms(row.reviewed_at),
    reviewerName: row.reviewer_name,
    reviewNote: row.review_note,
  }
}

export const stepColumns = rowOf('task_step', 'p', [
  'id',
  'step',
  'at',
  'operator_name',
  'lat',
  'lng',
  'note',
  'photo_ids',
])
type StepRow = RowOf<typeof stepColumns>

export const stepOf = (row: StepRow): TaskStepEntry => ({
  id: row.id,
  step: codeOf(taskSteps, row.step),
  at: row.at.getTime(),
  personName: row.operator_name,
  place: point(row.lat, row.lng),
  note: row.note,
  photoIds: row.photo_ids,
})
