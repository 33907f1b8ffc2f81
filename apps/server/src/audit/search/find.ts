import { phonePattern } from '@saddle/contract/constants.ts'
import type { AuditFilter, AuditRecord, AuditNames } from '@saddle/contract/audit/records.ts'
import { logCategoryActions, logCategorySubjects, type LogCategory } from '@saddle/contract/audit/words.ts'
import type { SessionCall } from '#kit/call.ts'
import type { Kit } from '#kit/kit.ts'
import {
  selectNames,
  selectPeople,
  selectPeopleNames,
  selectPersonByPhone,
  selectSubjects,
  subjectsMax,
} from './names.ts'
import { referencesOf, type AuditCursor } from './rules.ts'
import { selectRecords, type Search, type SearchRow, type Subject } from './store.ts'

export interface FindDeps {
  readonly db: Kit['db']
  /** The hash that the operator table stores for a phone number. */
  readonly phoneHash: (phone: string) => string
}

export interface LogQuery {
  readonly category: LogCategory
  readonly filter: AuditFilter
  readonly after: AuditCursor | null
  readonly limit: number
}

export interface Found {
  readonly list: AuditRecord[]
  readonly names: AuditNames
  readonly isSubjectCut: boolean
  /** Null: this is the last page. */
  readonly next: Omit<AuditCursor, 'rows'> | null
}

const peopleMax = 1_000
const nothing: Found = { list: [], names: {}, isSubjectCut: false, next: null }

/** One page of one log, newest first, with names instead of ids. */
export async function findRecords(deps: FindDeps, call: SessionCall, query: LogQuery): Promise<Found> {
  const { filter, after, limit } = query
  const agentIds = call.scope.agentIds.filter((id) => filter.agentId === undefined || id === filter.agentId)
  const scope = { agentIds, areaIds: call.scope.areaIds }
  const kinds = kindsOf(query)
  const [operatorIds, subjects] = await Promise.all([
    people(deps, filter),
    subjectsOf(deps, call, { filter, scope, kinds }),
  ])
  const isEmptyResult = [agentIds, kinds, operatorIds, subjects].some((values) => values?.length === 0)
  if (isEmptyResult) return nothing
  const { from, to, actions } = filter
  // One row more than the page holds tells whether there is a next page.
  const search: Search = {
    scope,
    from,
    to,
    operatorIds,
    actions,
    subjects,
    after,
    // A record of another kind may mention the subject.
    kinds: subjects === undefined ? kinds : (logCategorySubjects[query.category] ?? undefined),
    alsoActions: filter.subjectKind === undefined ? logCategoryActions[query.category] : [],
    withRiders: query.category === 'vehicle' && [undefined, 'vehicle'].includes(filter.subjectKind),
    limit: limit + 1,
  }
  const rows = await deps.db.read(call.scope, (kysely) => selectRecords(search).compile(kysely))
  const shown = rows.slice(0, limit)
  const last = rows.length > limit ? shown.at(-1) : undefined
  const names = await namesOf(deps, call, shown)
  return {
    list: shown.map((row) => lineOf(row, names)),
    names,
    isSubjectCut: filter.subject !== undefined && (subjects?.length ?? 0) >= subjectsMax,
    next: last === undefined ? null : { atMicros: last.at_micros, id: last.id },
  }
}

function kindsOf({ category, filter }: LogQuery): readonly string[] | undefined {
  const ofCategory = logCategorySubjects[category]
  if (filter.subjectKind === undefined) return ofCategory ?? undefined
  return ofCategory === null || ofCategory.some((kind) => kind === filter.subjectKind) ? [filter.subjectKind] : []
}

async function people({ db, phoneHash }: FindDeps, filter: AuditFilter): Promise<number[] | undefined> {
  const { operatorId, operator } = filter
  if (operatorId !== undefined) return [operatorId]
  if (operator === undefined || operator === '') return undefined
  const rows = await db.systemRead((kysely) =>
    phonePattern.test(operator)
      ? selectPersonByPhone(kysely, phoneHash(operator))
      : selectPeople(kysely, { text: operator, limit: peopleMax }),
  )
  return rows.map((row) => row.id)
}

async function subjectsOf(
  { db }: FindDeps,
  call: SessionCall,
  options: { filter: AuditFilter; scope: Search['scope']; kinds: readonly string[] | undefined },
): Promise<Subject[] | undefined> {
  const { filter, scope, kinds } = options
  const { subject, subjectId, subjectKind } = filter
  if (subjectId !== undefined && subjectKind !== undefined) return [{ kind: subjectKind, id: subjectId }]
  if (subject === undefined || subject === '') return undefined
  return await db.read(call.scope, (kysely) => selectSubjects(kysely, { text: subject, kinds, scope }))
}

async function namesOf({ db }: FindDeps, call: SessionCall, rows: readonly SearchRow[]): Promise<AuditNames> {
  const named = rows.flatMap((row) => [{ kind: row.subject_kind, id: row.subject_id }, ...referencesOf(row)])
  const subjects = [...new Map(named.map((thing) => [`${thing.kind}:${thing.id}`, thing])).values()]
  const actors = [...new Set(rows.flatMap((row) => (row.operator_id === null ? [] : [row.operator_id])))]
  const [found, acting] = await Promise.all([
    db.read(call.scope, (kysely) => selectNames(kysely, { subjects, scope: call.scope })),
    actors.length === 0 ? [] : db.systemRead((kysely) => selectPeopleNames(kysely, actors)),
  ])
  return Object.fromEntries([
    ...acting.map((row) => [`operator:${row.id}`, row.name] as const),
    ...found.map((row) => [`${row.kind}:${row.id}`, row.name] as const),
  ])
}

function lineOf(row: SearchRow, names: AuditNames): AuditRecord {
  return {
    id: row.id,
    agentId: row.agent_id,
    company: row.company,
    areaId: row.area_id,
    at: Math.floor(row.at_micros / 1000),
    operatorId: row.operator_id,
    operatorName: row.operator_id === null ? row.actor : (names[`operator:${row.operator_id}`] ?? null),
    action: row.action,
    subjectKind: row.subject_kind,
    subjectId: row.subject_id,
    subjectName: names[`${row.subject_kind}:${row.subject_id}`] ?? null,
    before: row.before,
    after: row.after,
    address: row.address,
    requestId: row.request_id,
  }
}
