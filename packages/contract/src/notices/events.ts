import { alarmKindLabels } from '#contract/fleet/vehicles.ts'
import { moneyActLabels } from '#contract/finance/secondPerson.ts'
import { objectionBillKindLabels } from '#contract/finance/objections.ts'
import { taskKindLabels, taskOutcomeLabels } from '#contract/operations/taskWords.ts'
import type { Permission } from '#contract/permissions.ts'
import { ticketKindLabels } from '#contract/support/tickets.ts'
import { feedbackEvents } from './feedbackEvents.ts'
import type { NoticeChannel, NoticeKind } from './words.ts'

/**
 * What the platform tells its staff of: one row per event. A domain tells of it in the transaction of its cause; who
 * hears of it, by which channels and in which words is decided afterwards, by the rules and templates of the company.
 */

/** How a value is written into a text. */
export type NoticeVariable =
  | {
      readonly title: string
      readonly as: 'text' | 'count' | 'cents' | 'instant' | 'percent'
      readonly sample: string | number
    }
  | {
      readonly title: string
      readonly as: 'code'
      readonly labels: Readonly<Record<string, string>>
      readonly sample: string
    }

export interface NoticeEvent {
  readonly title: string
  readonly kind: NoticeKind
  /**
   * `holders`: people of the company who hold one of the codes. `above`: the same of the companies above, which decide.
   * `named`: the people whom the cause names.
   */
  readonly to: 'holders' | 'above' | 'named'
  /** One of these is enough; the page that the notice leads to asks for them as well. */
  readonly permissions: readonly Permission[]
  /** Urgent ones are sent in quiet hours too. */
  readonly isUrgent: boolean
  readonly channels: readonly NoticeChannel[]
  readonly variables: Readonly<Record<string, NoticeVariable>>
  readonly subject: string
  readonly body: string
}

const text = (title: string, sample: string): NoticeVariable => ({ title, as: 'text', sample })
const vehicle = text('车辆编号', 'SD000123')
const area = text('服务区', '城北')
const person = text('人员', '王芳')
const cents = { title: '金额', as: 'cents', sample: 12_345 } as const
const name = text('名称', '国庆骑行立减')
const file = text('文件', 'orders.xlsx')
const number = text('单号', '1024')

export const noticeEvents = {
  alarm_serious: {
    title: '严重告警',
    kind: 'alarms',
    to: 'holders',
    permissions: ['0301', '0302', '0305'],
    isUrgent: true,
    channels: ['in_app'],
    variables: { vehicle, area, alarm: { title: '告警', as: 'code', labels: alarmKindLabels, sample: 'fall' } },
    subject: '{{vehicle}} {{alarm}}',
    body: '{{area}}的车辆 {{vehicle}} 出现告警：{{alarm}}。',
  },
  alarm_ordinary: {
    title: '一般告警',
    kind: 'alarms',
    to: 'holders',
    permissions: ['0301', '0302', '0305'],
    isUrgent: false,
    channels: [],
    variables: { vehicle, area, alarm: { title: '告警', as: 'code', labels: alarmKindLabels, sample: 'low_battery' } },
    subject: '{{vehicle}} {{alarm}}',
    body: '{{area}}的车辆 {{vehicle}} 出现告警：{{alarm}}。',
  },
  task_assigned: {
    title: '任务指派给我',
    kind: 'tasks',
    to: 'named',
    permissions: [],
    isUrgent: false,
    channels: ['in_app'],
    variables: {
      vehicle,
      area,
      task: { title: '任务', as: 'code', labels: taskKindLabels, sample: 'battery_swap' },
      person,
    },
    subject: '新任务：{{task}} {{vehicle}}',
    body: '{{person}}把{{area}}车辆 {{vehicle}} 的{{task}}任务指派给你。',
  },
  task_overdue: {
    title: '任务超时',
    kind: 'tasks',
    to: 'holders',
    permissions: ['090901'],
    isUrgent: false,
    channels: ['in_app'],
    variables: { vehicle, area, task: { title: '任务', as: 'code', labels: taskKindLabels, sample: 'repair' } },
    subject: '任务超时：{{task}} {{vehicle}}',
    body: '{{area}}车辆 {{vehicle}} 的{{task}}任务已超过时限，仍未完成。',
  },
  task_reported: {
    title: '现场反馈',
    kind: 'tasks',
    to: 'holders',
    permissions: ['090901'],
    isUrgent: false,
    channels: ['in_app'],
    variables: {
      vehicle,
      area,
      task: { title: '任务', as: 'code', labels: taskKindLabels, sample: 'move' },
      outcome: { title: '反馈', as: 'code', labels: taskOutcomeLabels, sample: 'not_found' },
      person,
      note: { title: '说明', as: 'text', sample: '小区门卫不让进' },
    },
    subject: '现场反馈：{{outcome}} {{vehicle}}',
    body: '{{person}}在{{area}}处理车辆 {{vehicle}} 的{{task}}任务时反馈：{{outcome}}。{{note}}',
  },
  money_waiting: {
    title: '退款等资金操作待确认',
    kind: 'approvals',
    to: 'holders',
    permissions: ['07010111', '07010112', '07010113', '160101', '170801', 'financial_02'],
    isUrgent: false,
    channels: ['in_app'],
    variables: { act: { title: '操作', as: 'code', labels: moneyActLabels, sample: 'order_refund' }, cents, person },
    subject: '待确认：{{act}} {{cents}}',
    body: '{{person}}提交了{{act}}，金额 {{cents}}，需要另一人确认。',
  },
  withdrawal_waiting: {
    title: '提现待复核',
    kind: 'approvals',
    to: 'holders',
    permissions: ['financial_01'],
    isUrgent: false,
    channels: ['in_app', 'email'],
    variables: { cents, person },
    subject: '提现待复核：{{cents}}',
    body: '{{person}}申请提现 {{cents}}，需要另一人复核后才会发往银行。',
  },
  withdrawal_paid: {
    title: '提现到账',
    kind: 'finance',
    to: 'holders',
    permissions: ['financial_01'],
    isUrgent: false,
    channels: ['in_app'],
    variables: { cents, number },
    subject: '提现到账：{{cents}}',
    body: '提现 {{cents}} 已由银行付出，单号 {{number}}。',
  },
  withdrawal_failed: {
    title: '提现失败',
    kind: 'finance',
    to: 'holders',
    permissions: ['financial_01'],
    isUrgent: true,
    channels: ['in_app', 'email'],
    variables: { cents, number },
    subject: '提现失败：{{cents}}',
    body: '提现 {{cents}} 没有成功，款项已退回可用余额，单号 {{number}}。',
  },
  statement_sealed: {
    title: '对账单已封存',
    kind: 'finance',
    to: 'holders',
    permissions: ['financial_02'],
    isUrgent: false,
    channels: ['in_app'],
    variables: { from: text('首日', '2026-11-01'), to: text('末日', '2026-11-30'), cents },
    subject: '对账单 {{from}} 至 {{to}}',
    body: '{{from}} 至 {{to}} 的对账单已封存，自有收入 {{cents}}，可下载核对。',
  },
  objection_submitted: {
    title: '收到账单异议',
    kind: 'approvals',
    to: 'above',
    permissions: ['financial_04'],
    isUrgent: false,
    channels: ['in_app'],
    variables: {
      company: text('加盟商', '城北出行'),
      bill: { title: '账单', as: 'code', labels: objectionBillKindLabels, sample: 'service' },
      cents,
    },
    subject: '{{company}}提出异议',
    body: '{{company}}对{{bill}}提出异议，争议金额 {{cents}}。',
  },
  objection_decided: {
    title: '账单异议有结果',
    kind: 'finance',
    to: 'holders',
    permissions: ['financial_04'],
    isUrgent: false,
    channels: ['in_app'],
    variables: { bill: { title: '账单', as: 'code', labels: objectionBillKindLabels, sample: 'split' }, cents },
    subject: '异议有结果',
    body: '对{{bill}}的异议已处理，采纳金额 {{cents}}。',
  },
  budget_low: {
    title: '营销预算将用完',
    kind: 'marketing',
    to: 'holders',
    permissions: ['1701', '1706', '1707', '1709', '1710', 'yqyl'],
    isUrgent: false,
    channels: ['in_app'],
    variables: { name, percent: { title: '已用', as: 'percent', sample: 80 } },
    subject: '预算已用 {{percent}}：{{name}}',
    body: '“{{name}}”的预算已用 {{percent}}。',
  },
  budget_dry: {
    title: '营销预算已用完',
    kind: 'marketing',
    to: 'holders',
    permissions: ['1701', '1706', '1707', '1709', '1710', 'yqyl'],
    isUrgent: false,
    channels: ['in_app'],
    variables: { name },
    subject: '预算已用完：{{name}}',
    body: '“{{name}}”的预算已用完，不再发放和抵扣。',
  },
  export_done: {
    title: '导出完成',
    kind: 'reports',
    to: 'named',
    permissions: [],
    isUrgent: false,
    channels: ['in_app'],
    variables: { file, rows: { title: '行数', as: 'count', sample: 1_200 } },
    subject: '导出完成：{{file}}',
    body: '{{file}} 已生成，共 {{rows}} 行，可在导出中心下载。',
  },
  export_failed: {
    title: '导出失败',
    kind: 'reports',
    to: 'named',
    permissions: [],
    isUrgent: false,
    channels: ['in_app'],
    variables: { file },
    subject: '导出失败：{{file}}',
    body: '{{file}} 没有生成，请在导出中心查看原因后重试。',
  },
  report_ready: {
    title: '定时报表已生成',
    kind: 'reports',
    to: 'named',
    permissions: [],
    isUrgent: false,
    channels: ['in_app', 'email'],
    variables: { name: text('报表', '每日统计'), from: text('首日', '2026-11-01'), to: text('末日', '2026-11-30') },
    subject: '{{name}} {{from}} 至 {{to}}',
    body: '定时报表“{{name}}”（{{from}} 至 {{to}}）已生成，登录后可下载。',
  },
  report_failed: {
    title: '定时报表未生成',
    kind: 'reports',
    to: 'named',
    permissions: [],
    isUrgent: false,
    channels: ['in_app', 'email'],
    variables: { name: text('报表', '每日统计') },
    subject: '{{name}}未生成',
    body: '定时报表“{{name}}”没有生成，请登录后查看原因。',
  },
  ticket_opened: {
    title: '新的用户工单',
    kind: 'support',
    to: 'holders',
    permissions: ['0401'],
    isUrgent: false,
    channels: ['in_app'],
    variables: { number, ticket: { title: '类型', as: 'code', labels: ticketKindLabels, sample: 'fault' } },
    subject: '新工单：{{ticket}}',
    body: '收到新的用户工单 {{number}}，类型：{{ticket}}。',
  },
  ticket_assigned: {
    title: '工单指派给我',
    kind: 'support',
    to: 'named',
    permissions: [],
    isUrgent: false,
    channels: ['in_app'],
    variables: { number, ticket: { title: '类型', as: 'code', labels: ticketKindLabels, sample: 'charge' }, person },
    subject: '工单指派给我：{{number}}',
    body: '{{person}}把工单 {{number}} 指派给你，类型：{{ticket}}。',
  },
  ...feedbackEvents,
  webhook_paused: {
    title: 'Webhook 已暂停',
    kind: 'security',
    to: 'holders',
    permissions: ['1104'],
    isUrgent: false,
    channels: ['in_app', 'email'],
    variables: { name: text('名称', '订单同步'), failures: { title: '失败', as: 'count', sample: 30 } },
    subject: 'Webhook 已暂停：{{name}}',
    body: 'Webhook“{{name}}”连续 {{failures}} 次未能送达，已暂停推送；恢复后会补发暂停期间的消息。',
  },
  mds_agency_paused: {
    title: 'MDS 推送已暂停',
    kind: 'security',
    to: 'holders',
    permissions: ['1104'],
    isUrgent: false,
    channels: ['in_app', 'email'],
    variables: { name: text('辖区', '市交通局'), failures: { title: '失败', as: 'count', sample: 30 } },
    subject: 'MDS 推送已暂停：{{name}}',
    body: '向辖区“{{name}}”的推送连续 {{failures}} 次未能送达，已暂停；恢复后会补发暂停期间的记录。',
  },
  mds_cap_exceeded: {
    title: '车辆数超出城市的上限',
    kind: 'tasks',
    to: 'holders',
    permissions: ['1104'],
    isUrgent: false,
    channels: ['in_app', 'email'],
    variables: {
      name: text('规则', '老城区上限'),
      vehicles: { title: '车辆', as: 'count', sample: 312 },
      maximum: { title: '上限', as: 'count', sample: 300 },
    },
    subject: '车辆数超出城市的上限：{{name}}',
    body: '城市规则“{{name}}”的区域内停放着 {{vehicles}} 辆车，上限为 {{maximum}} 辆。',
  },
  mds_policy_ended: {
    title: 'MDS 政策已结束',
    kind: 'security',
    to: 'holders',
    permissions: ['1104'],
    isUrgent: false,
    channels: ['in_app', 'email'],
    variables: {
      name: text('政策', '老城区停放规定'),
      fences: { title: '围栏', as: 'count', sample: 3 },
    },
    subject: 'MDS 政策已结束：{{name}}',
    body: '城市政策“{{name}}”已到期或已被替代，由它生成的 {{fences}} 个禁停区已删除，其车辆数上限不再清点。',
  },
  upgrade_stopped: {
    title: '设备升级已停止',
    kind: 'alarms',
    to: 'holders',
    permissions: ['06'],
    isUrgent: true,
    channels: ['in_app', 'email'],
    variables: { name: text('升级', '1.4.2 灰度'), failed: { title: '失败', as: 'count', sample: 3 } },
    subject: '升级已停止：{{name}}',
    body: '升级“{{name}}”因 {{failed}} 台设备失败而停止。',
  },
  upgrade_finished: {
    title: '设备升级已完成',
    kind: 'alarms',
    to: 'holders',
    permissions: ['06'],
    isUrgent: false,
    channels: ['in_app'],
    variables: { name: text('升级', '1.4.2 灰度'), done: { title: '成功', as: 'count', sample: 200 } },
    subject: '升级已完成：{{name}}',
    body: '升级“{{name}}”已完成，{{done}} 台设备成功。',
  },
} as const satisfies Readonly<Record<string, NoticeEvent>>

export type NoticeEventName = keyof typeof noticeEvents
export const noticeEventNames = Object.keys(noticeEvents) as [NoticeEventName, ...NoticeEventName[]]
export const noticeEventLabels = Object.fromEntries(
  Object.entries(noticeEvents).map(([event, { title }]) => [event, title]),
) as Readonly<Record<NoticeEventName, string>>
/** The same row without its own literal types. */
export const noticeEvent = (event: NoticeEventName): NoticeEvent => noticeEvents[event]

/** The values that a cause gives for an event. */
export type NoticeValues<E extends NoticeEventName> = {
  readonly [K in keyof (typeof noticeEvents)[E]['variables']]: string | number
}

const placeholder = /\{\{\s*(\w+)\s*\}\}/g

/** The names that a text asks for. */
export const placeholdersOf = (template: string): readonly string[] =>
  [...template.matchAll(placeholder)].map(([, found = '']) => found)

/** The text with its values; a name without a value becomes `--`. */
export const filled = (template: string, values: Readonly<Record<string, string>>): string =>
  template.replaceAll(placeholder, (_, found: string) => values[found] ?? '--')
