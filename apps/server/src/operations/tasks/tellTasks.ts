import { taskKinds, type TaskOutcome } from '@saddle/contract/operations/taskWords.ts'
import { hourMs } from '@saddle/contract/time.ts'
import { sql, type RawBuilder } from 'kysely'
import type { SessionCall } from '#kit/call.ts'
import type { Tx } from '#kit/db/pool.ts'
import { rowOf, rowsOf } from '#kit/db/rows.ts'
import type { Kit } from '#kit/kit.ts'
import { tell } from '#notices/public.ts'

const toldRow = rowsOf(
  rowOf('task', 't', ['id', 'agent_id', 'area_id', 'kind', 'due_at', 'assignee_id']).codes({ kind: taskKinds }),
  rowOf('vehicle', 'v', ['number']),
  rowOf('service_area', 'sa', ['name as area_name']),
)

const select = (condition: RawBuilder<unknown>) => toldRow.select`
  from task t join vehicle v on v.id = t.vehicle_id join service_area sa on sa.id = t.area_id
  where ${condition}`

/** Tells a worker of tasks that somebody else gave them. */
export async function tellAssigned(
  tx: Tx,
  { caller }: Pick<SessionCall, 'caller'>,
  { ids, operatorId, at }: { readonly ids: readonly number[]; readonly operatorId: number; readonly at: Date },
): Promise<void> {
  if (operatorId === caller.operatorId) return
  const { rows } = await select(sql`t.id = any (${ids}::bigint[])`).execute(tx)
  await tell(
    tx,
    rows.map((row) => ({
      event: 'task_assigned',
      agentId: row.agent_id,
      subject: `task ${row.id}`,
      key: `task ${row.id} ${operatorId} ${at.getTime()}`,
      values: { vehicle: row.number, area: row.area_name, task: row.kind, person: caller.name },
      path: `/field?task=${row.id}`,
      operatorIds: [operatorId],
      at,
    })),
  )
}

/** Tells who hands out the work of the area what a worker met on the street. */
export async function tellReported(
  tx: Tx,
  { caller }: Pick<SessionCall, 'caller'>,
  {
    id,
    outcome,
    note,
    at,
  }: { readonly id: number; readonly outcome: TaskOutcome; readonly note: string; readonly at: Date },
): Promise<void> {
  const { rows } = await select(sql`t.id = ${id}`).execute(tx)
  await tell(
    tx,
    rows.map((row) => ({
      event: 'task_reported',
      agentId: row.agent_id,
      areaId: row.area_id,
      subject: `task ${id}`,
      key: `task ${id} ${outcome} ${at.getTime()}`,
      values: { vehicle: row.number, area: row.area_name, task: row.kind, outcome, person: caller.name, note },
      path: `/data/operation-tasks?task=${id}`,
      at,
    })),
  )
}

/** A task that was due for longer and was not told of was due before anybody was told of tasks. */
const lateForMs = hourMs
const atOnce = 500

/** Tells of tasks that have become overdue, once for each time that they are due. */
export async function tellOverdue({ db, clock }: Pick<Kit, 'db' | 'clock'>): Promise<void> {
  const at = new Date(clock.now())
  const since = new Date(at.getTime() - lateForMs)
  await db.system(async (tx) => {
    const { rows } = await select(sql`
      t.done_at is null and t.due_at > ${since} and t.due_at <= ${at}
      and not exists (
        select from notice n
        where n.agent_id = t.agent_id and n.event = 'task_overdue' and n.subject = 'task ' || t.id and n.at >= t.due_at)
      order by t.id limit ${atOnce}`).execute(tx)
    await tell(
      tx,
      rows.map((row) => ({
        event: 'task_overdue',
        agentId: row.agent_id,
        areaId: row.area_id,
        subject: `task ${row.id}`,
        key: `task ${row.id} ${row.due_at?.getTime() ?? 0}`,
        values: { vehicle: row.number, area: row.area_name, task: row.kind },
        path: `/data/operation-tasks?keyword=${row.number}`,
        at,
      })),
    )
  })
}
