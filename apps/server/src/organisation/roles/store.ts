import type { EnabledState } from '@saddle/contract/organisation/roles.ts'
import type { Permission } from '@saddle/contract/permissions.ts'
import { sql, type RawBuilder } from 'kysely'
import { roleUsersMax } from '@saddle/contract/organisation/roles.ts'
import type { Database, Tx } from '#kit/db/pool.ts'
import type { Scope } from '#kit/db/scope.ts'
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
export async function insertRole(options: { tx: Tx; role: NewRole }): Promise<number> {
  const { tx, role } = options
  const { id } = await tx
    .insertInto('role')
    .values({
      agent_id: role.agentId,
      name: role.name,
      description: role.description ?? '',
      ...(role.by === undefined
        ? {}
        : { created_at: role.by.at, updated_at: role.by.at, updated_by: role.by.name.slice(0, 40) }),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await insertCodes(tx, { id, agentId: role.agentId }, role.codes)
  return id
}

async function insertCodes(
  tx: Tx,
  role: { readonly id: number; readonly agentId: number },
  codes: readonly string[],
): Promise<void> {
  const rows = codes.map((code) => ({ role_id: role.id, agent_id: role.agentId, code }))
  if (rows.length > 0) await tx.insertInto('role_permission').values(rows).execute()
}

export interface StoredRole {
  readonly id: number
  readonly agentId: number
  readonly company: string
  readonly name: string
  readonly description: string
  readonly state: EnabledState
  readonly version: number
  readonly updatedAt: Date
  readonly updatedBy: string | null
  readonly codes: string[]
  readonly userCount: number
}

export interface RoleFilter {
  readonly keyword?: string | undefined
  readonly state?: EnabledState | undefined
  readonly agentId?: number | undefined
  readonly code?: string | undefined
  readonly page: number
  readonly pageSize: number
}

const columns = sql`
  r.id, r.agent_id as "agentId", agent.company, r.name, r.description, r.state, r.version,
  r.updated_at as "updatedAt", r.updated_by as "updatedBy",
  array(select p.code from role_permission p where p.role_id = r.id order by p.code) as codes,
  (select count(*) from operator o where o.role_id = r.id) as "userCount"`

/** One page of the roles of the scope by company and name, and how many there are. */
export async function findRoles(options: {
  db: Database
  scope: Scope
  filter: RoleFilter
}): Promise<{ rows: StoredRole[]; count: number }> {
  const { db, scope, filter } = options
  const from = sql`from role r join agent on agent.id = r.agent_id where ${conditions(scope, filter)}`
  const [rows, [counted]] = await Promise.all([
    db.read(scope, (k) =>
      sql<StoredRole>`
        select ${columns} ${from} order by r.agent_id, r.name, r.id
        limit ${filter.pageSize} offset ${(filter.page - 1) * filter.pageSize}`.compile(k),
    ),
    db.read(scope, (k) => sql<{ count: number }>`select count(*) as count ${from}`.compile(k)),
  ])
  return { rows, count: counted?.count ?? 0 }
}

function conditions(scope: Scope, filter: RoleFilter): RawBuilder<unknown> {
  const { keyword, state, agentId, code } = filter
  const all = [
    sql`r.agent_id = any (${scope.agentIds}::bigint[])`,
    ...(keyword === undefined || keyword === ''
      ? []
      : [sql`(r.name ilike ${likePattern(keyword)} or r.description ilike ${likePattern(keyword)})`]),
    ...(state === undefined ? [] : [sql`r.state = ${state}`]),
    ...(agentId === undefined ? [] : [sql`r.agent_id = ${agentId}`]),
    ...(code === undefined
      ? []
      : [sql`exists (select from role_permission p where p.role_id = r.id and p.code = ${code})`]),
  ]
  return sql.join(all, sql` and `)
}

/** One role of the scope; null when it lies outside. */
export async function findRole(db: Database, scope: Scope, id: number): Promise<StoredRole | null> {
  const [row] = await db.read(scope, (k) => oneRole(scope, id).compile(k))
  return row ?? null
}

const oneRole = (scope: Scope, id: number) => sql<StoredRole>`
  select ${columns} from role r join agent on agent.id = r.agent_id
  where r.id = ${id} and r.agent_id = any (${scope.agentIds}::bigint[])`

/** Like `findRole`, held until the commit, so that nobody is given a role that is about to go. */
export async function lockRole(tx: Tx, scope: Scope, id: number): Promise<StoredRole | null> {
  await sql`select from role where id = ${id} and agent_id = any (${scope.agentIds}::bigint[]) for update`.execute(tx)
  const { rows } = await oneRole(scope, id).execute(tx)
  return rows[0] ?? null
}

export interface RoleUser {
  readonly operatorId: number
  readonly name: string
  readonly phoneSealed: string
  readonly state: EnabledState
}

/** The first of those who have the role, by name. */
export function findRoleUsers(db: Database, scope: Scope, role: StoredRole): Promise<RoleUser[]> {
  return db.read(scope, (k) => roleUsers(role).compile(k))
}

/** A role's people are of its own company; the role was found within the scope. */
const roleUsers = ({ id, agentId }: StoredRole) => sql<RoleUser>`
  select o.id as "operatorId", o.name, o.phone_sealed as "phoneSealed", o.state from operator o
  where o.role_id = ${id} and o.agent_id = ${agentId} and o.state <> 'removed'
  order by o.name, o.id limit ${roleUsersMax}`

export async function lockedRoleUsers(tx: Tx, role: StoredRole): Promise<RoleUser[]> {
  const { rows } = await roleUsers(role).execute(tx)
  return rows
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
export async function updateRole(tx: Tx, role: StoredRole, change: RoleChange): Promise<void> {
  const { name, description, codes, state, by, at } = change
  await tx
    .updateTable('role')
    .set({ name, description, state, version: role.version + 1, updated_at: at, updated_by: by.slice(0, 40) })
    .where('id', '=', role.id)
    .where('agent_id', '=', role.agentId)
    .execute()
  const wanted = new Set(codes)
  const held = new Set(role.codes)
  const gone = role.codes.filter((code) => !wanted.has(code))
  if (gone.length > 0) {
    await tx
      .deleteFrom('role_permission')
      .where('role_id', '=', role.id)
      .where('agent_id', '=', role.agentId)
      .where((eb) => eb('code', '=', eb.fn.any(eb.val(gone))))
      .execute()
  }
  await insertCodes(
    tx,
    role,
    codes.filter((code) => !held.has(code)),
  )
}

export async function deleteRole(tx: Tx, role: StoredRole): Promise<void> {
  await tx.deleteFrom('role').where('id', '=', role.id).where('agent_id', '=', role.agentId).execute()
}

/** Roles of a company, counted while no other can be added: additions to one company take turns. */
export async function countRolesAlone(tx: Tx, agentId: number): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtextextended('roles', ${agentId}))`.execute(tx)
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from role where agent_id = ${agentId}`.execute(tx)
  return rows[0]?.count ?? 0
}
