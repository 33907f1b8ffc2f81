import { AppError } from '@saddle/contract/errors.ts'
import { roleLimits, type EnabledState } from '@saddle/contract/organisation/roles.ts'
import type { SessionCall } from '#kit/call.ts'
import { isReferenced, isTaken } from '#kit/db/pgErrors.ts'
import type { PeopleParts } from '#organisation/people/parts.ts'
import { companyOf, keepingAdministrator, readActor, scopeOf, type Actor } from '#organisation/people/reach.ts'
import { assertHeld, changedCodes, namesText, roleCodes } from './rules.ts'
import {
  countRolesAlone,
  deleteRole,
  insertRole,
  lockedRoleUsers,
  lockRole,
  updateRole,
  type StoredRole,
} from './store.ts'

export type RoleSide = 'own' | 'below'

interface RoleContent {
  readonly name: string
  readonly description: string
  readonly codes: readonly string[]
}

/** Adds a role to a company of the side and returns its id. Throws grant_exceeds, name_taken and foreign_scope. */
export async function createRole(
  parts: PeopleParts,
  call: SessionCall,
  given: { readonly side: RoleSide; readonly agentId: number; readonly content: RoleContent },
): Promise<number> {
  const { kit, audit } = parts
  const { name, description } = given.content
  const agentId = companyOf(call, given.side, given.agentId)
  const actor = await readActor(kit.db, call)
  const codes = roleCodes(given.content.codes)
  assertHeld(actor.held, codes)
  const by = { name: call.caller.name, at: new Date(kit.clock.now()) }
  return await refusingTaken(() =>
    kit.db.withScope(scopeOf(call, given.side), async (tx) => {
      if ((await countRolesAlone(tx, agentId)) >= roleLimits.perCompany) {
        throw new AppError('bad_request', { values: { detail: `一家公司最多 ${roleLimits.perCompany} 个角色` } })
      }
      const id = await insertRole({ tx, role: { agentId, name, description, codes, by } })
      const line = { action: 'role.create', subjectKind: 'role', subjectId: id, after: { name, description, codes } }
      await audit.act(tx, call, { agentId, ...line })
      return id
    }),
  )
}

export interface RoleEdit {
  readonly side: RoleSide
  readonly id: number
  /** The version that the change was made from; absent for a mere switch. */
  readonly version?: number | undefined
  readonly content?: RoleContent
  readonly state?: EnabledState | undefined
}

/**
 * Changes content or state of a role. Nobody changes their own, gives or takes codes that they do not hold, or leaves a
 * company without an administrator. Throws own_access, above_caller, grant_exceeds, last_administrator, conflict.
 */
export async function changeRole(parts: PeopleParts, call: SessionCall, edit: RoleEdit): Promise<void> {
  const { kit, audit, identity } = parts
  const actor = await readActor(kit.db, call)
  const scope = scopeOf(call, edit.side)
  await refusingTaken(() =>
    kit.db.withScope(scope, async (tx) => {
      const role = await lockRole(tx, scope, edit.id)
      if (role === null) throw new AppError('not_found')
      assertNotOwn(actor, role)
      if (edit.version !== undefined && edit.version !== role.version) throw new AppError('conflict')
      const { name, description, codes } = edit.content ?? role
      const next = { name, description, codes: roleCodes(codes), state: edit.state ?? role.state }
      const isSwitched = next.state !== role.state
      if (isSwitched) assertWithin(actor, role)
      assertHeld(actor.held, changedCodes(role.codes, next.codes))
      const at = new Date(kit.clock.now())
      await keepingAdministrator({
        tx,
        agentId: role.agentId,
        work: () => updateRole(tx, role, { ...next, by: call.caller.name, at }),
      })
      const action = edit.content === undefined && isSwitched ? `role.${next.state}` : 'role.change'
      const before = { name: role.name, description: role.description, state: role.state, codes: role.codes }
      const line = { action, subjectKind: 'role', subjectId: role.id, before, after: { ...next } }
      await audit.act(tx, call, { agentId: role.agentId, ...line })
      await identity.accessChanged(tx, { roleId: role.id })
    }),
  )
}

/** Deletes a role that nobody has. Throws in_use with those who have it, own_access and above_caller. */
export async function removeRole(
  parts: PeopleParts,
  call: SessionCall,
  given: { readonly side: RoleSide; readonly id: number },
): Promise<void> {
  const { kit, audit } = parts
  const actor = await readActor(kit.db, call)
  const scope = scopeOf(call, given.side)
  try {
    await kit.db.withScope(scope, async (tx) => {
      const role = await lockRole(tx, scope, given.id)
      if (role === null) throw new AppError('not_found')
      assertNotOwn(actor, role)
      assertWithin(actor, role)
      const users = await lockedRoleUsers(tx, role)
      if (users.length > 0) {
        const names = users.map((user) => user.name)
        throw new AppError('in_use', { values: { detail: namesText(names, '人', role.userCount) } })
      }
      await deleteRole(tx, role)
      const before = { name: role.name, description: role.description, state: role.state, codes: role.codes }
      const line = { action: 'role.remove', subjectKind: 'role', subjectId: role.id, before }
      await audit.act(tx, call, { agentId: role.agentId, ...line })
    })
  } catch (error) {
    // Whoever points at it lies outside of what the caller sees.
    if (isReferenced(error)) throw new AppError('in_use', { values: { detail: '其他账号' }, cause: error })
    throw error
  }
}

function assertNotOwn(actor: Actor, role: Pick<StoredRole, 'id'>): void {
  if (actor.roleId === role.id) throw new AppError('own_access')
}

/** Who may do more than the caller is not for the caller to switch off. */
function assertWithin(actor: Actor, role: Pick<StoredRole, 'codes'>): void {
  if (role.codes.some((code) => !actor.held.has(code))) throw new AppError('above_caller')
}

async function refusingTaken<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (isTaken(error)) throw new AppError('name_taken', { cause: error })
    throw error
  }
}
