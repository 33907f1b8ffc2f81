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
  'session.revoke': '结束会话',
  'totp.enable': '启用动态口令',
  'totp.disable': '停用动态口令',
  'totp.pass': '动态口令验证通过',
  'totp.wrong': '动态口令错误',
  'device.request': '申请授权设备',
  'device.approve': '授权设备',
  'device.remove': '取消设备授权',
  'device.forget': '移除本人的设备',
  'device.policy': '修改设备授权策略',
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

  'agent.create': '新增公司',
  'agent.change': '修改公司',
  'application.accept': '通过加盟申请',
  'application.refuse': '拒绝加盟申请',
  'area.create': '新增服务区',
  'area.change': '修改服务区',
  'area.remove': '删除服务区',
  'role.create': '新增角色',
  'role.change': '修改角色',
  'role.enabled': '启用角色',
  'role.disabled': '停用角色',
  'role.remove': '删除角色',
  'operator.create': '新增人员',
  'operator.change': '修改人员',
  'operator.enabled': '启用人员',
  'operator.disabled': '停用人员',
  'operator.remove': '删除人员',
  'operator.support_account': '开通客服坐席账号',
  'ally.create': '登记加盟人',
  'ally.remove': '删除加盟人',
  'access.export': '导出权限审查',
  'price.publish': '发布价格',
  'order.refund': '订单退款',
  'order.export': '导出订单',
  'audit.export': '导出操作日志',
  'platform.create': '初始化平台',
  'demo.fill': '写入演示数据',
} as const satisfies Readonly<Record<string, string>>
export type AuditAction = keyof typeof auditActionTitles

export const auditSubjectTitles = {
  agent: '公司',
  alarm: '告警',
  ally: '加盟人',
  application: '加盟申请',
  operator_device: '登录设备',
  order: '订单',
  price_version: '价格版本',
  area: '服务区',
  command_batch: '批量指令',
  endpoint: '接口',
  export: '导出',
  operator: '人员',
  role: '角色',
  screening: '筛查条件',
  session: '会话',
  vehicle: '车辆',
} as const satisfies Readonly<Record<string, string>>
export type AuditSubject = keyof typeof auditSubjectTitles

/** Fields of `before` and `after`. */
export const auditFieldTitles = {
  alarms: '告警',
  agentId: '公司',
  applicationNumber: '申请编号',
  approved: '同时授权的设备数',
  areaId: '服务区',
  areaIds: '服务区',
  areas: '服务区',
  book: '日志',
  browser: '浏览器',
  byPhone: '按手机号查询',
  cents: '金额（分）',
  codes: '权限',
  commandId: '指令编号',
  company: '公司名称',
  corners: '顶点数',
  areaKm2: '面积（平方公里）',
  count: '数量',
  description: '说明',
  devicePolicy: '设备授权策略',
  during: '用于',
  filter: '筛选条件',
  financeTotpFrom: '财务角色须用动态口令自',
  id: '编号',
  kind: '方式',
  level: '级别',
  name: '名称',
  note: '备注',
  number: '编号',
  operatorId: '人员',
  parameters: '参数',
  parentId: '上级公司',
  parts: '明细',
  phone: '手机号',
  policy: '策略',
  reason: '原因',
  refundId: '退款编号',
  refusal: '拒绝原因',
  ring: '边界',
  roleId: '角色',
  sessions: '结束的会话数',
  shared: '共享',
  state: '状态',
  supportAccount: '坐席账号',
  tickets: '工单',
  validFrom: '生效时间',
  vehicleId: '车辆',
  vehicleIds: '车辆',
  with: '凭据',
} as const satisfies Readonly<Record<string, string>>

/** Which kind of thing the ids in a field are of, so that a name can stand in their place. */
export const auditReferences: Readonly<Record<string, AuditSubject>> = {
  agentId: 'agent',
  areaId: 'area',
  areaIds: 'area',
  areas: 'area',
  operatorId: 'operator',
  parentId: 'agent',
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
  device: ['operator_device', 'session'],
}

const within = (words: Readonly<Record<string, string>>, key: string): string =>
  Object.hasOwn(words, key) ? (words[key] ?? key) : key

/** The act in words; the code itself where it is not known. */
export const auditActionTitle = (action: string): string => within(auditActionTitles, action)
export const auditSubjectTitle = (kind: string): string => within(auditSubjectTitles, kind)
export const auditFieldTitle = (field: string): string => within(auditFieldTitles, field)
