import { sql } from 'kysely'
import { AppError } from '@saddle/contract/errors.ts'
import {
  telephoneContentSchema,
  telephoneLinesMax,
  telephoneList,
  telephoneSpanSchema,
  telephoneStates,
  telephoneVersionsMax,
  type Holiday,
  type TelephoneContent,
  type TelephoneSpan,
} from '@saddle/contract/marketing/telephones.ts'
import type { Tx } from '#kit/db/pool.ts'
import { countRow, rowOf, rowsOf, type RowOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import { unnest } from '#kit/db/unnest.ts'
import { tableList } from '#kit/list/tableList.ts'
import { checkAreas, newAgentOf, type ContentCall } from '../checks.ts'
import type { ContentDeps } from '../deps.ts'

const ownColumns = rowOf('telephone_line', 't', [
  'id',
  'agent_id',
  'version',
  'label',
  'label_en',
  'number',
  'area_ids',
  'spans',
  'is_closed_on_holidays',
  'priority',
  'state',
  'changed_at',
  'changed_by',
]).codes({ state: telephoneStates })
const lineColumns = rowsOf(ownColumns, rowOf('agent', 'agent', ['company']))

const spansOf = (stored: unknown): TelephoneSpan[] => telephoneSpanSchema.array().parse(stored)

export const lineRows = tableList(telephoneList, {
  table: 'telephone_line',
  alias: 't',
  tenant: 'agent',
  columns: lineColumns,
  joins: sql`join agent on agent.id = t.agent_id`,
  sorts: { priority: ['priority', 'whole'] },
  find: ({ states = telephoneStates, areaIds, agentIds, id }) => ({
    runs: { column: 'state', type: 'text', values: states },
    agentIds,
    narrowed: [id !== undefined && sql`t.id = ${id}`],
    where: [areaIds !== undefined && sql`(t.area_ids = '{}' or t.area_ids && ${areaIds}::bigint[])`],
  }),
})
export const presentLine = (row: RowOf<typeof lineColumns>) => ({
  ...lineColumns.present(row),
  spans: spansOf(row.spans),
})

/** All lines of a company that are switched on. */
export const selectLines = (agentId: number) => ownColumns.select`
  from telephone_line t where t.agent_id = ${agentId} and t.state = 'on'
  order by t.priority, t.id limit ${telephoneLinesMax}`
export const presentOwn = (row: RowOf<typeof ownColumns>) => ({ ...ownColumns.present(row), spans: spansOf(row.spans) })

const columnsOf = (content: TelephoneContent) => ({
  label: content.label,
  label_en: content.labelEn,
  number: content.number,
  area_ids: [...new Set(content.areaIds)],
  spans: JSON.stringify(content.spans),
  is_closed_on_holidays: content.isClosedOnHolidays,
  priority: content.priority,
  state: content.state,
})

const recordOf = ({ agentId, id }: { agentId: number; id: number }) => ({
  agentId,
  subjectKind: 'telephone_line',
  subjectId: id,
})

type Deps = Pick<ContentDeps, 'kit' | 'audit'>

/** Writes a new line; it holds at once. */
export async function createLine(
  { kit, audit }: Deps,
  call: ContentCall,
  { agentId, content }: { agentId: number | undefined; content: TelephoneContent },
): Promise<{ id: number; version: number }> {
  const agent = newAgentOf(call, agentId)
  return kit.db.withScope(call.scope, async (tx) => {
    await checkAreas(tx, agent, content.areaIds)
    const { rows } = await countRow.select`from telephone_line where agent_id = ${agent}`.execute(tx)
    if ((rows[0]?.count ?? 0) >= telephoneLinesMax) {
      throw new AppError('telephones_full', { values: { max: telephoneLinesMax } })
    }
    const { id } = await tx
      .insertInto('telephone_line')
      .values({
        agent_id: agent,
        ...columnsOf(content),
        changed_at: new Date(kit.clock.now()),
        changed_by: call.caller.name,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await audit.act(tx, call, { ...recordOf({ agentId: agent, id }), action: 'telephone.create', after: { content } })
    return { id, version: 1 }
  })
}

/** Changes a line; it holds at once. */
export async function changeLine(
  { kit, audit }: Deps,
  call: ContentCall,
  change: { id: number; version: number | undefined; content: TelephoneContent },
): Promise<{ id: number; version: number }> {
  const { id, content } = change
  return kit.db.withScope(call.scope, async (tx) => {
    const { rows } = await ownColumns.select`
      from telephone_line t where t.id = ${id} and t.agent_id = any (${call.scope.agentIds}::bigint[])
      for update`.execute(tx)
    const [row] = rows
    if (row === undefined) throw new AppError('not_found')
    if (row.version !== change.version) throw new AppError('conflict')
    await checkAreas(tx, row.agent_id, content.areaIds)
    const version = row.version + 1
    await tx
      .updateTable('telephone_line')
      .set({
        ...columnsOf(content),
        version,
        changed_at: new Date(kit.clock.now()),
        changed_by: call.caller.name,
      })
      .where('id', '=', id)
      .execute()
    const before = telephoneContentSchema.parse(contentOf(row))
    const record = { ...recordOf({ agentId: row.agent_id, id }), action: 'telephone.change' }
    await audit.act(tx, call, { ...record, before: { content: before }, after: { content } })
    return { id, version }
  })
}

function contentOf(row: RowOf<typeof ownColumns>) {
  const { label, labelEn, number, areaIds, spans, isClosedOnHolidays, priority, state } = presentOwn(row)
  return { label, labelEn, number, areaIds, spans, isClosedOnHolidays, priority, state }
}

const versionColumns = rowOf('telephone_version', 'v', ['version', 'content', 'made_at', 'made_by'])

/** What a line has been, the newest first. */
export const selectVersions = ({ id, scope }: { id: number; scope: Pick<Scope, 'agentIds'> }) => versionColumns.select`
  from telephone_version v
  where v.line_id = ${id} and v.agent_id = any (${scope.agentIds}::bigint[])
  order by v.version desc limit ${telephoneVersionsMax}`
export const presentVersion = (row: RowOf<typeof versionColumns>) => ({
  ...versionColumns.present(row),
  content: telephoneContentSchema.parse(row.content),
})

const holidayRow = rowOf('telephone_holiday', 'h', ['day', 'name'])

export const selectHolidays = (agentId: number) => holidayRow.select`
  from telephone_holiday h where h.agent_id = ${agentId} order by h.day`
export const presentHoliday = holidayRow.present

/** Replaces the holidays of a company. Resolves to those it had. */
export async function saveHolidays(
  { kit, audit }: Deps,
  call: ContentCall,
  { agentId, holidays }: { agentId: number; holidays: readonly Holiday[] },
): Promise<Holiday[]> {
  const agent = newAgentOf(call, agentId)
  const days = [...new Map(holidays.map((one) => [one.day, one])).values()].toSorted((a, b) => (a.day < b.day ? -1 : 1))
  return kit.db.withScope(call.scope, async (tx) => {
    const before = await readHolidays(tx, agent)
    await sql`delete from telephone_holiday where agent_id = ${agent}`.execute(tx)
    if (days.length > 0) {
      const rows = unnest<Holiday>({
        rows: days,
        alias: 'd',
        columns: { day: ['date', ({ day }) => day], name: ['text', ({ name }) => name] },
      })
      await sql`
        insert into telephone_holiday (agent_id, day, name) select ${agent}::bigint, d.day, d.name from ${rows}
        on conflict (agent_id, day) do update set name = excluded.name`.execute(tx)
    }
    const record = { agentId: agent, subjectKind: 'agent', subjectId: agent, action: 'telephone.holidays' }
    await audit.act(tx, call, { ...record, before: { holidays: before }, after: { holidays: days } })
    return before
  })
}

async function readHolidays(tx: Tx, agentId: number): Promise<Holiday[]> {
  const { rows } = await selectHolidays(agentId).execute(tx)
  return rows.map(presentHoliday)
}
