import {
  roleEndpoints,
  roleFields,
  roleList,
  type RoleFilter,
  type RoleRow,
} from '@saddle/contract/organisation/roles.ts'
import type { PagePath } from '@saddle/contract/menu.ts'
import { listOf, type ListDeclaration } from '#kit/list/declare.ts'

/** Content of a role as it is written. */
export interface RoleContent {
  readonly name: string
  readonly description: string
  readonly codes: readonly string[]
}

export const written = ({ name, description, codes }: RoleContent) => ({ name, description, codes: [...codes] })

/** Roles of the own company, or of the franchisees below it: the same pages over other calls. */
export interface RoleSide {
  readonly side: 'own' | 'below'
  readonly paths: { readonly list: PagePath; readonly add: PagePath; readonly detail: PagePath }
  readonly list: ListDeclaration<RoleRow, RoleFilter>
  readonly detail: typeof roleEndpoints.roleInfo | typeof roleEndpoints.agentRole
  readonly create: typeof roleEndpoints.createRole | typeof roleEndpoints.createAgentRole
  readonly change: typeof roleEndpoints.changeRole | typeof roleEndpoints.changeAgentRole
  readonly setState: typeof roleEndpoints.setRoleState | typeof roleEndpoints.changeAgentRole
}

const list = { list: roleList, fields: roleFields }

export const ownRoles: RoleSide = {
  side: 'own',
  paths: { list: '/permissions/role', add: '/permissions/add-role', detail: '/permissions/role-detail' },
  list: listOf({ ...list, call: roleEndpoints.listRoles, file: roleEndpoints.exportRoles }),
  detail: roleEndpoints.roleInfo,
  create: roleEndpoints.createRole,
  change: roleEndpoints.changeRole,
  setState: roleEndpoints.setRoleState,
}

export const agentRoles: RoleSide = {
  side: 'below',
  paths: { list: '/agent/role-management', add: '/agent/add-role', detail: '/agent/add-role' },
  list: listOf({ ...list, call: roleEndpoints.listAgentRoles, file: roleEndpoints.exportAgentRoles }),
  detail: roleEndpoints.agentRole,
  create: roleEndpoints.createAgentRole,
  change: roleEndpoints.changeAgentRole,
  // This side has no call for the state alone.
  setState: roleEndpoints.changeAgentRole,
}

export const detailOf = ({ paths }: RoleSide, { id }: Pick<RoleRow, 'id'>): string => `${paths.detail}?id=${id}`

/** Where a copy of a role begins. */
export const copyOf = ({ side, paths }: RoleSide, { id, agentId }: Pick<RoleRow, 'id' | 'agentId'>): string =>
  `${paths.add}?from=${id}${side === 'below' ? `&agentId=${agentId}` : ''}`
