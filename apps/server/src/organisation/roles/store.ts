import { enabledStates, roleList, roleUsersMax, type EnabledState } from '@saddle/contract/organisation/roles.ts'
import type { Permission } from '@saddle/contract/permissions.ts'
import { sql } from 'kysely'
import type { Database, Tx } from '#kit/db/pool.ts'
import { computed, countRow, rowOf, rowOfValues, rowsOf, type RowOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import { tableList } from '#kit/list/tableList.ts'
import { likePattern } from '#organisation/agents/rules.ts'

export interface NewRole {
  readonly agentId: number
  readonly name: string
  readonly codes: readonly Permission[]
  readonly description?: string
  /** Who adds it, and when; absent: the platform itself. */
  readonly by?: { readonly name: string; readonly at: Date }
}

/** Adds a role with its codes and returns its id. A name that the agent already uses violates a unique key. */
export async function insertRole({ tx, role: added }: { tx: Tx; role: NewRole }): Promise<number> {
  const { id } = await tx
    .insertInto('role')
    .values({
      agent_id: added.agentId,
      name: added.name,
      description: added.description ?? '',
      ...(added.by === undefined
        ? {}
        : { created_at: added.by.at, updated_at: added.by.at, updated_by: added.by.name.slice(0, 40) }),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await insertCodes(tx, { id, agentId: added.agentId }, added.codes)
  return id
}

async function insertCodes(
  tx: Tx,
  owner: { readonly id: number; readonly agentId: number },
  codes: readonly string[],
): Promise<void> {
  const rows = codes.map((code) => ({ role_id: owner.id, agent_id: owner.agentId, code }))
  if (rows.length > 0) await tx.insertInto('role_permission').values(rows).execute()
}

const role = rowsOf(
  rowOf('role', 'r', ['id', 'agent_id', 'name', 'description', 'state', 'version', 'updated_at', 'updated_by']).codes({
    state: enabledStates,
  }),
  rowOf('agent', 'agent', ['company']),
  rowOfValues({
    codes: computed('text[]', sql`array(select p.code from role_permission p where p.role_id = r.id order by p.code)`),
    user_count: computed('bigint', sql`(select count(*) from operator o where o.role_id = r.id)`),
  }),
)

export const storedRole = (row: RowOf<typeof role>) => role.present(row)
export type StoredRole = ReturnType<typeof storedRole>

export const roleRows = tableList(roleList, {
  table: 'role',
  alias: 'r',
  tenant: 'agent',
  columns: role,
  joins: sql`join agent on agent.id = r.agent_id`,
  sorts: {
    company: [
      ['agent_id', 'whole'],
      ['name', 'text'],
    ],
    name: ['name', 'text'],
    updated: ['updated_at', 'instant'],
  },
  find: ({ keyword, states, agentId, code }, _: unknown, { scope }) => ({
    agentIds: agentId === undefined ? scope.agentIds : [agentId],
    where: [
      keyword !== undefined &&
        keyword !== '' &&
        sql`(r.name ilike ${likePattern(keyword)} or r.description ilike ${likePattern(keyword)})`,
      states && sql`r.state = any (${states}::text[])`,
      code !== undefined && sql`exists (select from role_permission p where p.role_id = r.id and p.code = ${code})`,
    ],
  }),
})

/** One role of the scope; null when it lies outside. */
export async function findRole(db: Database, scope: Scope, id: number): Promise<StoredRole | null> {
  const [row] = await db.read(scope, (k) => oneRole(scope, id).compile(k))
  return row === undefined ? null : storedRole(row)
}

const oneRole = (scope: Scope, id: number) => role.select`
  from role r join agent on agent.id = r.agent_id
  where r.id = ${id} and r.agent_id = any (${scope.agentIds}::bigint[])`

/** Like `findRole`, held until the commit, so that nobody is given a role that is about to go. */
export async function lockRole(tx: Tx, scope: Scope, id: number): Promise<StoredRole | null> {
  await sql`select from role where id = ${id} and agent_id = any (${scope.agentIds}::bigint[]) for update`.execute(tx)
  const { rows } = await oneRole(scope, id).execute(tx)
  return rows[0] === undefined ? null : storedRole(rows[0])
}

const roleUser = rowOf('operator', 'o', ['id as operator_id', 'name', 'phone_sealed', 'state'])
  .filled('phone_sealed')
  .codes({ state: enabledStates })
type RoleUser = RowOf<typeof roleUser>

/** The first of those who have the role, by name. */
export async function findRoleUsers(db: Database, scope: Scope, of: StoredRole) {
  const rows = await db.read(scope, (k) => roleUsers(of).compile(k))
  return rows.map((row) => roleUser.present(row))
}

/** A role's people are of its own company; the role was found within the scope. */
const roleUsers = ({ id, agentId }: StoredRole) => roleUser.select`
  from operator o
  where o.role_id = ${id} and o.agent_id = ${agentId} and o.state <> 'removed'
  order by o.name, o.id limit ${roleUsersMax}`

export async function lockedRoleUsers(tx: Tx, of: StoredRole): Promise<RoleUser[]> {
  const { rows } = await roleUsers(of).execute(tx)
  return rows
}

const givenRole = rowsOf(
  rowOf('role', 'r', ['id', 'name', 'agent_id']),
  rowOfValues({
    codes: computed('text[]', sql`array(select p.code from role_permission p where p.role_id = r.id order by p.code)`),
  }),
)

/** The enabled roles of one company of the scope, with their codes. */
export async function findEnabledRoles(db: Database, scope: Scope, agentId: number) {
  const rows = await db.read(scope, (k) =>
    givenRole.select`
      from role r where r.agent_id = ${agentId} and r.state = 'enabled'
      order by r.name, r.id`.compile(k),
  )
  return rows.map((row) => givenRole.present(row))
}

export interface RoleChange {
  readonly name: string
  readonly description: string
  readonly codes: readonly string[]
  readonly state: EnabledState
  readonly by: string
  readonly at: Date
}

/** Writes a role that `lockRole` has locked; a name that the agent already uses violates a unique key. */
export async function updateRole(tx: Tx, before: StoredRole, change: RoleChange): Promise<void> {
  const { name, description, codes, state, by, at } = change
  await tx
    .updateTable('role')
    .set({ name, description, state, version: before.version + 1, updated_at: at, updated_by: by.slice(0, 40) })
    .where('id', '=', before.id)
    .where('agent_id', '=', before.agentId)
    .execute()
  const wanted = new Set(codes)
  const held = new Set(before.codes)
  const gone = before.codes.filter((code) => !wanted.has(code))
  if (gone.length > 0) {
    await tx
      .deleteFrom('role_permission')
      .where('role_id', '=', before.id)
      .where('agent_id', '=', before.agentId)
      .where((eb) => eb('code', '=', eb.fn.any(eb.val(gone))))
      .execute()
  }
  await insertCodes(
    tx,
    before,
    codes.filter((code) => !held.has(code)),
  )
}

export async function deleteRole(tx: Tx, before: StoredRole): Promise<void> {
  await tx.deleteFrom('role').where('id', '=', before.id).where('agent_id', '=', before.agentId).execute()
}

/** Roles of a company, counted while no other can be added: additions to one company take turns. */
export async function countRolesAlone(tx: Tx, agentId: number): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtextextended('roles', ${agentId}))`.execute(tx)
  const { rows } = await countRow.select`from role where agent_id = ${agentId}`.execute(tx)
  return rows[0]?.count ?? 0
}
