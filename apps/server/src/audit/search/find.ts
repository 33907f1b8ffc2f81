import {
  auditSubjectsMax,
  type AuditFilter,
  type AuditRecord,
  type AuditNames,
} from '@saddle/contract/audit/records.ts'
import { logCategoryActions, logCategorySubjects, type LogCategory } from '@saddle/contract/audit/subjects.ts'
import { phonePattern } from '@saddle/contract/constants.ts'
import type { SessionCall } from '#kit/call.ts'
import type { Kit } from '#kit/kit.ts'
import { selectNames, selectPeople, selectPeopleNames, selectPersonByPhone, selectSubjects } from './names.ts'
import { referencesOf } from './rules.ts'
import type { Search, SearchRow, Subject } from './store.ts'

export interface FindDeps {
  readonly db: Kit['db']
  /** The hash that the operator table stores for a phone number. */
  readonly phoneHash: (phone: string) => string
}

const peopleMax = 1_000

/** What a filter asks of one log, with ids instead of names; null: it can find nothing. */
export async function searchOf(
  deps: FindDeps,
  call: SessionCall,
  query: { readonly category: LogCategory; readonly filter: AuditFilter },
): Promise<Search | null> {
  const { category, filter } = query
  const agentIds = call.scope.agentIds.filter((id) => filter.agentId === undefined || id === filter.agentId)
  const scope = { agentIds, areaIds: call.scope.areaIds }
  const kinds = kindsOf(query)
  const [operatorIds, subjects] = await Promise.all([
    operatorIdsOf(deps, filter),
    subjectsOf(deps, call, { filter, scope, kinds }),
  ])
  if ([agentIds, kinds, operatorIds, subjects].some((values) => values?.length === 0)) return null
  const { from, to, actions } = filter
  return {
    scope,
    from,
    to,
    operatorIds,
    actions,
    subjects,
    // A record of another kind may mention the subject.
    kinds: subjects === undefined ? kinds : (logCategorySubjects[category] ?? undefined),
    alsoActions: filter.subjectKind === undefined ? logCategoryActions[category] : [],
    withRiders: category === 'vehicle' && [undefined, 'vehicle'].includes(filter.subjectKind),
  }
}

/** How many things a text stands for in a log. */
export async function countSubjects(
  deps: FindDeps,
  call: SessionCall,
  { category, subject }: { readonly category: LogCategory; readonly subject: string },
): Promise<{ count: number; isCut: boolean }> {
  const filter: AuditFilter = { subject }
  const found = await subjectsOf(deps, call, { filter, scope: call.scope, kinds: kindsOf({ category, filter }) })
  const count = found?.length ?? 0
  return { count, isCut: count >= auditSubjectsMax }
}

function kindsOf(query: {
  readonly category: LogCategory
  readonly filter: Pick<AuditFilter, 'subjectKind'>
}): readonly string[] | undefined {
  const { subjectKind } = query.filter
  const ofCategory = logCategorySubjects[query.category]
  if (subjectKind === undefined) return ofCategory ?? undefined
  return ofCategory === null || ofCategory.some((kind) => kind === subjectKind) ? [subjectKind] : []
}

async function operatorIdsOf({ db, phoneHash }: FindDeps, filter: AuditFilter): Promise<number[] | undefined> {
  const { operatorId, operator, phone } = filter
  if (operatorId !== undefined) return [operatorId]
  const number = phone ?? (operator !== undefined && phonePattern.test(operator) ? operator : undefined)
  if (number !== undefined) {
    const rows = await db.systemRead((kysely) => selectPersonByPhone(kysely, phoneHash(number)))
    return rows.map((row) => row.id)
  }
  if (operator === undefined || operator === '') return undefined
  const rows = await db.systemRead((kysely) => selectPeople(kysely, { text: operator, limit: peopleMax }))
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

/** Names of everything that these records name by id. */
export async function namesOf({ db }: FindDeps, call: SessionCall, rows: readonly SearchRow[]): Promise<AuditNames> {
  const named = rows.flatMap((row) => [{ kind: row.subject_kind, id: row.subject_id }, ...referencesOf(row)])
  const subjects = [...new Map(named.map((subject) => [`${subject.kind}:${subject.id}`, subject])).values()]
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

/** A record as the contract writes it, with the names of what it refers to. */
export function recordOf(row: SearchRow, names: AuditNames): AuditRecord {
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
    names: Object.fromEntries(
      referencesOf(row).flatMap(({ kind, id }) => {
        const key = `${kind}:${id}`
        return names[key] === undefined ? [] : [[key, names[key]]]
      }),
    ),
  }
}
