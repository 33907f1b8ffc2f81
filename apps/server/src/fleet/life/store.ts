import { sql, type RawBuilder } from 'kysely'
import { z } from 'zod'
import { lifeKinds, unitEvents, type LifeEntry, type LifeKind } from '@saddle/contract/fleet/life.ts'
import { taskKinds, taskSources, taskStates } from '@saddle/contract/operations/taskWords.ts'
import { factoryFailedStepSchema } from '@saddle/contract/production/factoryWords.ts'
import { vehicleStateSchema } from '@saddle/contract/fleet/vehicles.ts'
import { builtJson, computed, rowOfValues, type RowOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import { tenantFilter } from '#kit/db/tenantFilter.ts'
import { aliasedCommandRow, commandOf, type CommandRow } from '../commands/store.ts'
import { tripOf, tripRow, type TripRow } from '../trips/store.ts'
import type { LifeCursor } from './cursor.ts'

const lifeRow = rowOfValues({
  kind: computed('text', sql`kind`),
  id: computed('bigint', sql`id`),
  micros: computed('text', sql`micros`),
  body: builtJson<Record<string, unknown>>(sql`body`),
}).codes({ kind: lifeKinds })
export type LifeRow = RowOf<typeof lifeRow>

type Wanted = {
  readonly vehicleId: number
  readonly kinds: readonly LifeKind[]
  readonly from: number | undefined
  readonly to: number | undefined
  readonly after: LifeCursor | null
  readonly limit: number
  readonly scope: Scope
}

/** For each kind: its table and alias, the time that it stands at in the life, and what an entry tells. */
const sources: Readonly<
  Record<
    LifeKind,
    { readonly table: RawBuilder<unknown>; readonly alias: string; readonly at: string; fields: RawBuilder<unknown> }
  >
> = {
  event: {
    table: sql`vehicle_event e`,
    alias: 'e',
    at: 'occurred_at',
    fields: sql`e.event, e.from_state, e.to_state, e.cause`,
  },
  command: { table: sql`vehicle_command c`, alias: 'c', at: 'queued_at', fields: aliasedCommandRow.list },
  alarm: {
    table: sql`vehicle_alarm a`,
    alias: 'a',
    at: 'opened_at',
    fields: sql`a.kind, a.times, a.closed_at, a.fixed_by, a.note`,
  },
  task: {
    table: sql`task k`,
    alias: 'k',
    at: 'opened_at',
    fields: sql`k.id, k.kind, k.state, k.source, k.done_at, k.person_name, k.note`,
  },
  trip: {
    table: sql`trip t join vehicle v on v.id = t.vehicle_id`,
    alias: 't',
    at: 'started_at',
    fields: tripRow.list,
  },
  // What happens once stands in the unit itself.
  unit: {
    table: sql`(
      select id, vehicle_id, agent_id, area_id, at, kind, part, before, after, note, failures, person_name from unit_event
      union all
      select once.id, p.vehicle_id, p.agent_id, p.area_id, once.at, once.kind, null, null, null, '', null, null
      from production_unit p cross join lateral (
        values (-1::bigint, p.made_at, 'made'), (-2, p.activated_at, 'activated'), (-3, p.retired_at, 'retired')
      ) once (id, at, kind) where once.at is not null) u`,
    alias: 'u',
    at: 'at',
    fields: sql`u.kind, u.part, u.before, u.after, u.note, u.failures, u.person_name`,
  },
}

/**
 * The newest entries of all kinds before a place in the order. Each kind gives its newest by its own index, no more than
 * the page holds; only these are put in order together.
 */
export function selectLife(wanted: Wanted) {
  const parts = wanted.kinds.map((kind) => partOf(kind, wanted))
  return lifeRow.select`
    from (${sql.join(parts, sql` union all `)}) life
    order by micros desc, kind desc, id desc limit ${wanted.limit}`
}

function partOf(kind: LifeKind, { vehicleId, from, to, after, limit, scope }: Wanted): RawBuilder<unknown> {
  const { table, alias, at: column, fields } = sources[kind]
  const at = sql.ref(`${alias}.${column}`)
  const id = sql.ref(`${alias}.id`)
  const conditions = [sql`${sql.ref(`${alias}.vehicle_id`)} = ${vehicleId}`, tenantFilter(alias, scope)]
  if (from !== undefined) conditions.push(sql`${at} >= ${new Date(from)}`)
  if (to !== undefined) conditions.push(sql`${at} < ${new Date(to)}`)
  if (after !== null) conditions.push(beyond({ kind, at, id, after }))
  return sql`(
    select ${kind}::text as kind, ${id} as id, (extract(epoch from ${at}) * 1000000)::bigint as micros,
      (select to_jsonb(f) from (select ${fields}) f) as body
    from ${table} where ${sql.join(conditions, sql` and `)}
    order by ${at} desc, ${id} desc limit ${limit})`
}

/** Of one instant, kinds follow each other backwards by name. */
function beyond(options: { kind: LifeKind; at: RawBuilder<unknown>; id: RawBuilder<unknown>; after: LifeCursor }) {
  const { kind, at, id, after } = options
  const [micros, lastKind, lastId] = after
  const instant = sql`(timestamptz 'epoch' + ${micros}::bigint * interval '1 microsecond')`
  if (kind === lastKind) return sql<boolean>`(${at}, ${id}) < (${instant}, ${lastId}::bigint)`
  return kind < lastKind ? sql<boolean>`${at} <= ${instant}` : sql<boolean>`${at} < ${instant}`
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '')
const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null)
const msOrNull = (value: unknown): number | null => (typeof value === 'string' ? Date.parse(value) : null)

function oneOf<T extends string>(values: readonly T[], value: unknown): T {
  const found = values.find((one) => one === value)
  if (found === undefined) throw new RangeError(`unknown value ${String(value)}`)
  return found
}

export function entryOf({ kind, id, micros, body }: LifeRow, nowMs: number): LifeEntry {
  const at = Math.floor(Number(micros) / 1000)
  if (kind === 'event') {
    const [from, to] = [vehicleStateSchema.parse(body['from_state']), vehicleStateSchema.parse(body['to_state'])]
    return { kind, at, event: text(body['event']), from, to, cause: text(body['cause']) }
  }
  if (kind === 'command') return { kind, at, command: commandOf(withDates(body, commandDates) as CommandRow) }
  if (kind === 'trip') return { kind, at, trip: tripOf(withDates(body, ['started_at', 'ended_at']) as TripRow, nowMs) }
  if (kind === 'alarm') {
    return {
      kind,
      at,
      alarm: text(body['kind']),
      times: Number(body['times']),
      closedAt: msOrNull(body['closed_at']),
      fixedBy: textOrNull(body['fixed_by']),
      note: text(body['note']),
    }
  }
  if (kind === 'unit') {
    return {
      kind,
      at,
      event: oneOf(unitEvents, body['kind']),
      part: textOrNull(body['part']),
      before: textOrNull(body['before']),
      after: textOrNull(body['after']),
      note: text(body['note']),
      failures: z.array(factoryFailedStepSchema).parse(body['failures'] ?? []),
      personName: textOrNull(body['person_name']),
    }
  }
  return {
    kind,
    at,
    taskId: id,
    task: oneOf(taskKinds, body['kind']),
    state: oneOf(taskStates, body['state']),
    source: oneOf(taskSources, body['source']),
    doneAt: msOrNull(body['done_at']),
    personName: textOrNull(body['person_name']),
    note: text(body['note']),
  }
}

const commandDates = ['queued_at', 'sent_at', 'acknowledged_at', 'finished_at'] as const

/** JSON has no dates: the columns that are some are read back. */
function withDates(body: Record<string, unknown>, columns: readonly string[]): Record<string, unknown> {
  const read = { ...body }
  for (const column of columns) read[column] = typeof body[column] === 'string' ? new Date(body[column]) : null
  return read
}
