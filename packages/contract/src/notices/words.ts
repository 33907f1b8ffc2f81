/** Words of notices that several domains need: the kinds that a person may turn off, and the ways a notice travels. */

export const noticeKinds = [
  'alarms',
  'tasks',
  'approvals',
  'finance',
  'marketing',
  'reports',
  'support',
  'security',
] as const
export type NoticeKind = (typeof noticeKinds)[number]
export const noticeKindLabels: Readonly<Record<NoticeKind, string>> = {
  alarms: '车辆告警',
  tasks: '运维任务',
  approvals: '待我审批',
  finance: '资金与账单',
  marketing: '营销活动',
  reports: '报表与导出',
  support: '工单',
  security: '登录与安全',
}

export const noticeChannels = ['in_app', 'email', 'sms', 'push', 'webhook'] as const
export type NoticeChannel = (typeof noticeChannels)[number]
export const noticeChannelLabels: Readonly<Record<NoticeChannel, string>> = {
  in_app: '站内消息',
  email: '邮件',
  sms: '短信',
  push: 'App 推送',
  webhook: 'Webhook',
}
/** Channels that reach a person wherever they are: quiet hours and caps hold for them. */
export const disturbingChannels = ['email', 'sms', 'push'] as const satisfies readonly NoticeChannel[]
export type DisturbingChannel = (typeof disturbingChannels)[number]

export const deliveryStates = ['queued', 'sending', 'sent', 'failed', 'suppressed'] as const
export type DeliveryState = (typeof deliveryStates)[number]
export const deliveryStateLabels: Readonly<Record<DeliveryState, string>> = {
  queued: '待发送',
  sending: '发送中',
  sent: '已送达',
  failed: '失败',
  suppressed: '未发送',
}

/** Why a notice was not sent, or not yet. */
export const deliveryReasons = [
  'quiet_hours',
  'cap',
  'repeated',
  'no_address',
  'not_configured',
  'refused',
  'no_answer',
] as const
export type DeliveryReason = (typeof deliveryReasons)[number]
export const deliveryReasonLabels: Readonly<Record<DeliveryReason, string>> = {
  quiet_hours: '免打扰时段，稍后发送',
  cap: '超过当日上限',
  repeated: '同一事项刚刚通知过',
  no_address: '接收人没有登记地址',
  not_configured: '渠道未配置',
  refused: '对方拒收',
  no_answer: '对方没有应答',
}
