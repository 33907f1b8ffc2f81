import { demoAgents, demoAreas } from '@saddle/contract/demo/city.ts'
import { demoFranchiseeId as franchiseeId } from '@saddle/contract/demo/riders.ts'
import type { AccountState } from '#finance/public.ts'
import type { NewAgent } from '#organisation/public.ts'

/** The company that runs the platform; franchisees 3, 4 and 5 stand below it. */
export const platformAgentId = 2
export const platformCompany = '青骑共享出行'

export { franchiseeId }

export const demoTenants: readonly (NewAgent & { readonly id: number })[] = [
  {
    id: platformAgentId,
    parentId: null,
    company: platformCompany,
    branding: { webTitle: '青骑运营平台', appTitle: '青骑单车', company: '青骑共享出行科技有限公司' },
  },
  ...demoAgents.map(({ key, name }) => ({ id: franchiseeId(key), parentId: platformAgentId, company: name })),
]

/** Host names that show one franchisee's branding on this machine; browsers resolve them locally. */
export const brandedHost = 'qinghe.localhost'
export const brandedTenant = {
  domain: brandedHost,
  branding: { webTitle: '青禾出行管理后台', appTitle: '青禾出行', company: '青禾出行服务有限公司' },
} as const satisfies Pick<NewAgent, 'domain' | 'branding'>

export const demoServiceAreas = demoAreas.map((area, index) => ({
  id: index + 1,
  agentId: franchiseeId(area.agentKey),
  name: area.name,
  ring: area.ring,
}))

/**
 * One account for each branch of the rule for finance pages: active without a level, active, waiting for the
 * provider, and active at the lower level.
 */
export const demoAccounts: readonly AccountState[] = [
  account({ agentId: platformAgentId, status: 2, accountLevel: null, customerName: '青骑共享出行科技有限公司' }),
  account({ agentId: franchiseeId('qinghe'), status: 2, accountLevel: 2, customerName: '青禾出行服务有限公司' }),
  account({ agentId: franchiseeId('lvtu'), status: 1, accountLevel: null, customerName: '绿途单车有限公司' }),
  account({ agentId: franchiseeId('chengji'), status: 2, accountLevel: 1, customerName: '苏念秋' }),
]

function account(
  given: Pick<AccountState, 'agentId' | 'status' | 'accountLevel'> & { customerName: string },
): AccountState {
  const isPerson = given.accountLevel === 1
  return {
    ...given,
    name: isPerson ? given.customerName : `${given.customerName}基本户`,
    accountType: isPerson ? 'person' : 'company',
    authStatus: given.status === 2 ? 1 : 0,
  }
}
