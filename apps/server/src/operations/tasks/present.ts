import {
  taskKinds,
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
import { known } from '#kit/known.ts'

export type TaskRow = {
  id: number
  kind: string
  state: string
  source: string
  priority: number
  agent_id: number
  area_id: number
  area_name: string
  vehicle_id: number
  number: string
  vehicle_state: string
  vehicle_battery: number | null
  vehicle_lat: number | null
  vehicle_lng: number | null
  opened_at: Date
  due_at: Date | null
  claimed_at: Date | null
  on_site_at: Date | null
  done_at: Date | null
  assignee_id: number | null
  person_name: string | null
  trigger: string | null
  trigger_detail: string
  trigger_value: number | null
  cause_gone_at: Date | null
  from_lat: number | null
  from_lng: number | null
  to_lat: number | null
  to_lng: number | null
  to_fence_id: number | null
  to_name: string
  note: string
  distance_m: number | null
  done_note: string
  done_lat: number | null
  done_lng: number | null
  scanned_number: string | null
  photo_ids: string[]
  battery_before: number | null
  battery_after: number | null
  reason: string | null
  pay_cents: number
  parts_cents: number
  review: string
  reviewed_at: Date | null
  reviewer_name: string | null
  review_note: string
}

/** Joins the result `r` and the review `e` of a task `t`. */
export const joinResult = sql`left join task_result r on r.task_id = t.id left join task_review e on e.task_id = t.id`

/** Columns of a task `t` with its result, its review, its vehicle `v`, the vehicle's status `s` and the area `sa`. */
export const taskColumns = sql`t.id, t.kind, t.state, t.source, t.priority, t.agent_id, t.area_id,
  sa.name as area_name, t.vehicle_id, v.number, v.state as vehicle_state, s.battery_percent as vehicle_battery,
  s.lat as vehicle_lat, s.lng as vehicle_lng, t.opened_at, t.due_at, t.claimed_at, t.on_site_at, t.done_at,
  t.assignee_id, t.person_name, t.trigger, t.trigger_detail, t.trigger_value, t.cause_gone_at, t.from_lat, t.from_lng,
  t.to_lat, t.to_lng, t.to_fence_id, t.to_name, t.note, coalesce(r.note, '') as done_note, r.lat as done_lat,
  r.lng as done_lng, r.scanned_number, coalesce(r.photo_ids, '{}') as photo_ids, r.battery_before, r.battery_after,
  r.reason, coalesce(r.pay_cents, 0) as pay_cents, coalesce(r.parts_cents, 0) as parts_cents,
  coalesce(e.state, 'none') as review, e.reviewed_at, e.reviewer_name, coalesce(e.note, '') as review_note`

const point = (lat: number | null, lng: number | null) => (lat === null || lng === null ? null : { lat, lng })
const ms = (at: Date | null): number | null => at?.getTime() ?? null

export function taskOf(row: TaskRow): Task {
  const to = point(row.to_lat, row.to_lng)
  return {
    id: row.id,
    kind: known(taskKinds, row.kind),
    state: known(taskStates, row.state),
    source: known(taskSources, row.source),
    priority: known(taskPriorities, row.priority),
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
    trigger: row.trigger === null ? null : known(taskTriggers, row.trigger),
    triggerDetail: row.trigger_detail,
    triggerValue: row.trigger_value,
    causeGoneAt: ms(row.cause_gone_at),
    from: point(row.from_lat, row.from_lng),
    to: to === null ? null : { ...to, fenceId: row.to_fence_id, name: row.to_name },
    note: row.note,
    distanceM: row.distance_m,
    doneNote: row.done_note,
    photoIds: row.photo_ids,
    scannedNumber: row.scanned_number,
    batteryBefore: row.battery_before,
    batteryAfter: row.battery_after,
    donePlace: point(row.done_lat, row.done_lng),
    reason: row.reason,
    payCents: row.pay_cents,
    partsCents: row.parts_cents,
    review: known(taskReviews, row.review),
    reviewedAt: ms(row.reviewed_at),
    reviewerName: row.reviewer_name,
    reviewNote: row.review_note,
  }
}

export type StepRow = {
  id: number
  step: string
  at: Date
  operator_name: string | null
  lat: number | null
  lng: number | null
  note: string
}

export const stepOf = (row: StepRow): TaskStepEntry => ({
  id: row.id,
  step: known(taskSteps, row.step),
  at: row.at.getTime(),
  personName: row.operator_name,
  place: point(row.lat, row.lng),
  note: row.note,
})
