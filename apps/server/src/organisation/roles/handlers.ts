import { AppError } from '@saddle/contract/errors.ts'
import {
  roleFields,
  roleList,
  type RoleDetail,
  type roleEndpoints,
  type RoleRow,
} from '@saddle/contract/organisation/roles.ts'
import { permissionTree } from '@saddle/contract/permissions.ts'
import type { Handlers, SessionCall } from '#kit/call.ts'
import { serveList } from '#kit/list/serveList.ts'
import type { PeopleParts } from '#organisation/people/parts.ts'
import { companyOf, peopleOf, reachOf, readActor, scopeOf, type Actor } from '#organisation/people/reach.ts'
import { findPerson } from '#organisation/people/store.ts'
import { changeRole, createRole, removeRole, type RoleSide } from './change.ts'
import { findEnabledRoles, findRole, findRoleUsers, roleRows, storedRole, type StoredRole } from './store.ts'

/** Roles of the own company and of the franchisees below it: the same work, reaching to different sides. */
export function createRoleHandlers(parts: PeopleParts): Handlers<typeof roleEndpoints> {
  const own = serveRoles(parts, 'own')
  const below = serveRoles(parts, 'below')
  const detail = async (call: SessionCall, side: RoleSide, id: number) => ({
    suc: true as const,
    data: await detailOf(parts, call, side, id),
  })
  return {
    ...createTreeHandlers(parts),
    listRoles: own.page,
    exportRoles: own.file,
    roleInfo: ({ id }, call) => detail(call, 'own', id),
    createRole: async (content, call) => {
      const { agentId } = call.caller
      return detail(call, 'own', await createRole(parts, call, { side: 'own', agentId, content }))
    },
    changeRole: async ({ id, version, ...content }, call) => {
      await changeRole(parts, call, { side: 'own', id, version, content })
      return detail(call, 'own', id)
    },
    setRoleState: async ({ id, state, version }, call) => {
      await changeRole(parts, call, { side: 'own', id, version, state })
      const [actor, row] = await Promise.all([readActor(parts.kit.db, call), mustFind(parts, call, 'own', id)])
      return { suc: true, data: rowOf(row, actor) }
    },
    removeRole: async ({ id }, call) => {
      await removeRole(parts, call, { side: 'own', id })
      return { suc: true, data: {} }
    },
    listAgentRoles: below.page,
    exportAgentRoles: below.file,
    agentRole: ({ id }, call) => detail(call, 'below', id),
    createAgentRole: async ({ agentId, ...content }, call) =>
      detail(call, 'below', await createRole(parts, call, { side: 'below', agentId, content })),
    changeAgentRole: async ({ id, version, state, ...content }, call) => {
      await changeRole(parts, call, { side: 'below', id, version, state, content })
      return detail(call, 'below', id)
    },
    removeAgentRole: async ({ id }, call) => {
      await removeRole(parts, call, { side: 'below', id })
      return { suc: true, data: {} }
    },
  }
}

function serveRoles(parts: PeopleParts, side: RoleSide) {
  return serveList(parts, roleList, {
    name: 'roles',
    rows: roleRows,
    scope: (call) => scopeOf(call, side),
    lookUp: async (_, call) => ({ actor: await readActor(parts.kit.db, call) }),
    present: (row, _, { actor }) => rowOf(storedRole(row), actor),
    file: { action: 'role.export', fields: roleFields },
  })
}

type TreeEndpoints = Pick<typeof roleEndpoints, 'permissionTree' | 'permissionTreeOfOperator' | 'enabledRoles'>

function createTreeHandlers({ kit }: PeopleParts): Handlers<TreeEndpoints> {
  const { db } = kit
  return {
    permissionTree: async (_, call) => ({ suc: true, data: { list: grantRows(await readActor(db, call)) } }),

    permissionTreeOfOperator: async ({ operatorId }, call) => {
      const [actor, person] = await Promise.all([
        readActor(db, call),
        findPerson(db, { reach: peopleOf(call, 'both'), operatorId, callerId: call.caller.operatorId }),
      ])
      if (person === null) throw new AppError('not_found')
      const { role } = person
      const held = new Set(person.codes)
      const rows = grantRows(actor).map((row) => Object.assign(row, { held: held.has(row.code) }))
      return { suc: true, data: { role, list: rows } }
    },

    enabledRoles: async ({ agentId = 0 }, call) => {
      const company = agentId === 0 ? call.caller.agentId : agentId
      companyOf(call, company === call.caller.agentId ? 'own' : 'below', company)
      const actor = await readActor(db, call)
      const scope = scopeOf(call, 'both')
      const rows = await findEnabledRoles(db, scope, company)
      const list = rows.map(({ codes, ...row }) => Object.assign(row, { grantable: isWithin(actor, codes) }))
      return { suc: true, data: { list } }
    },
  }
}

/** The permission tree without `all`, which everybody holds and nobody gives. */
function grantRows(actor: Actor) {
  return permissionTree
    .filter((row) => row.code !== 'all')
    .map(({ code, title, parent }) => ({ code, title, parent, grantable: actor.held.has(code) }))
}

const isWithin = (actor: Actor, codes: readonly string[]): boolean => codes.every((code) => actor.held.has(code))

async function mustFind(parts: PeopleParts, call: SessionCall, side: RoleSide, id: number): Promise<StoredRole> {
  const role = reachOf(call, side).length === 0 ? null : await findRole(parts.kit.db, scopeOf(call, side), id)
  if (role === null) throw new AppError('not_found')
  return role
}

async function detailOf(parts: PeopleParts, call: SessionCall, side: RoleSide, id: number): Promise<RoleDetail> {
  const { kit, identity } = parts
  const role = await mustFind(parts, call, side, id)
  const [actor, users] = await Promise.all([readActor(kit.db, call), findRoleUsers(kit.db, scopeOf(call, side), role)])
  return {
    ...rowOf(role, actor),
    codes: role.codes,
    users: users.map(({ phoneSealed, ...user }) =>
      Object.assign(user, { phone: identity.operators.maskedPhone(phoneSealed) }),
    ),
  }
}

function rowOf({ codes, ...role }: StoredRole, actor: Actor): RoleRow {
  return { ...role, codeCount: codes.length, isOwn: actor.roleId === role.id, exceeds: !isWithin(actor, codes) }
}
