import {
  personEndpoints,
  personFields,
  personList,
  type Person,
  type PersonFilter,
} from '@saddle/contract/organisation/people.ts'
import { roleEndpoints } from '@saddle/contract/organisation/roles.ts'
import { t } from '#kit/i18n/index.ts'
import { listOf, type ListDeclaration } from '#kit/list/declare.ts'

/** Users of the own company, or accounts of the franchisees below it: the same pages over other calls. */
export interface PersonSide {
  readonly side: 'own' | 'below'
  readonly list: ListDeclaration<Person, PersonFilter>
  readonly create: typeof personEndpoints.createUser | typeof personEndpoints.createAgentAccount
  readonly change: typeof personEndpoints.changeUser | typeof personEndpoints.changeAgentAccount
  readonly setState: typeof personEndpoints.setUserState | typeof personEndpoints.setAgentAccountState
}

const shared = { list: personList, fields: personFields, rowKey: ({ operatorId }: Person) => operatorId }

export const ownUsers: PersonSide = {
  side: 'own',
  list: listOf({ ...shared, call: personEndpoints.listUsers, file: personEndpoints.exportUsers }),
  create: personEndpoints.createUser,
  change: personEndpoints.changeUser,
  setState: personEndpoints.setUserState,
}

export const agentAccounts: PersonSide = {
  side: 'below',
  list: listOf({ ...shared, call: personEndpoints.agentAccounts, file: personEndpoints.exportAgentAccounts }),
  create: personEndpoints.createAgentAccount,
  change: personEndpoints.changeAgentAccount,
  setState: personEndpoints.setAgentAccountState,
}

export const addWords = ({ side }: PersonSide): string => (side === 'own' ? t('新增用户') : t('开通账号'))

/** Everything that shows roles or people: read again after a change of either. */
export const peopleCalls = [
  roleEndpoints.listRoles,
  roleEndpoints.listAgentRoles,
  roleEndpoints.roleInfo,
  roleEndpoints.agentRole,
  roleEndpoints.enabledRoles,
  personEndpoints.listUsers,
  personEndpoints.userLevels,
  personEndpoints.agentAccounts,
  personEndpoints.personInfo,
  personEndpoints.userUses,
]
