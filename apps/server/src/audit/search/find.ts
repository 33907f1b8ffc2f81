import { phonePattern } from '@saddle/contract/constants.ts'
import type { AuditFilter, AuditLine, AuditNames } from '@saddle/contract/audit/lines.ts'
import { auditBookActions, auditBookSubjects, type AuditBook } from '@saddle/contract/audit/words.ts'
import type { SessionCall } from '#kit/call.ts'
import type { Kit } from '#kit/kit.ts'
import { selectNames, selectPeople, selectPeopleNames, selectPersonByPhone, selectThings, thingsMax } from './names.ts'
import { referencesOf, type AuditPlace } from './rules.ts'
import { selectLines, type Search, type SearchRow, type Thing } from './store.ts'

export interface FindParts {
  readonly db: Kit['db']
  /** What stands in the place of a phone number in the table of people. */
  readonly phoneHash: (phone: string) => string
}

export interface Question {
  readonly book: AuditBook
  readonly filter: AuditFilter
  readonly after: AuditPlace | null
  readonly limit: number
}

export interface Found {
  readonly list: AuditLine[]
  readonly names: AuditNames
  readonly isSubjectCut: boolean
  /** Null: nothing comes after these. */
  readonly next: Omit<AuditPlace, 'rows'> | null
}

const peopleMax = 1_000
const nothing: Found = { list: [], names: {}, isSubjectCut: false, next: null }

/** One page of one log, newest first, with names in the place of ids. */
export async function findLines(parts: FindParts, call: SessionCall, question: Question): Promise<Found> {
  const { filter, after, limit } = question
  const agentIds = call.scope.agentIds.filter((id) => filter.agentId === undefined || id === filter.agentId)
  const scope = { agentIds, areaIds: call.scope.areaIds }
  const kinds = kindsOf(question)
  const [operatorIds, things] = await Promise.all([
    people(parts, filter),
    thingsOf(parts, call, { filter, scope, kinds }),
  ])
  const isHopeless = [agentIds, kinds, operatorIds, things].some((values) => values?.length === 0)
  if (isHopeless) return nothing
  const { from, to, actions } = filter
  // One more than is shown: whether there is a next page.
  const search: Search = {
    scope,
    from,
    to,
    operatorIds,
    actions,
    things,
    after,
    // A line of another kind may mention the thing.
    kinds: things === undefined ? kinds : (auditBookSubjects[question.book] ?? undefined),
    alsoActions: filter.subjectKind === undefined ? auditBookActions[question.book] : [],
    withRiders: question.book === 'vehicle' && [undefined, 'vehicle'].includes(filter.subjectKind),
    limit: limit + 1,
  }
  const rows = await parts.db.read(call.scope, (kysely) => selectLines(search).compile(kysely))
  const shown = rows.slice(0, limit)
  const last = rows.length > limit ? shown.at(-1) : undefined
  const names = await namesOf(parts, call, shown)
  return {
    list: shown.map((row) => lineOf(row, names)),
    names,
    isSubjectCut: filter.subject !== undefined && (things?.length ?? 0) >= thingsMax,
    next: last === undefined ? null : { atMicros: last.at_micros, id: last.id },
  }
}

function kindsOf({ book, filter }: Question): readonly string[] | undefined {
  const ofBook = auditBookSubjects[book]
  if (filter.subjectKind === undefined) return ofBook ?? undefined
  return ofBook === null || ofBook.some((kind) => kind === filter.subjectKind) ? [filter.subjectKind] : []
}

async function people({ db, phoneHash }: FindParts, filter: AuditFilter): Promise<number[] | undefined> {
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

async function thingsOf(
  { db }: FindParts,
  call: SessionCall,
  options: { filter: AuditFilter; scope: Search['scope']; kinds: readonly string[] | undefined },
): Promise<Thing[] | undefined> {
  const { filter, scope, kinds } = options
  const { subject, subjectId, subjectKind } = filter
  if (subjectId !== undefined && subjectKind !== undefined) return [{ kind: subjectKind, id: subjectId }]
  if (subject === undefined || subject === '') return undefined
  return await db.read(call.scope, (kysely) => selectThings(kysely, { text: subject, kinds, scope }))
}

async function namesOf({ db }: FindParts, call: SessionCall, rows: readonly SearchRow[]): Promise<AuditNames> {
  const named = rows.flatMap((row) => [{ kind: row.subject_kind, id: row.subject_id }, ...referencesOf(row)])
  const things = [...new Map(named.map((thing) => [`${thing.kind}:${thing.id}`, thing])).values()]
  const actors = [...new Set(rows.flatMap((row) => (row.operator_id === null ? [] : [row.operator_id])))]
  const [found, acting] = await Promise.all([
    db.read(call.scope, (kysely) => selectNames(kysely, { things, scope: call.scope })),
    actors.length === 0 ? [] : db.systemRead((kysely) => selectPeopleNames(kysely, actors)),
  ])
  return Object.fromEntries([
    ...acting.map((row) => [`operator:${row.id}`, row.name] as const),
    ...found.map((row) => [`${row.kind}:${row.id}`, row.name] as const),
  ])
}

function lineOf(row: SearchRow, names: AuditNames): AuditLine {
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
