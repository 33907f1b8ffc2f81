/**
 * What an audit line says, in words: acts, kinds of things, and the fields that an act changes. A test of the server
 * holds every action that is written against this list.
 */
export const auditActionTitles = {
  'session.login': '登录',
  'session.login_refused': '登录被拒绝',
  'session.logout': '退出登录',
  'session.code_wrong': '验证码错误',
  'session.foreign_lookup': '查询他人手机号被拒绝',
  'session.foreign_scope': '查询他人权限被拒绝',
  'session.quick_link': '生成快捷登录链接',
  foreign_scope: '越界访问被拒绝',
  forbidden: '越权操作被拒绝',

  'vehicle.unlock': '开锁',
  'vehicle.lock': '关锁',
  'vehicle.ring': '寻车铃',
  'vehicle.open_battery': '打开电池仓',
  'vehicle.power_off': '断电',
  'vehicle.restart': '重启',
  'vehicle.locate': '立即定位',
  'vehicle.set_parameters': '设置参数',
  'vehicle.batch_unlock': '批量开锁',
  'vehicle.batch_lock': '批量关锁',
  'vehicle.batch_ring': '批量寻车铃',
  'vehicle.batch_open_battery': '批量打开电池仓',
  'vehicle.batch_power_off': '批量断电',
  'vehicle.batch_restart': '批量重启',
  'vehicle.batch_locate': '批量立即定位',
  'vehicle.batch_set_parameters': '批量设置参数',
  'vehicle.export': '导出车辆',
  'alarm.fix': '关闭告警',
  'repair.fix': '完成维修',
  'screening.save': '保存筛查条件',
  'screening.change': '修改筛查条件',
  'screening.remove': '删除筛查条件',

  'audit.export': '导出操作日志',
  'support.register': '客服登记',
  'support.reply': '客服回复',
  'platform.create': '初始化平台',
  'demo.fill': '写入演示数据',
} as const satisfies Readonly<Record<string, string>>
export type AuditAction = keyof typeof auditActionTitles

export const auditSubjectTitles = {
  agent: '公司',
  alarm: '告警',
  area: '服务区',
  command_batch: '批量指令',
  endpoint: '接口',
  export: '导出',
  operator: '人员',
  role: '角色',
  screening: '筛查条件',
  session: '会话',
  conversation: '客服对话',
  vehicle: '车辆',
} as const satisfies Readonly<Record<string, string>>
export type AuditSubject = keyof typeof auditSubjectTitles

/** Fields of `before` and `after`. */
export const auditFieldTitles = {
  alarms: '告警',
  areaId: '服务区',
  areaIds: '服务区',
  agentId: '公司',
  book: '日志',
  commandId: '指令编号',
  filter: '筛选条件',
  id: '编号',
  kind: '方式',
  name: '名称',
  note: '备注',
  number: '编号',
  parameters: '参数',
  reason: '原因',
  refusal: '拒绝原因',
  roleId: '角色',
  shared: '共享',
  tickets: '工单',
  vehicleId: '车辆',
  vehicleIds: '车辆',
} as const satisfies Readonly<Record<string, string>>

/** Which kind of thing the ids in a field are of, so that a name can stand in their place. */
export const auditReferences: Readonly<Record<string, AuditSubject>> = {
  agentId: 'agent',
  areaId: 'area',
  areaIds: 'area',
  operatorId: 'operator',
  roleId: 'role',
  vehicleId: 'vehicle',
  vehicleIds: 'vehicle',
}

/** The three logs of the product: everything, and what happened to vehicles and to devices. */
export const auditBooks = ['operator', 'vehicle', 'device'] as const
export type AuditBook = (typeof auditBooks)[number]
/** Null: every kind. */
export const auditBookSubjects: Readonly<Record<AuditBook, readonly AuditSubject[] | null>> = {
  operator: null,
  vehicle: ['vehicle', 'command_batch', 'alarm'],
  device: ['session'],
}

const within = (words: Readonly<Record<string, string>>, key: string): string =>
  Object.hasOwn(words, key) ? (words[key] ?? key) : key

/** The act in words; the code itself where it is not known. */
export const auditActionTitle = (action: string): string => within(auditActionTitles, action)
export const auditSubjectTitle = (kind: string): string => within(auditSubjectTitles, kind)
export const auditFieldTitle = (field: string): string => within(auditFieldTitles, field)
