import { sql } from 'kysely'
import {
  spreadMinutes,
  workPageKinds,
  workTaskList,
  type WorkListFilter,
  type WorkTask,
} from '@saddle/contract/operations/statistics/work.ts'
import { taskKinds, taskReviews, taskSources } from '@saddle/contract/operations/taskWords.ts'
import { computed, rowOf, rowOfValues, rowsOf, type RowOf } from '#kit/db/rows.ts'
import { startsWith } from '#kit/db/startsWith.ts'
import { tableList } from '#kit/list/tableList.ts'
import { joinResult } from '../tasks/present.ts'
import type { Span } from './span.ts'
import { cameBack, hourOfDone } from './store.ts'

const taskRow = rowsOf(
  rowOf('task', 't', [
    'id',
    'kind',
    'source',
    'vehicle_id',
    'area_id',
    'person_name',
    'opened_at',
    'claimed_at',
    'done_at',
    'due_at',
    'to_name',
  ]).filled('done_at'),
  rowOf('task_result', 'r', ['battery_before', 'battery_after', 'reason', 'lat', 'lng']).optional(),
  rowOf('vehicle', 'v', ['number']),
  rowOf('service_area', 'sa', ['name as area_name']),
  rowOfValues({
    note: computed('text', sql`coalesce(r.note, '')`),
    photos: computed('bigint', sql`coalesce(cardinality(r.photo_ids), 0)`),
    pay_cents: computed('bigint', sql`coalesce(r.pay_cents, 0)`),
    parts_cents: computed('bigint', sql`coalesce(r.parts_cents, 0)`),
    review: computed('text', sql`coalesce(e.state, 'none')`),
  }),
).codes({ kind: taskKinds, source: taskSources, review: taskReviews })

/** Finished tasks by area and kind, the newest first. */
export const workTaskRows = tableList(workTaskList, {
  table: 'task',
  alias: 't',
  tenant: 'area',
  columns: taskRow,
  joins: sql`join vehicle v on v.id = t.vehicle_id join service_area sa on sa.id = t.area_id ${joinResult}`,
  sorts: { done: ['done_at', 'instant'] },
  find: (filter, { span }: { readonly span: Span }) => ({
    runs: { column: 'kind', type: 'text', values: workPageKinds[filter.page] },
    areaIds: filter.areaIds,
    where: [
      sql`t.state = 'done' and t.done_at >= ${span.start} and t.done_at < ${span.end}`,
      filter.persons && sql`t.person_name = any (${filter.persons}::text[])`,
      ...ofResult(filter),
      ...ofTime(filter),
      filter.isRepeat === true && cameBack,
      filter.keyword !== undefined &&
        sql`exists (
          select from vehicle c where c.id = t.vehicle_id and ${startsWith(sql`c.number`, filter.keyword.toUpperCase())})`,
    ],
  }),
})

function ofResult({ reason, withPhoto, isRejected }: WorkListFilter) {
  const inResult = (condition: ReturnType<typeof sql>) =>
    sql`exists (select from task_result c where c.task_id = t.id and ${condition})`
  return [
    reason !== undefined && inResult(sql`c.reason = ${reason}`),
    withPhoto === true && inResult(sql`cardinality(c.photo_ids) > 0`),
    withPhoto === false && sql`not ${inResult(sql`cardinality(c.photo_ids) > 0`)}`,
    isRejected === true && sql`exists (select from task_review c where c.task_id = t.id and c.state = 'rejected')`,
  ]
}

function ofTime({ spread, hour, isLate }: WorkListFilter) {
  const lower = spread === undefined || spread === 0 ? undefined : spreadMinutes[spread - 1]
  const upper = spread === undefined ? undefined : spreadMinutes[spread]
  const lasted = sql`extract(epoch from t.done_at - t.opened_at)`
  return [
    lower !== undefined && sql`${lasted} >= ${lower * 60}`,
    upper !== undefined && sql`${lasted} < ${upper * 60}`,
    hour !== undefined && sql`${hourOfDone} = ${hour}`,
    isLate === true && sql`t.done_at > t.due_at`,
  ]
}

export function workTaskOf(row: RowOf<typeof taskRow>): WorkTask {
  const { lat, lng, ...shown } = taskRow.present(row)
  return { ...shown, place: lat === null || lng === null ? null : { lat, lng } }
}
