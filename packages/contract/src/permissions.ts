import { financialLowerLevel, financialStatusActive } from '#contract/constants.ts'

/**
 * Permission codes and their tree. Codes of pages are the specification's; codes of actions hang below the page
 * whose work they are. A role ticks leaves and groups of this tree.
 */
interface PermissionRow {
  readonly code: string
  readonly title: string
  readonly parent: string | null
}

const tree = [
  { code: 'all', title: '所有登录人员', parent: null },
  { code: '01', title: '切换加盟商', parent: null },
  { code: '0221', title: '运营大屏', parent: null },
  { code: 'LargeRevenueScreen', title: '营收大屏', parent: null },
  { code: '02', title: '概览', parent: null },

  { code: '03', title: '车辆监控', parent: null },
  { code: '0301', title: '运营地图', parent: '03' },
  { code: '030101', title: '远程开关锁', parent: '0301' },
  { code: '030601', title: '政府监管地图', parent: '03' },
  { code: '0302', title: '车辆查询', parent: '03' },
  { code: '0304', title: '运营分析', parent: '03' },
  { code: '0305', title: '设备监控', parent: '03' },
  { code: '0307', title: '车辆筛查', parent: '03' },
  { code: '0308', title: '设备接入', parent: '03' },
  { code: '030801', title: '登记车辆与处理未知设备', parent: '0308' },
  { code: '030802', title: '设备密码与终端注册', parent: '0308' },
  { code: '030803', title: '车型与锁控协议', parent: '0308' },

  { code: '07', title: '用户管理', parent: null },
  { code: '070101', title: '用户信息', parent: '07' },
  { code: '07010101', title: '查看完整手机号', parent: '070101' },
  { code: '07010102', title: '查看完整证件号', parent: '070101' },
  { code: '07010111', title: '平台扣款与加款', parent: '070101' },
  { code: '07010112', title: '押金冻结、扣款与退还', parent: '070101' },
  { code: '07010113', title: '余额退款与退款重试', parent: '070101' },
  { code: '0703', title: '专业认证列表', parent: '07' },
  { code: '08', title: '黑名单', parent: '07' },
  { code: '0704', title: '实名换绑列表', parent: '07' },
  { code: '1601', title: '用户订单', parent: '07' },
  { code: '160101', title: '订单退款', parent: '1601' },
  { code: '0401', title: '用户工单', parent: '07' },
  { code: '20', title: '开票管理', parent: '07' },
  { code: 'returnCarApp', title: '还车审批', parent: '07' },

  { code: '09', title: '运维管理', parent: null },
  { code: '0901', title: '换电统计', parent: '09' },
  { code: '090201', title: '维修统计', parent: '09' },
  { code: '090301', title: '巡检统计', parent: '09' },
  { code: '0904', title: '挪车统计', parent: '09' },
  { code: '090401', title: '智能调度', parent: '0904' },
  { code: '0908', title: '区域管理', parent: '09' },
  { code: '0909', title: '运维任务', parent: '09' },
  { code: '090901', title: '派发任务', parent: '0909' },
  { code: '090902', title: '审核任务', parent: '0909' },
  { code: '090903', title: '任务规则', parent: '0909' },
  { code: '0906', title: '车辆信息统计', parent: '09' },
  { code: '0907', title: '站点统计', parent: '09' },
  { code: '0905', title: '巡检上报统计', parent: '09' },
  { code: '0910', title: '停车点申请', parent: '09' },
  { code: '091001', title: '审批停车点', parent: '0910' },

  { code: '14', title: '操作日志', parent: null },
  { code: '1402', title: '车辆日志', parent: '14' },
  { code: '1403', title: '设备日志', parent: '14' },
  { code: '1404', title: '操作员日志', parent: '14' },

  { code: '10', title: '权限管理', parent: null },
  { code: '1001', title: '角色管理', parent: '10' },
  { code: '1002', title: '用户权限', parent: '10' },

  { code: '17', title: '营销管理', parent: null },
  { code: '1701', title: '充值活动', parent: '17' },
  { code: '1702', title: '计费配置', parent: '17' },
  { code: '1703', title: '商城配置', parent: '17' },
  { code: '1704', title: '帮助配置', parent: '17' },
  { code: '1705', title: '会员配置', parent: '17' },
  { code: '1706', title: '骑行活动', parent: '17' },
  { code: '1707', title: '固定活动', parent: '17' },
  { code: '1709', title: '优惠券', parent: '17' },
  { code: '1710', title: '自定义活动', parent: '17' },
  { code: 'yqyl', title: '邀请有礼', parent: '17' },
  { code: '170801', title: '用户奖励', parent: '17' },

  { code: '05', title: '运营配置', parent: null },
  { code: '0501', title: '维修配置', parent: '05' },
  { code: '0502', title: '系统配置', parent: '05' },
  { code: '0503', title: '服务区围栏', parent: '05' },
  { code: '0504', title: '停车点围栏', parent: '05' },
  { code: '0505', title: '禁停区围栏', parent: '05' },
  { code: '0506', title: '通知模板', parent: '05' },

  { code: '15', title: '报表管理', parent: null },
  { code: 'FinancialReconciliation', title: '财务对账', parent: '15' },
  { code: '150101', title: '每日统计', parent: '15' },
  { code: '1502', title: '交易订单', parent: '15' },
  { code: '150301', title: '钱包报表', parent: '15' },
  { code: '150401', title: '押金报表', parent: '15' },
  { code: '150501', title: '骑行卡报表', parent: '15' },
  { code: '150601', title: '优惠卡报表', parent: '15' },

  { code: '11', title: '加盟商管理', parent: null },
  { code: '1101', title: '账号管理', parent: '11' },
  { code: '110101', title: '加盟申请', parent: '1101' },
  { code: '110102', title: '品牌与布局', parent: '1101' },
  { code: '1102', title: '角色管理', parent: '11' },
  { code: '1103', title: '服务区管理', parent: '11' },
  { code: '1104', title: '开放接口', parent: '11' },

  { code: '06', title: '生产管理', parent: null },
  { code: '0601', title: '固件与语音升级', parent: '06' },

  { code: '18', title: '反馈工单', parent: null },
  { code: '1801', title: '查看工单', parent: '18' },
  { code: '180101', title: '在线客服收件箱', parent: '1801' },
  { code: '1802', title: '新建工单', parent: '18' },

  { code: 'financial', title: '产品服务', parent: null },
  { code: 'financial_01', title: '费用中心', parent: 'financial' },
  { code: 'financial_02', title: '分账账单', parent: 'financial' },
  { code: 'financial_03', title: '账单明细', parent: 'financial' },
  { code: 'financial_04', title: '异议账单', parent: 'financial' },
  { code: 'financial_05', title: '分账规则', parent: 'financial' },
  { code: 'financial_06', title: '账户管理', parent: 'financial' },
] as const satisfies readonly PermissionRow[]

export type Permission = (typeof tree)[number]['code']
export const permissionTree: readonly (PermissionRow & { readonly code: Permission })[] = tree
export const permissionCodes: readonly Permission[] = tree.map((row) => row.code)

/**
 * Who holds one of these moves money, or the papers about it: the codes of every call that writes the ledger, of cards
 * and deposits that are asked for, of invoices, and of the finance pages. A company's demand for a second factor holds for
 * them.
 */
export const moneyCodes: ReadonlySet<Permission> = new Set<Permission>([
  '07010111',
  '07010112',
  '07010113',
  '160101',
  'returnCarApp',
  '1705',
  '170801',
  '20',
  'FinancialReconciliation',
  ...permissionCodes.filter((code) => code.startsWith('financial')),
])

export function isPermission(code: string): code is Permission {
  return permissionCodes.some((known) => known === code)
}

/**
 * The action rule of section 5: a comma-list asks for all codes, a `||`-list for any one of them.
 */
export function holdsPermission(held: ReadonlySet<string>, rule: string): boolean {
  if (rule.includes('||')) return rule.split('||').some((code) => held.has(code.trim()))
  return rule.split(',').every((code) => held.has(code.trim()))
}

/** What is left of the held codes under the state of the financial account (section 4). */
export function applyFinancialStatus(
  held: readonly string[],
  account: { readonly status: number | null; readonly accountLevel: number | null } | null,
): readonly string[] {
  const active = account?.status === financialStatusActive
  if (!active) {
    return held.filter((code) => !code.includes('financial') || code === 'financial' || code === 'financial_02')
  }
  if (account.accountLevel !== financialLowerLevel) return held
  return held.filter((code) => code !== 'financial_03' && code !== 'financial_04')
}
