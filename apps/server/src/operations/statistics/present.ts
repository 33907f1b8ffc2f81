import type { WorkTask } from '@saddle/contract/operations/statistics.ts'
import { taskKinds, taskReviews, taskSources } from '@saddle/contract/operations/taskWords.ts'
import { known } from '#kit/known.ts'
import type { TaskRow } from './store.ts'

export function workTaskOf(row: TaskRow): WorkTask {
  return {
    id: row.id,
    kind: known(taskKinds, row.kind),
    source: known(taskSources, row.source),
    vehicleId: row.vehicle_id,
    number: row.number,
    areaId: row.area_id,
    areaName: row.area_name,
    personName: row.person_name,
    openedAt: row.opened_at.getTime(),
    claimedAt: row.claimed_at?.getTime() ?? null,
    doneAt: row.done_at.getTime(),
    dueAt: row.due_at?.getTime() ?? null,
    batteryBefore: row.battery_before,
    batteryAfter: row.battery_after,
    reason: row.reason,
    toName: row.to_name,
    note: row.done_note,
    photos: row.photos,
    payCents: row.pay_cents,
    partsCents: row.parts_cents,
    review: known(taskReviews, row.review),
    place: row.done_lat === null || row.done_lng === null ? null : { lat: row.done_lat, lng: row.done_lng },
  }
}
