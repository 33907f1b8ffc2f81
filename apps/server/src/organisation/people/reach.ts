import { AppError } from '@saddle/contract/errors.ts'
import { operatorLevels, type OperatorLevel } from '@saddle/contract/constants.ts'
import { sql } from 'kysely'
import type { SessionCall } from '#kit/call.ts'
import type { Database, Tx } from '#kit/db/pool.ts'
import { computed, rowOf, rowOfValues, rowsOf, type RowOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import { codeOf } from '#kit/codes.ts'

/** Roles and people of the caller's own company, of the franchisees below it, or of both. */
export type Side = 'own' | 'below' | 'both'

/** The selected companies of that side. */
export function reachOf(call: SessionCall, side: Side): readonly number[] {
  const { scope, caller } = call
  if (side === 'both') return scope.agentIds
  return scope.agentIds.filter((id) => (id === caller.agentId) === (side === 'own'))
}

/** The selected companies of the side as a scope, for what has nothing to do with areas: roles, franchisers. */
export function scopeOf(call: SessionCall, side: Side): Scope {
  return { agentIds: reachOf(call, side), areaIds: [], operatorId: call.caller.operatorId }
}

/** Whose people a call is about, and what of those people it may see. */
export interface PeopleReach {
  /** The selected companies of the side: the people of these and of no others. */
  readonly agentIds: readonly number[]
  /**
   * Everything granted: which areas somebody reaches, also those of companies below, is a fact about that person and
   * does not depend on what the header shows.
   */
  readonly scope: Scope
}

export function peopleOf(call: SessionCall, side: Side): PeopleReach {
  return { agentIds: reachOf(call, side), scope: call.grant }
}

/** The one company that a new thing of the side belongs to. Throws foreign_scope. */
export function companyOf(call: SessionCall, side: 'own' | 'below', agentId: number): number {
  if (!reachOf(call, side).includes(agentId)) throw new AppError('foreign_scope')
  return agentId
}

/** The caller as they stand in the database now: a session remembers for a moment. */
export interface Actor {
  readonly operatorId: number
  readonly agentId: number
  readonly level: OperatorLevel
  readonly allAreas: boolean
  readonly roleId: number | null
  readonly held: ReadonlySet<string>
}

const actorRow = rowsOf(
  rowOf('operator', 'o', ['level', 'all_areas', 'role_id']),
  rowOfValues({
    codes: computed(
      'text[]',
      sql`array(
        select p.code from role r join role_permission p on p.role_id = r.id
        where r.id = o.role_id and r.state = 'enabled'
      )`,
    ),
  }),
)

/** Throws unauthorized when the caller is there no more. */
export async function readActor(db: Database, { caller }: Pick<SessionCall, 'caller'>): Promise<Actor> {
  const own = { agentIds: [caller.agentId], areaIds: [], operatorId: caller.operatorId }
  const [row] = await db.read(own, (k) =>
    actorRow.select`
      from operator o
      where o.id = ${caller.operatorId} and o.agent_id = ${caller.agentId} and o.state = 'enabled'`.compile(k),
  )
  if (row === undefined) throw new AppError('unauthorized')
  const { operatorId, agentId } = caller
  const level = codeOf(Object.values(operatorLevels), row.level)
  return { operatorId, agentId, level, allAreas: row.all_areas, roleId: row.role_id, held: new Set(row.codes) }
}

/** Enabled administrators of a company; of these, those whose role is enabled too. */
const administrators = rowOfValues({
  enabled: computed('bigint', sql`count(*)`),
  acting: computed('bigint', sql`count(r.id)`),
})

/**
 * Runs a change that may take an administrator from a company, and refuses it when none would be left. Changes of one
 * company take turns until their commit, so that two administrators cannot remove each other at the same moment.
 */
export async function keepingAdministrator<T>(options: {
  tx: Tx
  agentId: number
  work: () => Promise<T>
}): Promise<T> {
  const { tx, agentId, work } = options
  await sql`select pg_advisory_xact_lock(hashtextextended('administrators', ${agentId}))`.execute(tx)
  const before = await countAdministrators(tx, agentId)
  const done = await work()
  const after = await countAdministrators(tx, agentId)
  const isLost = (before.enabled > 0 && after.enabled === 0) || (before.acting > 0 && after.acting === 0)
  if (isLost) throw new AppError('last_administrator')
  return done
}

async function countAdministrators(tx: Tx, agentId: number): Promise<RowOf<typeof administrators>> {
  const { rows } = await administrators.select`
    from operator o left join role r on r.id = o.role_id and r.state = 'enabled'
    where o.agent_id = ${agentId} and o.level = 1 and o.state = 'enabled'`.execute(tx)
  return rows[0] ?? { enabled: 0, acting: 0 }
}
