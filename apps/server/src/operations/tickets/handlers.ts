import { sql } from 'kysely'
import { taskSources, taskStates } from '@saddle/contract/operations/taskWords.ts'
import type { FixTicket, ticketEndpoints } from '@saddle/contract/operations/tickets.ts'
import { byArea } from '#audit/public.ts'
import type { Handlers } from '#kit/call.ts'
import { startsWith } from '#kit/db/startsWith.ts'
import { computed, rowOf, rowOfValues, rowsOf, type RowOf } from '#kit/db/rows.ts'
import { tenantFilter } from '#kit/db/tenantFilter.ts'
import { codeOf } from '#kit/codes.ts'
import { finishTask } from '../tasks/finish.ts'
import type { TaskParts } from '../tasks/parts.ts'
import { lockTasks } from '../tasks/store.ts'

const taskRow = rowsOf(
  rowOf('task', 't', [
    'id',
    'vehicle_id',
    'agent_id',
    'area_id',
    'state',
    'source',
    'opened_at',
    'claimed_at',
    'done_at',
    'person_name',
  ]),
  rowOf('task_result', 'r', ['reason']).optional(),
  rowOf('vehicle', 'v', ['number']),
  rowOf('service_area', 'sa', ['name as area_name']),
  rowOfValues({
    note: computed('text', sql`coalesce(nullif(r.note, ''), t.note)`),
    parts_cents: computed('bigint', sql`coalesce(r.parts_cents, 0)`),
  }),
)
type Row = RowOf<typeof taskRow>

/** Repairs as tickets. */
export function createTicketHandlers(parts: TaskParts): Handlers<typeof ticketEndpoints> {
  const { kit } = parts
  return {
    listFixTickets: async ({ vehicleId, keyword, from, to, afterId, pageSize, states }, { scope }) => {
      const conditions = [tenantFilter('t', scope), sql`t.kind = 'repair'`]
      if (vehicleId !== undefined) conditions.push(sql`t.vehicle_id = ${vehicleId}`)
      if (keyword !== undefined && keyword !== '') conditions.push(startsWith(sql`v.number`, keyword.toUpperCase()))
      if (from !== undefined) conditions.push(sql`t.opened_at >= ${new Date(from)}`)
      if (to !== undefined) conditions.push(sql`t.opened_at < ${new Date(to)}`)
      if (afterId !== undefined) conditions.push(sql`t.id < ${afterId}`)
      if (states !== undefined && states.length > 0) conditions.push(sql`t.state = any (${states}::text[])`)
      const query = taskRow.select`
        from task t join vehicle v on v.id = t.vehicle_id join service_area sa on sa.id = t.area_id
          left join task_result r on r.task_id = t.id
        where ${sql.join(conditions, sql` and `)}
        order by t.id desc limit ${pageSize + 1}`
      const rows = await kit.db.read(scope, (k) => query.compile(k))
      return { suc: true, data: { list: rows.slice(0, pageSize).map(ticketOf), hasMore: rows.length > pageSize } }
    },

    fixFixTickets: async ({ ids, note, reasonId, parts: used }, call) =>
      kit.db.withScope(call.scope, async (tx) => {
        const at = kit.clock.now()
        const locked = await lockTasks(tx, { ids, scope: call.scope })
        const open = locked.filter(({ kind, done_at: doneAt }) => kind === 'repair' && doneAt === null)
        for (const task of open) await finishTask(parts, tx, call, { task, at, note, reasonId, parts: used })
        for (const { agentId, areaId, rows: own } of byArea(open)) {
          await parts.audit.act(tx, call, {
            agentId,
            areaId,
            action: 'repair.fix',
            subjectKind: 'vehicle',
            subjectId: own.length === 1 ? String(own[0]?.vehicle_id) : '',
            about: own.map((row) => ({ kind: 'vehicle', id: row.vehicle_id })),
            after: { tickets: own.map(({ id, vehicle_id: vehicleId }) => ({ id, vehicleId })), note },
          })
        }
        return { suc: true, data: { fixedIds: open.map(({ id }) => id) } }
      }),
  }
}

function ticketOf(row: Row): FixTicket {
  return {
    id: row.id,
    vehicleId: row.vehicle_id,
    number: row.number,
    agentId: row.agent_id,
    areaId: row.area_id,
    areaName: row.area_name,
    state: codeOf(taskStates, row.state),
    source: codeOf(taskSources, row.source),
    openedAt: row.opened_at.getTime(),
    claimedAt: row.claimed_at?.getTime() ?? null,
    doneAt: row.done_at?.getTime() ?? null,
    personName: row.person_name,
    note: row.note,
    reason: row.reason,
    partsCents: row.parts_cents,
  }
}
