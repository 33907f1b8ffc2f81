import type { Permission } from '#contract/permissions.ts'

export type MenuIcon =
  | 'home'
  | 'screen'
  | 'revenue'
  | 'vehicle'
  | 'riders'
  | 'maintenance'
  | 'log'
  | 'permission'
  | 'marketing'
  | 'config'
  | 'report'
  | 'agent'
  | 'production'
  | 'feedback'
  | 'finance'

export interface MenuRow {
  readonly path: string
  /** Chinese title; the English one is in the console's catalogue under this key. */
  readonly title: string
  /** One of these is enough; null asks for none. `all` is held by every operator. */
  readonly permission: readonly [Permission, ...Permission[]] | null
  /** The group of the menu (and of the breadcrumb) that the page stands in. */
  readonly parent: string | null
  readonly hidden?: true
  readonly layout?: 'user' | 'blank'
  /** May be opened without a login. */
  readonly public?: true
  readonly redirect?: string
  readonly icon?: MenuIcon
  /** A root of the menu: it has no page of its own and opens its redirect or its first permitted page. */
  readonly group?: true
  readonly keepAlive?: true
}

/**
 * Every route of the product (specification, section 2): the one source of menu, guards, breadcrumbs,
 * tab titles and the permission tree. Order is the menu's order.
 */
const rows = [
  { path: '/login', title: '登录', permission: null, parent: null, hidden: true, layout: 'user', public: true },
  { path: '/login-home', title: '欢迎', permission: null, parent: null, hidden: true, layout: 'user', public: true },
  { path: '/register', title: '注册', permission: null, parent: null, hidden: true, layout: 'user', public: true },
  {
    path: '/register-result',
    title: '注册结果',
    permission: null,
    parent: null,
    hidden: true,
    layout: 'user',
    public: true,
  },
  { path: '/404', title: '页面不存在', permission: null, parent: null, hidden: true, layout: 'blank', public: true },
  { path: '/', title: '首页', permission: ['all'], parent: null, hidden: true, redirect: '/log' },
  { path: '/log', title: '首页', permission: ['all'], parent: null, hidden: true, icon: 'home' },
  { path: '/account', title: '个人中心', permission: ['all'], parent: null, hidden: true },
  { path: '/screenHome', title: '运营大屏', permission: ['0221'], parent: null, icon: 'screen', keepAlive: true },
  {
    path: '/screenHome1',
    title: '营收大屏',
    permission: ['LargeRevenueScreen'],
    parent: null,
    icon: 'revenue',
    keepAlive: true,
  },
  { path: '/home', title: '概览', permission: ['02'], parent: null, hidden: true, icon: 'home' },
  {
    path: '/vehicle',
    title: '车辆监控',
    permission: ['03'],
    parent: null,
    redirect: '/vehicle/operation-map',
    icon: 'vehicle',
    group: true,
  },
  { path: '/vehicle/operation-map', title: '运营地图', permission: ['0301'], parent: '/vehicle', keepAlive: true },
  {
    path: '/vehicle/government-operation-map',
    title: '政府监管地图',
    permission: ['030601'],
    parent: '/vehicle',
    keepAlive: true,
  },
  { path: '/vehicle/vehicle-query', title: '车辆查询', permission: ['0302'], parent: '/vehicle', keepAlive: true },
  {
    path: '/vehicle/operational-analysis',
    title: '运营分析',
    permission: ['0304'],
    parent: '/vehicle',
    keepAlive: true,
  },
  {
    path: '/vehicle/vehicle-visualization',
    title: '设备监控',
    permission: ['0305'],
    parent: '/vehicle',
    keepAlive: true,
  },
  { path: '/vehicle/vehicle-screening', title: '车辆筛查', permission: ['0307'], parent: '/vehicle', keepAlive: true },
  { path: '/vehicle/device-access', title: '设备接入', permission: ['0308'], parent: '/vehicle', keepAlive: true },
  { path: '/user-manage', title: '用户管理', permission: ['07'], parent: null, icon: 'riders', group: true },
  { path: '/user-info', title: '用户信息', permission: ['070101'], parent: '/user-manage', keepAlive: true },
  {
    path: '/user-manage/student-certificate',
    title: '专业认证列表',
    permission: ['0703'],
    parent: '/user-manage',
    keepAlive: true,
  },
  { path: '/black-list', title: '黑名单', permission: ['08'], parent: '/user-manage', keepAlive: true },
  { path: '/bindcard-list', title: '实名换绑列表', permission: ['0704'], parent: '/user-manage', keepAlive: true },
  { path: '/user-order', title: '用户订单', permission: ['1601'], parent: '/user-manage', keepAlive: true },
  { path: '/user-worksheet', title: '用户工单', permission: ['0401'], parent: '/user-manage', keepAlive: true },
  { path: '/invoicing-ticket', title: '开票管理', permission: ['20'], parent: '/user-manage', keepAlive: true },
  {
    path: '/carReturn-approve',
    title: '还车审批',
    permission: ['returnCarApp'],
    parent: '/user-manage',
    keepAlive: true,
  },
  {
    path: '/data',
    title: '运维管理',
    permission: ['09'],
    parent: null,
    redirect: '/data/power-change-statistics',
    icon: 'maintenance',
    group: true,
  },
  { path: '/data/power-change-statistics', title: '换电统计', permission: ['0901'], parent: '/data', keepAlive: true },
  { path: '/data/repair-statistics', title: '维修统计', permission: ['090201'], parent: '/data', keepAlive: true },
  { path: '/data/inspection-statistics', title: '巡检统计', permission: ['090301'], parent: '/data', keepAlive: true },
  { path: '/data/car-park-statistics', title: '挪车统计', permission: ['0904'], parent: '/data', keepAlive: true },
  { path: '/data/rebalancing', title: '智能调度', permission: ['090401'], parent: '/data', keepAlive: true },
  { path: '/data/area-management', title: '区域管理', permission: ['0908'], parent: '/data', keepAlive: true },
  { path: '/data/operation-tasks', title: '运维任务', permission: ['0909'], parent: '/data', keepAlive: true },
  { path: '/field', title: '现场作业', permission: ['0909'], parent: '/data', layout: 'blank' },
  { path: '/data/car-info-statistics', title: '车辆信息统计', permission: ['0906'], parent: '/data', keepAlive: true },
  { path: '/data/station-statistics', title: '站点统计', permission: ['0907'], parent: '/data', keepAlive: true },
  {
    path: '/data/inspect-report-statistics',
    title: '巡检上报统计',
    permission: ['0905'],
    parent: '/data',
    keepAlive: true,
  },
  { path: '/data/park-application', title: '停车点申请', permission: ['0910'], parent: '/data', keepAlive: true },
  { path: '/operation', title: '操作日志', permission: ['14'], parent: null, icon: 'log', group: true },
  { path: '/operation/vehicle-log', title: '车辆日志', permission: ['1402'], parent: '/operation', keepAlive: true },
  { path: '/operation/device-log', title: '设备日志', permission: ['1403'], parent: '/operation', keepAlive: true },
  { path: '/operation/operator-log', title: '操作员日志', permission: ['1404'], parent: '/operation', keepAlive: true },
  {
    path: '/permissions',
    title: '权限管理',
    permission: ['10'],
    parent: null,
    redirect: '/permissions/role',
    icon: 'permission',
    group: true,
  },
  { path: '/permissions/role', title: '角色管理', permission: ['1001'], parent: '/permissions', keepAlive: true },
  { path: '/permissions/add-role', title: '新增角色', permission: ['1001'], parent: '/permissions', hidden: true },
  { path: '/permissions/role-detail', title: '角色详情', permission: ['1001'], parent: '/permissions', hidden: true },
  { path: '/permissions/user', title: '用户权限', permission: ['1002'], parent: '/permissions', keepAlive: true },
  {
    path: '/permissions/device',
    title: '登录设备授权',
    permission: ['1002', '1101'],
    parent: '/permissions',
    keepAlive: true,
  },
  { path: '/marketing', title: '营销管理', permission: ['17'], parent: null, icon: 'marketing', group: true },
  {
    path: '/marketing/recharge-activity',
    title: '充值活动',
    permission: ['1701'],
    parent: '/marketing',
    keepAlive: true,
  },
  {
    path: '/marketing/charging-config',
    title: '计费配置',
    permission: ['1702'],
    parent: '/marketing',
    keepAlive: true,
  },
  { path: '/marketing/mall-config', title: '商城配置', permission: ['1703'], parent: '/marketing', keepAlive: true },
  { path: '/marketing/help-config', title: '帮助配置', permission: ['1704'], parent: '/marketing', keepAlive: true },
  { path: '/marketing/deposit-config', title: '会员配置', permission: ['1705'], parent: '/marketing', keepAlive: true },
  {
    path: '/marketing/activity-config',
    title: '骑行活动',
    permission: ['1706'],
    parent: '/marketing',
    keepAlive: true,
  },
  { path: '/marketing/activity-task', title: '固定活动', permission: ['1707'], parent: '/marketing', keepAlive: true },
  {
    path: '/marketing/activity-task-edit',
    title: '固定活动编辑',
    permission: ['1707'],
    parent: '/marketing',
    hidden: true,
  },
  { path: '/marketing/coupon', title: '优惠券', permission: ['1709'], parent: '/marketing', keepAlive: true },
  { path: '/marketing/coupon-add', title: '新增优惠券', permission: ['1709'], parent: '/marketing', hidden: true },
  {
    path: '/marketing/custom-activity-task',
    title: '自定义活动',
    permission: ['1710'],
    parent: '/marketing',
    keepAlive: true,
  },
  {
    path: '/marketing/custom-activity-task-edit',
    title: '自定义活动编辑',
    permission: ['1710'],
    parent: '/marketing',
    hidden: true,
  },
  {
    path: '/marketing/invite-activity-task',
    title: '邀请有礼',
    permission: ['yqyl'],
    parent: '/marketing',
    keepAlive: true,
  },
  {
    path: '/marketing/invite-activity-task-edit',
    title: '邀请有礼编辑',
    permission: ['yqyl'],
    parent: '/marketing',
    hidden: true,
  },
  { path: '/marketing/user-rewards', title: '用户奖励', permission: ['170801'], parent: '/marketing', keepAlive: true },
  { path: '/marketing/ad-config', title: '广告配置', permission: ['all'], parent: '/marketing', keepAlive: true },
  { path: '/backend', title: '运营配置', permission: ['05'], parent: null, icon: 'config', group: true },
  { path: '/backend/repair-config', title: '维修配置', permission: ['0501'], parent: '/backend', keepAlive: true },
  { path: '/backend/system-config', title: '系统配置', permission: ['0502'], parent: '/backend', keepAlive: true },
  {
    path: '/electronic/service-area-fence',
    title: '服务区围栏',
    permission: ['0503'],
    parent: '/backend',
    keepAlive: true,
  },
  { path: '/electronic/parking-fence', title: '停车点围栏', permission: ['0504'], parent: '/backend', keepAlive: true },
  {
    path: '/electronic/parking-fence-tencent',
    title: '停车点围栏(腾讯)',
    permission: ['0504'],
    parent: '/backend',
    keepAlive: true,
  },
  { path: '/electronic/no-stop-fence', title: '禁停区围栏', permission: ['0505'], parent: '/backend', keepAlive: true },
  { path: '/backend/notice-template', title: '通知模板', permission: ['0506'], parent: '/backend', keepAlive: true },
  { path: '/backend/message-config', title: '消息配置', permission: null, parent: '/backend', hidden: true },
  {
    path: '/report',
    title: '报表管理',
    permission: ['15'],
    parent: null,
    redirect: '/report/financial-statistics',
    icon: 'report',
    group: true,
  },
  {
    path: '/report/download-statistics',
    title: '财务对账',
    permission: ['FinancialReconciliation'],
    parent: '/report',
    keepAlive: true,
  },
  {
    path: '/report/financial-statistics',
    title: '每日统计',
    permission: ['150101'],
    parent: '/report',
    keepAlive: true,
  },
  { path: '/report/transaction-order', title: '交易订单', permission: ['1502'], parent: '/report', keepAlive: true },
  { path: '/report/wallet-report', title: '钱包报表', permission: ['150301'], parent: '/report', keepAlive: true },
  { path: '/report/deposit-report', title: '押金报表', permission: ['150401'], parent: '/report', keepAlive: true },
  {
    path: '/report/riding-card-report',
    title: '骑行卡报表',
    permission: ['150501'],
    parent: '/report',
    keepAlive: true,
  },
  {
    path: '/report/discount-card-report',
    title: '优惠卡报表',
    permission: ['150601'],
    parent: '/report',
    keepAlive: true,
  },
  { path: '/agent', title: '加盟商管理', permission: ['11'], parent: null, icon: 'agent', group: true },
  { path: '/agent/account-management', title: '账号管理', permission: ['1101'], parent: '/agent', keepAlive: true },
  { path: '/agent/role-management', title: '角色管理', permission: ['1102'], parent: '/agent', keepAlive: true },
  { path: '/agent/add-role', title: '新增角色', permission: ['1102'], parent: '/agent', hidden: true },
  {
    path: '/agent/service-area-management',
    title: '服务区管理',
    permission: ['1103'],
    parent: '/agent',
    keepAlive: true,
  },
  { path: '/production', title: '生产管理', permission: ['06'], parent: null, icon: 'production', group: true },
  { path: '/production/import-export', title: '导入导出', permission: null, parent: '/production', keepAlive: true },
  { path: '/production/voltage-scheme', title: '电压方案', permission: null, parent: '/production', keepAlive: true },
  { path: '/production/vehicle-list', title: '车辆列表', permission: null, parent: '/production', keepAlive: true },
  { path: '/production/vehicle-list-edit', title: '车辆编辑', permission: null, parent: '/production', hidden: true },
  {
    path: '/production/voice-customization',
    title: '语音定制',
    permission: null,
    parent: '/production',
    keepAlive: true,
  },
  { path: '/production/device-upgrade', title: '设备升级', permission: null, parent: '/production', keepAlive: true },
  { path: '/work', title: '反馈工单', permission: ['18'], parent: null, icon: 'feedback', group: true },
  { path: '/work/view-tickets', title: '查看工单', permission: ['1801'], parent: '/work', keepAlive: true },
  { path: '/work/new-work-order', title: '新建工单', permission: ['1802'], parent: '/work', keepAlive: true },
  { path: '/financial', title: '产品服务', permission: ['financial'], parent: null, icon: 'finance', group: true },
  {
    path: '/financial/CostCenter',
    title: '费用中心',
    permission: ['financial_01'],
    parent: '/financial',
    keepAlive: true,
  },
  {
    path: '/financial/SplitBill',
    title: '分账账单',
    permission: ['financial_02'],
    parent: '/financial',
    keepAlive: true,
  },
  {
    path: '/financial/CostCenter/recharge',
    title: '充值',
    permission: ['financial_01'],
    parent: '/financial',
    hidden: true,
  },
  {
    path: '/financial/CostCenter/withdraw',
    title: '提现',
    permission: ['financial_01'],
    parent: '/financial',
    hidden: true,
  },
  {
    path: '/financial/billDetails',
    title: '账单明细',
    permission: ['financial_03'],
    parent: '/financial',
    keepAlive: true,
  },
  {
    path: '/financial/TransactionDetails',
    title: '收支明细',
    permission: ['financial_01'],
    parent: '/financial',
    hidden: true,
  },
  {
    path: '/financial/objectionBill',
    title: '异议账单',
    permission: ['financial_04'],
    parent: '/financial',
    keepAlive: true,
  },
  {
    path: '/financial/objectionApply',
    title: '异议申请',
    permission: ['financial_03'],
    parent: '/financial',
    hidden: true,
  },
  {
    path: '/financial/objectionBillInfo',
    title: '异议账单详情',
    permission: ['financial_04'],
    parent: '/financial',
    hidden: true,
  },
  {
    path: '/financial/DosageDetails',
    title: '用量明细',
    permission: ['financial_03'],
    parent: '/financial',
    hidden: true,
  },
  {
    path: '/financial/ServiceDetails',
    title: '服务明细',
    permission: ['financial_03'],
    parent: '/financial',
    hidden: true,
  },
  {
    path: '/financial/SubAccountRule',
    title: '分账规则',
    permission: ['financial_05'],
    parent: '/financial',
    keepAlive: true,
  },
  {
    path: '/financial/AccountManager',
    title: '账户管理',
    permission: ['financial_06'],
    parent: '/financial',
    keepAlive: true,
  },
  { path: '/vehicle-info', title: '车辆详情', permission: null, parent: null, hidden: true },
  { path: '/user-worksheet-detail', title: '工单详情', permission: null, parent: null, hidden: true },
  { path: '/user-order-detail', title: '订单详情', permission: null, parent: null, hidden: true },
  { path: '/user-info-detail', title: '用户详情', permission: null, parent: null, hidden: true },
] as const satisfies readonly MenuRow[]

export const menuRows: readonly MenuRow[] = rows

type Rows = (typeof rows)[number]
export type RoutePath = Rows['path']
/** Paths that show a page of their own: neither a group nor a mere redirect. */
export type PagePath = Exclude<Rows, { readonly group: true } | { readonly redirect: string }>['path']

const byPath = new Map<string, MenuRow>(menuRows.map((row) => [row.path, row]))

export function menuRow(path: string): MenuRow | undefined {
  return byPath.get(path)
}

/** The row and its ancestors, outermost first. */
export function menuTrail(path: string): readonly MenuRow[] {
  const row = byPath.get(path)
  if (row === undefined) return []
  return row.parent === null ? [row] : [...menuTrail(row.parent), row]
}

/** True when row and group both share an entry with the held codes, or ask for none (section 6). */
export function isRoutePermitted(path: string, held: ReadonlySet<string>): boolean {
  const trail = menuTrail(path)
  if (trail.length === 0) return false
  // A page that is open to everyone is so whatever its group asks for: the group's code decides of the menu alone.
  if (trail.at(-1)?.permission === null) return true
  return trail.every((row) => row.permission === null || row.permission.some((code) => held.has(code)))
}

/** Visible pages of a group, in menu order. */
export function permittedChildren(groupPath: string, held: ReadonlySet<string>): readonly MenuRow[] {
  return menuRows.filter((row) => row.parent === groupPath && !row.hidden && isRoutePermitted(row.path, held))
}

/** Where a path leads: its own redirect, or a group's first permitted page; null when it has a page itself. */
export function redirectOf(path: string, held: ReadonlySet<string>): string | null {
  const row = byPath.get(path)
  if (row === undefined) return null
  if (row.redirect !== undefined && isRoutePermitted(row.redirect, held)) return row.redirect
  if (row.group) return permittedChildren(path, held)[0]?.path ?? '/404'
  return row.redirect === undefined ? null : '/404'
}
