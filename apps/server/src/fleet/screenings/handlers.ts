import { sql } from 'kysely'
import {
  screeningsMax,
  vehicleFilterSchema,
  type Screening,
  type searchEndpoints,
} from '@saddle/contract/fleet/search.ts'
import { AppError } from '@saddle/contract/errors.ts'
import type { Audit, AuditEntry } from '#audit/public.ts'
import type { Handlers, SessionCall } from '#kit/call.ts'
import type { Tx } from '#kit/db/pool.ts'
import { countRow, rowOf, rowsOf, type RowOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import type { Kit } from '#kit/kit.ts'

type ScreeningEndpoints = Pick<
  typeof searchEndpoints,
  'listScreenings' | 'saveScreening' | 'changeScreening' | 'removeScreening'
>

const screeningRow = rowsOf(
  rowOf('screening', 's', ['id', 'operator_id', 'name', 'filter', 'shared', 'updated_at']),
  rowOf('operator', 'o', ['name as author_name']).optional(),
)
type Row = RowOf<typeof screeningRow>
const ownRow = rowOf('screening', ['id', 'operator_id', 'name', 'filter', 'shared', 'updated_at'])
const heldRow = rowOf('screening', ['name', 'filter', 'shared'])

/** A saved condition belongs to who made it; sharing shows it to the same company, never to another. */
export function createScreeningHandlers(
  kit: Pick<Kit, 'db' | 'clock'>,
  { audit }: { readonly audit: Audit },
): Handlers<ScreeningEndpoints> {
  const write = (tx: Tx, call: SessionCall, act: Pick<AuditEntry, 'action' | 'before' | 'after'> & { id: number }) =>
    audit.act(tx, call, {
      agentId: call.caller.agentId,
      action: act.action,
      subjectKind: 'screening',
      subjectId: act.id,
      before: act.before ?? null,
      after: act.after ?? null,
    })
  return {
    listScreenings: async (_, call) => {
      const rows = await kit.db.read(own(call), (kysely) =>
        screeningRow.select`
          from screening s left join operator o on o.id = s.operator_id
          where s.agent_id = ${call.caller.agentId} and (s.operator_id = ${call.caller.operatorId} or s.shared)
          order by s.operator_id <> ${call.caller.operatorId}, s.name limit ${screeningsMax * 10}`.compile(kysely),
      )
      return { suc: true, data: { list: rows.map((row) => screeningOf(row, call)) } }
    },

    saveScreening: async ({ name, filter, shared }, call) =>
      kit.db.withScope(own(call), async (tx) => {
        // The person's other saves wait, so that two of them do not both find room for one more.
        await sql`select pg_advisory_xact_lock(hashtextextended('screening', ${call.caller.operatorId}))`.execute(tx)
        const { rows: held } = await countRow.select`
          from screening
          where operator_id = ${call.caller.operatorId} and name <> ${name}`.execute(tx)
        if ((held[0]?.count ?? 0) >= screeningsMax) {
          throw new AppError('bad_request', { values: { detail: `最多保存 ${screeningsMax} 个筛查条件` } })
        }
        const { rows } = await ownRow.returning`
          insert into screening (agent_id, operator_id, name, filter, shared, updated_at)
          values (${call.caller.agentId}, ${call.caller.operatorId}, ${name}, ${JSON.stringify(filter)}::jsonb, ${shared},
            ${new Date(kit.clock.now())})
          on conflict (operator_id, name) do update
            set filter = excluded.filter, shared = excluded.shared, updated_at = excluded.updated_at`.execute(tx)
        const saved = { ...mustBe(rows[0]), author_name: call.caller.name }
        await write(tx, call, { action: 'screening.save', id: saved.id, after: { name, filter, shared } })
        return { suc: true, data: screeningOf(saved, call) }
      }),

    changeScreening: async ({ id, name, filter, shared }, call) =>
      kit.db.withScope(own(call), async (tx) => {
        const { rows: taken } = await sql`
          select from screening where operator_id = ${call.caller.operatorId} and name = ${name} and id <> ${id}`.execute(
          tx,
        )
        if (taken.length > 0) throw new AppError('bad_request', { values: { detail: '已有同名的筛查条件' } })
        const { rows: held } = await heldRow.select`
          from screening
          where id = ${id} and agent_id = ${call.caller.agentId} and operator_id = ${call.caller.operatorId}
          for update`.execute(tx)
        const before = mustBe(held[0])
        const { rows } = await ownRow.returning`
          update screening set name = ${name}, filter = ${JSON.stringify(filter)}::jsonb, shared = ${shared},
            updated_at = ${new Date(kit.clock.now())}
          where id = ${id} and agent_id = ${call.caller.agentId} and operator_id = ${call.caller.operatorId}`.execute(
          tx,
        )
        await write(tx, call, { action: 'screening.change', id, before, after: { name, filter, shared } })
        return { suc: true, data: screeningOf({ ...mustBe(rows[0]), author_name: call.caller.name }, call) }
      }),

    removeScreening: async ({ id }, call) =>
      kit.db.withScope(own(call), async (tx) => {
        const { rows } = await heldRow.returning`
          delete from screening
          where id = ${id} and agent_id = ${call.caller.agentId} and operator_id = ${call.caller.operatorId}`.execute(
          tx,
        )
        await write(tx, call, { action: 'screening.remove', id, before: mustBe(rows[0]) })
        return { suc: true, data: {} }
      }),
  }
}

const own = (call: SessionCall): Scope => ({
  agentIds: [call.caller.agentId],
  areaIds: [],
  operatorId: call.caller.operatorId,
})

function mustBe<T>(row: T | undefined): T {
  if (row === undefined) throw new AppError('not_found')
  return row
}

function screeningOf(row: Row, call: SessionCall): Screening {
  return {
    id: row.id,
    name: row.name,
    filter: vehicleFilterSchema.parse(row.filter),
    shared: row.shared,
    own: row.operator_id === call.caller.operatorId,
    authorName: row.author_name ?? '',
    updatedAt: row.updated_at.getTime(),
  }
}
