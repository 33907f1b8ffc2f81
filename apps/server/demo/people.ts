import { operatorLevels, type OperatorLevel } from '@saddle/contract/constants.ts'
import { permissionCodes, permissionTree, type Permission } from '@saddle/contract/permissions.ts'
import { demoStaff } from '@saddle/contract/demo/staff.ts'
import { firstRoleCodes, firstRoleName } from '@saddle/contract/organisation/companies.ts'
import { demoServiceAreas, franchiseeId, platformAgentId } from './tenants.ts'

/** The codes and everything below them in the permission tree. */
function withAllBelow(...codes: Permission[]): Permission[] {
  const held = new Set<string>(codes)
  // A row stands after its parent in the tree, so that one pass finds all of them.
  for (const row of permissionTree) if (row.parent !== null && held.has(row.parent)) held.add(row.code)
  return permissionCodes.filter((code) => held.has(code))
}

const everything = permissionCodes.filter((code) => code !== 'all')

const roles = {
  platformAdmin: { name: '平台管理员', codes: everything },
  franchiseAdmin: { name: firstRoleName, codes: firstRoleCodes },
  maintenance: {
    name: '运维',
    codes: ['03', '0301', '030101', '0302', ...withAllBelow('09'), '18', '1801', '1802'],
  },
  finance: { name: '财务', codes: [...withAllBelow('financial', '15'), '07', '20'] },
  regulator: { name: '监管', codes: ['03', '030601'] },
  platformFinance: { name: '平台财务', codes: [...withAllBelow('financial', '15'), '07', '20'] },
  production: { name: '生产', codes: ['06', '0601'] },
} as const satisfies Record<string, { readonly name: string; readonly codes: readonly Permission[] }>

export interface DemoLogin {
  readonly phone: string
  readonly name: string
  /** What the person is, for the list of logins. */
  readonly title: string
  readonly agentId: number
  readonly level: OperatorLevel
  readonly role: { readonly name: string; readonly codes: readonly Permission[] }
  /** Absent: all areas of the agent. */
  readonly areaIds?: readonly number[]
}

const qinghe = franchiseeId('qinghe')
const firstAreaOfQinghe = demoServiceAreas.filter((area) => area.agentId === qinghe).slice(0, 1)

/** Field staff by their areas. Their logins are not listed: the simulated staff use them. */
export const demoWorkers: readonly Omit<DemoLogin, 'title'>[] = demoStaff.map(
  ({ name, phone, agentKey, areaIndex }) => ({
    phone,
    name,
    agentId: franchiseeId(agentKey),
    level: operatorLevels.maintenance,
    role: roles.maintenance,
    areaIds: [areaIndex + 1],
  }),
)

/** Invented people; the numbers are theirs only in the demo. */
export const demoLogins: readonly DemoLogin[] = [
  {
    phone: '13800138000',
    name: '林知远',
    title: '平台管理员',
    agentId: platformAgentId,
    level: operatorLevels.admin,
    role: roles.platformAdmin,
  },
  {
    phone: '13800138001',
    name: '沈一诺',
    title: '加盟商管理员（青禾出行）',
    agentId: qinghe,
    level: operatorLevels.admin,
    role: roles.franchiseAdmin,
  },
  {
    phone: '13800138002',
    name: '陆小川',
    title: '运维（青禾出行，一个服务区）',
    agentId: qinghe,
    level: operatorLevels.maintenance,
    role: roles.maintenance,
    areaIds: firstAreaOfQinghe.map((area) => area.id),
  },
  {
    phone: '13800138003',
    name: '苏念秋',
    title: '财务（城际骑行，账户为低级别）',
    agentId: franchiseeId('chengji'),
    level: operatorLevels.operator,
    role: roles.finance,
  },
  {
    phone: '13800138004',
    name: '顾长安',
    title: '监管',
    agentId: platformAgentId,
    level: operatorLevels.operator,
    role: roles.regulator,
  },
  {
    phone: '13800138005',
    name: '江予白',
    title: '生产',
    agentId: platformAgentId,
    level: operatorLevels.production,
    role: roles.production,
  },
  {
    phone: '13800138006',
    name: '何乐行',
    title: '加盟商管理员（绿途单车，账户未开通）',
    agentId: franchiseeId('lvtu'),
    level: operatorLevels.admin,
    role: roles.franchiseAdmin,
  },
  {
    phone: '13800138007',
    name: '许清和',
    title: '平台财务',
    agentId: platformAgentId,
    level: operatorLevels.operator,
    role: roles.platformFinance,
  },
]
