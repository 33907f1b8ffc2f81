import { bankSubjectTitles } from './bankWords.ts'
import { marketingSubjectTitles } from './marketingWords.ts'
import { productionSubjectTitles } from './productionWords.ts'
import type { AuditAction } from './actions.ts'

/** The kinds of things that an audit record is about. */
export const auditSubjectTitles = {
  ...bankSubjectTitles,
  ...marketingSubjectTitles,
  ...productionSubjectTitles,
  setting: '系统配置',
  feed: '公开数据',
  partner_key: '合作方密钥',
  webhook: 'Webhook',
  mds_jurisdiction: 'MDS 辖区',
  mds_client: 'MDS 凭据',
  mds_policy: 'MDS 政策',
  notice_rule: '通知规则',
  notice_template: '通知模板',
  notice_delivery: '通知',
  rebalance_plan: '调度方案',
  agent: '公司',
  alarm: '告警',
  ally: '加盟联系人',
  application: '加盟申请',
  operator_device: '登录设备',
  order: '订单',
  price_version: '价格版本',
  area: '服务区',
  card_product: '骑行卡',
  channel_bill: '渠道账单',
  channel_difference: '渠道差异',
  command_batch: '批量指令',
  ticket: '用户工单',
  feedback: '反馈工单',
  endpoint: '接口',
  fence: '围栏',
  export: '导出',
  report_schedule: '定时报表',
  invoice: '发票',
  service_bill: '服务账单',
  meter_price: '计量单价',
  objection: '账单异议',
  charge_note: '充值单',
  asset_detail: '收支明细',
  operator: '人员',
  rider: '骑行用户',
  rider_import: '用户导入批次',
  role: '角色',
  screen: '大屏终端',
  screening: '筛查条件',
  session: '会话',
  task: '任务',
  repair_reason: '故障原因',
  park_application: '停车点申请',
  repair_part: '配件',
  vehicle: '车辆',
  device: '车载设备',
  unknown_device: '未知设备',
  vehicle_model: '车型',
} as const satisfies Readonly<Record<string, string>>
export type AuditSubject = keyof typeof auditSubjectTitles

export const auditSubjectTitle = (kind: string): string =>
  Object.hasOwn(auditSubjectTitles, kind) ? auditSubjectTitles[kind as AuditSubject] : kind

/** The three logs of the product: everything, and what happened to vehicles and to devices. */
export const logCategories = ['operator', 'vehicle', 'device'] as const
export type LogCategory = (typeof logCategories)[number]
/** Null: every kind. */
export const logCategorySubjects: Readonly<Record<LogCategory, readonly AuditSubject[] | null>> = {
  operator: null,
  vehicle: ['vehicle', 'command_batch', 'alarm'],
  device: ['operator_device', 'session', 'screen', 'device', 'unknown_device', 'vehicle_model'],
}

/** Actions that belong to a log although their subject is of another kind: logins are filed under the person. */
export const logCategoryActions: Readonly<Record<LogCategory, readonly AuditAction[]>> = {
  operator: [],
  vehicle: [],
  device: [
    'session.login',
    'session.login_refused',
    'session.logout',
    'session.code_wrong',
    'session.quick_link',
    'session.revoke',
    'totp.enable',
    'totp.disable',
    'totp.pass',
    'totp.wrong',
    'totp.reset',
  ],
}
