import { sql, type Kysely, type RawBuilder } from 'kysely'
import { auditSubjectsMax } from '@saddle/contract/audit/records.ts'
import { computed, rowOf, rowOfValues } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import { startsWith } from '#kit/db/startsWith.ts'
import type { DB } from '#kit/db/types.ts'
import type { Subject } from './store.ts'

type ScopeIds = Pick<Scope, 'agentIds' | 'areaIds'>

/** Where names of a kind of subject are stored. Code constants: they are written into statements. */
interface NameSource {
  readonly table: string
  readonly name: string
  /** Rows belong to a service area and are limited by it. */
  readonly hasArea: boolean
  /** The keyword matches the start of the name, in capitals, by an index; otherwise any part of it. */
  readonly byStart: boolean
}

const nameSources: Readonly<Record<string, NameSource>> = {
  vehicle: { table: 'vehicle', name: 'number', hasArea: true, byStart: true },
  // By the id of its vehicle.
  device: { table: 'vehicle', name: 'number', hasArea: true, byStart: true },
  agent: { table: 'agent', name: 'company', hasArea: false, byStart: false },
  area: { table: 'service_area', name: 'name', hasArea: true, byStart: false },
  operator: { table: 'operator', name: 'name', hasArea: false, byStart: false },
  role: { table: 'role', name: 'name', hasArea: false, byStart: false },
  screening: { table: 'screening', name: 'name', hasArea: false, byStart: false },
}

const inside = ({ hasArea }: NameSource, scope: ScopeIds): RawBuilder<unknown> => sql`
  thing.agent_id = any (${scope.agentIds}::bigint[])
  ${hasArea ? sql`and thing.area_id = any (${scope.areaIds}::bigint[])` : sql``}`

const foundColumns = { kind: computed('text', sql`found.kind`), id: computed('text', sql`found.id`) }
const subjectRow = rowOfValues(foundColumns)
const nameRow = rowOfValues({ ...foundColumns, name: computed('text', sql`found.name`) })

/** Names of the subjects within the scope, in one statement. */
export function selectNames(kysely: Kysely<DB>, options: { subjects: readonly Subject[]; scope: ScopeIds }) {
  const { subjects, scope } = options
  const parts = Object.entries(nameSources).flatMap(([kind, source]) => {
    const ids = subjects
      .filter((thing) => thing.kind === kind && /^\d{1,15}$/.test(thing.id))
      .map(({ id }) => Number(id))
    if (ids.length === 0) return []
    return [
      sql`select ${kind}::text as kind, thing.id::text as id, thing.${sql.ref(source.name)} as name
        from ${sql.table(source.table)} thing where thing.id = any (${ids}::bigint[]) and ${inside(source, scope)}`,
    ]
  })
  parts.push(sql`select null as kind, null as id, null as name where false`)
  return nameRow.select`from (${sql.join(parts, sql` union all `)}) found`.compile(kysely)
}

/** Subjects within the scope that match the keyword: vehicles by the start of number or IMEI, others by any part. */
export function selectSubjects(
  kysely: Kysely<DB>,
  options: { text: string; kinds: readonly string[] | undefined; scope: ScopeIds },
) {
  const { text, kinds, scope } = options
  const parts = Object.entries(nameSources).flatMap(([kind, source]) => {
    if (kinds !== undefined && !kinds.includes(kind)) return []
    const name = sql`thing.${sql.ref(source.name)}`
    const fits = source.byStart
      ? startsWith(name, text.toUpperCase())
      : sql`position(lower(${text}) in lower(${name})) > 0`
    return [
      sql`(select ${kind}::text as kind, thing.id::text as id from ${sql.table(source.table)} thing
        where ${inside(source, scope)} and ${fits} order by thing.id limit ${auditSubjectsMax})`,
    ]
  })
  for (const kind of ['vehicle', 'device']) {
    if (kinds !== undefined && !kinds.includes(kind)) continue
    parts.push(sql`(select ${kind}::text as kind, thing.vehicle_id::text as id from device thing
      where thing.agent_id = any (${scope.agentIds}::bigint[]) and thing.area_id = any (${scope.areaIds}::bigint[])
        and ${startsWith(sql`thing.imei`, text)} order by thing.id limit ${auditSubjectsMax})`)
  }
  if ((kinds === undefined || kinds.includes('unknown_device')) && /^\d{12,20}$/.test(text)) {
    parts.push(sql`select 'unknown_device'::text as kind, ${text}::text as id`)
  }
  parts.push(sql`select null as kind, null as id where false`)
  return subjectRow.select`
    from (select distinct kind, id from (${sql.join(parts, sql` union all `)}) part limit ${auditSubjectsMax}) found`.compile(
    kysely,
  )
}

const operatorId = rowOf('operator', ['id'])

/** Operators by any part of their name, in all companies: those of a parent company act on subjects of the scope too. */
export function selectPeople(kysely: Kysely<DB>, options: { text: string; limit: number }) {
  return operatorId.select`
    from operator
    where position(lower(${options.text}) in lower(name)) > 0 order by id limit ${options.limit}`.compile(kysely)
}

export function selectPersonByPhone(kysely: Kysely<DB>, phoneHash: string) {
  return operatorId.select`from operator where phone_hash = ${phoneHash}`.compile(kysely)
}

const operatorName = rowOf('operator', ['id', 'name'])

/** Names of operators in all companies: a record names who acted on subjects of the scope. */
export function selectPeopleNames(kysely: Kysely<DB>, ids: readonly number[]) {
  return operatorName.select`from operator where id = any (${ids}::bigint[])`.compile(kysely)
}
