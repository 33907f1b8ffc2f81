import { sql } from 'kysely'
import { minuteMs } from '@saddle/contract/time.ts'
import type { Database, Tx } from '#kit/db/pool.ts'
import { computed, rowOf, rowOfValues, rowsOf } from '#kit/db/rows.ts'

/** What changed permissions or scope: an operator, a role, a franchisee or a service area. */
export type AccessChange =
  | { readonly operatorIds: readonly number[] }
  | { readonly roleId: number }
  | { readonly agentId: number }
  | { readonly areaId: number }

const changeKinds = ['operator', 'role', 'agent', 'area', 'session'] as const
export interface ChangedSubject {
  readonly kind: (typeof changeKinds)[number]
  readonly subjectId: number
}

/** Beyond this many operators all are checked again: one message instead of one for each. */
export const operatorsPerChangeMax = 200

/** Another server may end a session before this one has read the change. */
const endedLatelyMs = 10 * minuteMs

/** Records a change in the transaction that makes it; servers read it after the commit. */
export async function recordChanges(tx: Tx, rows: readonly ChangedSubject[]): Promise<void> {
  if (rows.length === 0) return
  const kinds = rows.map((row) => row.kind)
  const ids = rows.map((row) => row.subjectId)
  await sql`insert into access_change (kind, subject_id)
    select * from unnest(${kinds}::text[], ${ids}::bigint[])`.execute(tx)
}

export function changeRowsOf(change: AccessChange): ChangedSubject[] {
  if ('operatorIds' in change) return change.operatorIds.map((subjectId) => ({ kind: 'operator', subjectId }))
  if ('roleId' in change) return [{ kind: 'role', subjectId: change.roleId }]
  if ('agentId' in change) return [{ kind: 'agent', subjectId: change.agentId }]
  return [{ kind: 'area', subjectId: change.areaId }]
}

const accessChangeRow = rowsOf(
  rowOf('access_change', 'access_change', ['id', 'kind', 'subject_id as subjectId'])
    .codes({ kind: changeKinds })
    .optional(),
  rowOfValues({ next: computed('text', sql`horizon.next`) }),
)

/** Changes that were committed since the transaction number `since`, and the number to go on from. */
export async function readChanges(
  db: Database,
  since: string,
): Promise<{ changes: (ChangedSubject & { id: number })[]; next: string }> {
  const rows = await db.systemRead((kysely) =>
    accessChangeRow.select`
      from (select pg_snapshot_xmin(pg_current_snapshot()) as next) as horizon
      left join access_change on access_change.xid >= ${since}::text::xid8`.compile(kysely),
  )
  const changes = rows.flatMap(({ id, kind, subjectId }) =>
    id === null || kind === null || subjectId === null ? [] : [{ id, kind, subjectId }],
  )
  return { changes, next: rows[0]?.next ?? since }
}

/** An operator or a session that has ended. */
const affectedRow = rowOfValues({
  operatorId: computed('bigint?', sql`found.operator_id`),
  handle: computed('text?', sql`found.handle`),
})

export interface Affected {
  /** Operators with a session; null: too many to list. */
  readonly operatorIds: readonly number[] | null
  /** Sessions that have ended. */
  readonly handles: readonly string[]
}

/**
 * Finds the operators that changes affect, and ends the sessions of disabled ones. A franchisee affects its operators,
 * those of parent companies (they see it) and of sub-franchisees; an area those of its franchisee and its parents.
 */
export async function resolveChanges(options: {
  db: Database
  changes: readonly ChangedSubject[]
  at: Date
}): Promise<Affected> {
  const { db, changes, at } = options
  const idsOf = (kind: ChangedSubject['kind']): number[] =>
    changes.filter((row) => row.kind === kind).map((row) => row.subjectId)
  const rows = await db.systemRead((kysely) =>
    affectedRow
      .query(
        (columns) => sql`
      with recursive above (id) as (
        select unnest(${idsOf('agent')}::bigint[])
        union select agent_id from service_area where id = any (${idsOf('area')}::bigint[])
        union select agent.parent_id from agent join above on agent.id = above.id where agent.parent_id is not null
      ), below (id) as (
        select unnest(${idsOf('agent')}::bigint[])
        union select agent.id from agent join below on agent.parent_id = below.id
      ), named (id) as (
        select unnest(${idsOf('operator')}::bigint[])
        union select id from operator where role_id = any (${idsOf('role')}::bigint[])
        union select id from operator where agent_id in (select id from above union select id from below)
      ), people as (
        select operator.id, operator.state = 'enabled' and agent.state = 'enabled' as is_enabled
        from named join operator on operator.id = named.id join agent on agent.id = operator.agent_id
        where exists (
          select from session where session.operator_id = operator.id and (
            session.revoked_at is null or session.revoked_at > ${new Date(at.getTime() - endedLatelyMs)}
          )
        )
      ), ended as (
        update session set revoked_at = ${at}, keys_sealed = null from people
        where session.operator_id = people.id and session.revoked_at is null and not people.is_enabled
        returning session.handle
      )
      select ${columns} from (
        (select id as operator_id, null as handle from people limit ${operatorsPerChangeMax + 1})
        union all select null, handle from ended
        union all select null, handle from session where id = any (${idsOf('session')}::bigint[])
      ) found`,
      )
      .compile(kysely),
  )
  // A deleted operator is no longer found but may still be in the cache.
  const people = new Set(idsOf('operator'))
  for (const { operatorId } of rows) if (operatorId !== null) people.add(operatorId)
  return {
    operatorIds: people.size > operatorsPerChangeMax ? null : [...people],
    handles: rows.flatMap(({ handle }) => (handle === null ? [] : [handle])),
  }
}
