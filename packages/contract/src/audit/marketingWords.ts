/** What an audit line about marketing says, in words. */

export const marketingActionTitles = {
  'coupon.create': '新增优惠券',
  'coupon.change': '修改优惠券',
  'coupon.on': '恢复发放优惠券',
  'coupon.off': '暂停发放优惠券',
  'coupon.issue': '发放优惠券',
  'coupon.codes': '生成兑换码',
  'coupon.revoke': '收回优惠券',
  'coupon.export': '导出优惠券',
} as const

export const marketingSubjectTitles = { coupon_template: '优惠券', coupon_batch: '优惠券批次' } as const

export const marketingFieldTitles = {
  terms: '规则',
  batchId: '批次编号',
  templateId: '优惠券',
  wanted: '计划张数',
  issued: '已发放',
  revoked: '已收回',
  claimUntil: '兑换截止',
  effect: '优惠内容',
  off: '优惠方式',
  minutes: '分钟数',
  percent: '百分比',
  maxCents: '最多减免（元）',
  fromCents: '使用门槛（元）',
  conditions: '适用条件',
  weekdays: '星期',
  hours: '时段',
  weathers: '天气',
  parked: '须停入停车点',
  minMinutes: '最短分钟数',
  minMetres: '最短里程（米）',
  bearer: '承担方',
  partner: '合作方',
  alone: '不与其他优惠同享',
  validDays: '有效天数',
  validUntil: '截止时间',
  budgetCents: '预算金额（元）',
  budgetUses: '预算次数',
  riderMax: '每人持有上限',
} as const
