import { personEndpoints, type Person } from '@saddle/contract/organisation/people.ts'
import { roleEndpoints, type EnabledState, type RoleDetail, type RoleRow } from '@saddle/contract/organisation/roles.ts'
import { call } from '#kit/api/client.ts'

/** Content of a role as it is written. */
export interface RoleContent {
  readonly name: string
  readonly description: string
  readonly codes: readonly string[]
}

/**
 * Roles of the own company, or of the franchisees below it: the same screens over other calls. `agentId` is the
 * franchisee that a new role belongs to; the own side has no use for it.
 */
export interface RoleSource {
  readonly side: 'own' | 'below'
  readonly paths: { readonly list: string; readonly add: string; readonly detail: string }
  readonly list: typeof roleEndpoints.listRoles | typeof roleEndpoints.listAgentRoles
  readonly detail: typeof roleEndpoints.roleInfo | typeof roleEndpoints.agentRole
  readonly create: (content: RoleContent, agentId: number | null) => Promise<RoleDetail>
  readonly change: (id: number, version: number, content: RoleContent) => Promise<RoleDetail>
  readonly setState: (row: RoleRow, state: EnabledState) => Promise<unknown>
  readonly remove: (id: number) => Promise<unknown>
}

const written = ({ name, description, codes }: RoleContent) => ({ name, description, codes: [...codes] })

export const ownRoles: RoleSource = {
  side: 'own',
  paths: { list: '/permissions/role', add: '/permissions/add-role', detail: '/permissions/role-detail' },
  list: roleEndpoints.listRoles,
  detail: roleEndpoints.roleInfo,
  create: async (content) => (await call(roleEndpoints.createRole, written(content))).data,
  change: async (id, version, content) =>
    (await call(roleEndpoints.changeRole, { id, version, ...written(content) })).data,
  setState: ({ id, version }, state) => call(roleEndpoints.setRoleState, { id, state, version }),
  remove: (id) => call(roleEndpoints.removeRole, { id }),
}

export const agentRoles: RoleSource = {
  side: 'below',
  paths: { list: '/agent/role-management', add: '/agent/add-role', detail: '/agent/add-role' },
  list: roleEndpoints.listAgentRoles,
  detail: roleEndpoints.agentRole,
  create: async (content, agentId) =>
    (await call(roleEndpoints.createAgentRole, { agentId: agentId ?? 0, ...written(content) })).data,
  change: async (id, version, content) =>
    (await call(roleEndpoints.changeAgentRole, { id, version, ...written(content) })).data,
  // This side has no call for the state alone.
  setState: async ({ id, version }, state) => {
    const { data } = await call(roleEndpoints.agentRole, { id })
    return call(roleEndpoints.changeAgentRole, { id, version, state, ...written(data) })
  },
  remove: (id) => call(roleEndpoints.removeAgentRole, { id }),
}

type PersonInput = Pick<Person, 'name' | 'level' | 'allAreas'> & {
  readonly roleId: number | null
  readonly areaIds: number[]
}

/** Users of the own company, or accounts of the franchisees below it. */
export interface PersonSource {
  readonly side: 'own' | 'below'
  readonly list: typeof personEndpoints.listUsers | typeof personEndpoints.agentAccounts
  readonly create: (phone: string, content: PersonInput, agentId: number | null) => Promise<Person>
  readonly change: (person: Person, content: PersonInput) => Promise<Person>
  readonly setState: (operatorId: number, state: EnabledState) => Promise<unknown>
  readonly remove: (operatorId: number) => Promise<unknown>
}

export const ownUsers: PersonSource = {
  side: 'own',
  list: personEndpoints.listUsers,
  create: async (phone, content) => (await call(personEndpoints.createUser, { phone, ...content })).data,
  change: async ({ operatorId, version }, content) =>
    (await call(personEndpoints.changeUser, { operatorId, version, ...content })).data,
  setState: (operatorId, state) => call(personEndpoints.setUserState, { operatorId, state }),
  // Users are deleted by number, which lists do not show.
  remove: async (operatorId) => {
    const { data } = await call(personEndpoints.personInfo, { operatorId })
    return call(personEndpoints.removeUser, { phone: data.phone })
  },
}

export const agentAccounts: PersonSource = {
  side: 'below',
  list: personEndpoints.agentAccounts,
  create: async (phone, content, agentId) =>
    (await call(personEndpoints.createAgentAccount, { agentId: agentId ?? 0, phone, ...content })).data,
  change: async ({ operatorId, version }, content) =>
    (await call(personEndpoints.changeAgentAccount, { operatorId, version, ...content })).data,
  setState: (operatorId, state) => call(personEndpoints.setAgentAccountState, { operatorId, state }),
  remove: (operatorId) => call(personEndpoints.removeAgentAccount, { operatorId }),
}

/** Everything that shows roles or people: read again after a change of either. */
export const peopleReadings = [
  roleEndpoints.listRoles,
  roleEndpoints.listAgentRoles,
  roleEndpoints.roleInfo,
  roleEndpoints.agentRole,
  roleEndpoints.enabledRoles,
  personEndpoints.listUsers,
  personEndpoints.agentAccounts,
  personEndpoints.personInfo,
  personEndpoints.userUses,
]
