import { sql } from 'kysely'
import { AppError } from '@saddle/contract/errors.ts'
import {
  dryRunDays,
  taskRulesSchema,
  type taskRuleEndpoints,
  type TaskRuleVersion,
} from '@saddle/contract/operations/taskRules.ts'
import { dayMs } from '@saddle/contract/time.ts'
import { byArea, type Audit } from '#audit/public.ts'
import type { Geography } from '#geography/public.ts'
import type { Handlers } from '#kit/call.ts'
import { businessTime } from '#kit/csv.ts'
import { isTaken } from '#kit/db/pgErrors.ts'
import { computed, rowOf, rowOfValues, rowsOf, type RowOf } from '#kit/db/rows.ts'
import { tenantFilter } from '#kit/db/tenantFilter.ts'
import type { Kit } from '#kit/kit.ts'
import { tryRules, type TriedTask } from './dryRun.ts'
import { placesOf } from './pass.ts'
import { readPast } from './past.ts'

type Parts = {
  readonly kit: Pick<Kit, 'db' | 'clock'>
  readonly audit: Audit
  readonly geography: Pick<Geography, 'current'>
}

const versionRow = rowOf('task_rule_version', 'r', [
  'id',
  'area_id',
  'version',
  'rules',
  'note',
  'author_name',
  'created_at',
])

function versionOf(row: RowOf<typeof versionRow>): TaskRuleVersion {
  return { ...versionRow.present(row), rules: taskRulesSchema.parse(row.rules) }
}

const historyMax = 50
const examplesMax = 20

const serviceAreaRow = rowOf('service_area', 'a', ['id', 'name'])

/** What the platform asks for by itself, by area and version, and what it would have asked for. */
export function createRuleHandlers(parts: Parts): Handlers<typeof taskRuleEndpoints> {
  const { kit } = parts
  return {
    listTaskRules: async ({ areaId }, { scope }) => {
      const areas = serviceAreaRow.select`
        from service_area a
        where ${tenantFilter('a', scope)}
        order by a.name, a.id`
      const newest = versionRow.query(
        (list) => sql`
        select distinct on (r.area_id) ${list} from task_rule_version r where ${tenantFilter('r', scope)}
        order by r.area_id, r.version desc`,
      )
      const history = versionRow.select`
        from task_rule_version r
        where r.area_id = ${areaId ?? 0} and ${tenantFilter('r', scope)} order by r.version desc limit ${historyMax}`
      const [named, current, past] = await Promise.all([
        kit.db.read(scope, (k) => areas.compile(k)),
        kit.db.read(scope, (k) => newest.compile(k)),
        areaId === undefined ? [] : kit.db.read(scope, (k) => history.compile(k)),
      ])
      const byArea = new Map(current.map((row) => [row.area_id, versionOf(row)]))
      const list = named.map(({ id, name }) => ({ areaId: id, areaName: name, current: byArea.get(id) ?? null }))
      return { suc: true, data: { list, history: past.map(versionOf) } }
    },

    saveTaskRules: createSaving(parts),

    dryRunTaskRules: async ({ areaId, rules }, { scope }) => {
      if (!scope.areaIds.includes(areaId)) throw new AppError('not_found')
      const to = kit.clock.now()
      const from = to - dryRunDays * dayMs
      const fences = (await parts.geography.current.recent([areaId])).get(areaId)
      const { past, done, numbers } = await readPast(kit, { scope, areaId, from, to }, fences)
      if (past.length === 0) return { suc: true, data: emptyTry(from, to) }
      const tried = tryRules({ rules, past, places: placesOf(fences), real: done, from, to })
      const kinds = new Set(rules.map(({ kind }) => kind))
      const examples = tried.slice(-examplesMax).reverse()
      return {
        suc: true,
        data: {
          from,
          to,
          vehicles: past.length,
          ...sumsOf(tried),
          real: done.filter(({ kind }) => kinds.has(kind)).length,
          examples: examples.map((task) => Object.assign({ number: numbers.get(task.vehicleId) ?? '' }, task)),
        },
      }
    },
  }
}

const emptyTry = (from: number, to: number) => ({
  from,
  to,
  vehicles: 0,
  tasks: 0,
  done: 0,
  vanished: 0,
  kinds: [],
  days: [],
  real: 0,
  examples: [],
})

function sumsOf(tried: readonly TriedTask[]) {
  const kinds = Map.groupBy(tried, ({ kind, trigger }) => `${kind} ${trigger}`)
  const days = Map.groupBy(tried, ({ openedAt }) => businessTime(openedAt).slice(0, 10))
  return {
    tasks: tried.length,
    done: tried.filter(({ isDone }) => isDone).length,
    vanished: tried.filter(({ isDone, endedAt }) => !isDone && endedAt !== null).length,
    kinds: [...kinds.values()].flatMap((own) => {
      const [first] = own
      return first === undefined ? [] : [{ kind: first.kind, trigger: first.trigger, tasks: own.length }]
    }),
    days: [...days.entries()].map(([day, own]) => ({ day, tasks: own.length })),
  }
}

function createSaving({ kit, audit }: Parts): Handlers<typeof taskRuleEndpoints>['saveTaskRules'] {
  return async ({ areas, rules, note }, call) => {
    const { scope, caller } = call
    try {
      return await kit.db.withScope(scope, async (tx) => {
        const asked = new Map(areas.map(({ areaId, version }) => [areaId, version]))
        const { rows } = await rowsOf(
          rowOf('service_area', 'a', ['id', 'agent_id', 'id as area_id']),
          rowOfValues({
            version: computed(
              'bigint',
              sql`coalesce((
            select max(r.version) from task_rule_version r where r.area_id = a.id and ${tenantFilter('r', scope)}), 0)`,
            ),
          }),
        ).select`
          from service_area a
          where a.id = any (${[...asked.keys()]}::bigint[]) and ${tenantFilter('a', scope)}
          order by a.id`.execute(tx)
        if (rows.length < asked.size) throw new AppError('not_found')
        if (rows.some(({ id, version }) => asked.get(id) !== version)) throw new AppError('conflict')
        const versions = await tx
          .insertInto('task_rule_version')
          .values(
            rows.map((row) => ({
              agent_id: row.agent_id,
              area_id: row.id,
              version: row.version + 1,
              rules: JSON.stringify(rules),
              note,
              author_id: caller.operatorId,
              author_name: caller.name,
              created_at: new Date(kit.clock.now()),
            })),
          )
          .returning('id')
          .execute()
        for (const { agentId, areaId } of byArea(rows)) {
          await audit.act(tx, call, {
            agentId,
            areaId,
            action: 'task_rule.publish',
            subjectKind: 'area',
            subjectId: areaId,
            after: { note, taskRules: rules.map(({ trigger, kind, enabled }) => `${trigger} ${kind} ${enabled}`) },
          })
        }
        return { suc: true, data: { versionIds: versions.map(({ id }) => id) } }
      })
    } catch (error) {
      // Somebody published at the same moment.
      if (isTaken(error)) throw new AppError('conflict', { cause: error })
      throw error
    }
  }
}
