import { sql } from 'kysely'
import { AppError } from '@saddle/contract/errors.ts'
import { taskKinds, type TaskKind } from '@saddle/contract/operations/taskWords.ts'
import { taskTargetMinutes } from '@saddle/contract/operations/taskTargets.ts'
import type { WorkArea, workAreaEndpoints } from '@saddle/contract/operations/workAreas.ts'
import { businessDayOf, businessDayStart, dayMs } from '@saddle/contract/time.ts'
import type { Audit } from '#audit/public.ts'
import type { Handlers } from '#kit/call.ts'
import { computed, rowOf, rowOfValues, rowsOf, type RowOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import type { Tx } from '#kit/db/pool.ts'
import { tenantFilter } from '#kit/db/tenantFilter.ts'
import type { Kit } from '#kit/kit.ts'
import { codeOf } from '#kit/codes.ts'
import { findWorker } from '../tasks/workers.ts'

type Deps = { readonly kit: Pick<Kit, 'db' | 'clock'>; readonly audit: Audit }

const areaRow = rowsOf(
  rowOf('service_area', 'a', ['id', 'name', 'agent_id']),
  rowOf('agent', 'agent', ['company']),
  rowOf('work_area', 'w', ['targets', 'version']).optional(),
  rowOfValues({
    vehicles: computed(
      'bigint',
      sql`(select count(*)::integer from vehicle v where v.area_id = a.id and v.agent_id = a.agent_id)`,
    ),
    done_today: computed('bigint', sql`d.done_today`),
    done_yesterday: computed('bigint', sql`d.done_yesterday`),
    median_minutes: computed('double precision?', sql`d.median_minutes`),
    in_time: computed('double precision?', sql`d.in_time`),
  }),
).json<{ targets: Partial<Record<TaskKind, number>> | null }>()
type AreaRow = RowOf<typeof areaRow>

const selectAreas = (scope: Scope, nowMs: number) => {
  const today = new Date(businessDayStart(businessDayOf(nowMs)))
  const yesterday = new Date(today.getTime() - dayMs)
  const sinceThen = new Date(nowMs - dayMs)
  const week = new Date(nowMs - 7 * dayMs)
  return areaRow.select`
    from service_area a join agent on agent.id = a.agent_id
    left join work_area w on w.area_id = a.id and w.agent_id = a.agent_id
    left join lateral (
      select
        count(*) filter (where t.done_at >= ${today})::integer as done_today,
        count(*) filter (where t.done_at >= ${yesterday} and t.done_at < ${sinceThen})::integer as done_yesterday,
        percentile_cont(0.5) within group (order by extract(epoch from t.done_at - t.opened_at) / 60) as median_minutes,
        (100.0 * count(*) filter (where t.done_at <= t.due_at) / nullif(count(t.due_at), 0))::float8 as in_time
      from task t
      where t.area_id = a.id and t.agent_id = a.agent_id and t.done_at >= ${week} and t.state = 'done'
    ) d on true
    where ${tenantFilter('a', scope)}
      and a.state = 'enabled'
    order by a.agent_id, a.name, a.id`
}

const loadRow = rowsOf(
  rowOf('task', 't', ['area_id', 'kind']),
  rowOfValues({
    unfinished: computed('bigint', sql`count(*)`),
    open: computed('bigint', sql`count(*) filter (where t.state = 'open')`),
    overdue: computed('bigint', sql`count(*) filter (where t.due_at < n.now)`),
  }),
).codes({ kind: taskKinds })
type LoadRow = RowOf<typeof loadRow>
const selectLoad = (scope: Scope, now: Date) => loadRow.select`
  from task t cross join (select ${now}::timestamptz as now) n
  where t.done_at is null and ${tenantFilter('t', scope)} group by t.area_id, t.kind order by t.kind`

const personRow = rowsOf(
  rowOf('work_area_person', 'p', ['area_id', 'operator_id', 'kinds']),
  rowOf('operator', 'o', ['name']),
  rowOfValues({
    unfinished: computed(
      'bigint',
      sql`(
    select count(*)::integer from task t
    where t.assignee_id = p.operator_id and t.done_at is null and t.area_id = p.area_id and t.agent_id = p.agent_id
  )`,
    ),
  }),
)
type PersonRow = RowOf<typeof personRow>
const selectPeople = (scope: Scope) => personRow.select`
  from work_area_person p join operator o on o.id = p.operator_id
  where ${tenantFilter('p', scope)} and o.state = 'enabled' order by o.name, o.id`

const serviceAreaRow = rowsOf(rowOf('service_area', 'a', ['agent_id']), rowOf('work_area', 'w', ['version']).optional())

/** Areas of field work: who works where, by when, and how much there is to do. */
export function createWorkAreaHandlers(deps: Deps): Handlers<typeof workAreaEndpoints> {
  const { kit, audit } = deps
  return {
    listWorkAreas: async (_, { scope }) => {
      const nowMs = kit.clock.now()
      const [areas, load, people] = await Promise.all([
        kit.db.read(scope, (k) => selectAreas(scope, nowMs).compile(k)),
        kit.db.read(scope, (k) => selectLoad(scope, new Date(nowMs)).compile(k)),
        kit.db.read(scope, (k) => selectPeople(scope).compile(k)),
      ])
      const loadOf = Map.groupBy(load, (row) => row.area_id)
      const peopleOf = Map.groupBy(people, (row) => row.area_id)
      const list = areas.map((row) => areaOf(row, loadOf.get(row.id) ?? [], peopleOf.get(row.id) ?? []))
      return { suc: true, data: { list } }
    },

    saveWorkArea: async ({ areaId, version, targets, people }, call) =>
      kit.db.withScope(call.scope, async (tx) => {
        const { scope } = call
        const { rows } = await serviceAreaRow.select`
          from service_area a
          left join work_area w on w.area_id = a.id and w.agent_id = a.agent_id
          where a.id = ${areaId} and ${tenantFilter('a', scope)}
          for no key update of a`.execute(tx)
        const [area] = rows
        if (area === undefined) throw new AppError('not_found')
        if ((area.version ?? 0) !== version) throw new AppError('conflict')
        const agentId = area.agent_id
        for (const { operatorId } of people) {
          const worker = await findWorker(tx, { scope, operatorId, areaIds: [areaId] })
          if (worker === undefined) throw new AppError('worker_unavailable')
        }
        await saveArea(tx, { areaId, agentId, targets, people, at: new Date(kit.clock.now()) })
        await audit.act(tx, call, {
          agentId,
          areaId,
          action: 'work_area.change',
          subjectKind: 'area',
          subjectId: areaId,
          after: {
            taskTargets: Object.entries(targets).map(([kind, minutes]) => `${kind} ${minutes} min`),
            people: people.map(({ operatorId }) => operatorId),
          },
        })
        return { suc: true, data: { version: version + 1 } }
      }),
  }
}

async function saveArea(
  tx: Tx,
  area: {
    areaId: number
    agentId: number
    targets: Partial<Record<TaskKind, number>>
    people: readonly { operatorId: number; kinds: readonly TaskKind[] }[]
    at: Date
  },
): Promise<void> {
  const { areaId, agentId, targets, people, at } = area
  await sql`
    insert into work_area (area_id, agent_id, targets, changed_at)
    values (${areaId}, ${agentId}, ${JSON.stringify(targets)}::jsonb, ${at})
    on conflict (area_id) do update set targets = excluded.targets, version = work_area.version + 1,
      changed_at = excluded.changed_at`.execute(tx)
  await sql`delete from work_area_person where area_id = ${areaId} and agent_id = ${agentId}`.execute(tx)
  if (people.length === 0) return
  await tx
    .insertInto('work_area_person')
    .values(
      people.map(({ operatorId, kinds }) => ({
        area_id: areaId,
        agent_id: agentId,
        operator_id: operatorId,
        kinds: [...kinds],
      })),
    )
    .execute()
}

function areaOf(row: AreaRow, load: readonly LoadRow[], people: readonly PersonRow[]): WorkArea {
  const sum = (value: (one: LoadRow) => number): number => load.reduce((total, one) => total + value(one), 0)
  const unfinished = sum((one) => one.unfinished)
  const open = sum((one) => one.open)
  return {
    areaId: row.id,
    areaName: row.name,
    agentId: row.agent_id,
    company: row.company,
    targets: { ...taskTargetMinutes, ...row.targets },
    version: row.version ?? 0,
    people: people.map((one) => ({
      operatorId: one.operator_id,
      name: one.name,
      kinds: one.kinds.map((kind) => codeOf(taskKinds, kind)),
      unfinished: one.unfinished,
    })),
    vehicles: row.vehicles,
    open,
    inWork: unfinished - open,
    overdue: sum((one) => one.overdue),
    doneToday: row.done_today,
    doneYesterday: row.done_yesterday,
    medianMinutes: row.median_minutes,
    inTimePercent: row.in_time,
    kinds: load.map((one) => ({ kind: codeOf(taskKinds, one.kind), unfinished: one.unfinished })),
  }
}
