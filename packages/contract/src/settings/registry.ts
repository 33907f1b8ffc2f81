import { invoiceableDays } from '#contract/finance/invoices.ts'
import { moneyActLifetimeMs } from '#contract/finance/secondPerson.ts'
import {
  alarmKindLabels,
  batteryChargedPercent,
  batteryLowPercent,
  lowBatteryPercent,
  offlineAfterMs,
  seriousAlarms,
} from '#contract/fleet/vehicles.ts'
import { reservationMs } from '#contract/riding/rides.ts'
import { taskCancelledHours, taskRestHours } from '#contract/operations/taskRules.ts'
import { hourMs, minuteMs } from '#contract/time.ts'
import { ticketReopenDays, ticketsPerDayMax } from '#contract/support/tickets.ts'

/** What the rules for users' funds of shared vehicles allow; a company may take less. */
export const prepaidCapYuan = 100

/**
 * What a company or a service area may choose of how the platform works: one row per setting. A company without a choice of
 * its own has that of the company above, and in the end the default; an area has that of its company.
 */

export const settingGroups = ['rides', 'vehicles', 'alarms', 'tasks', 'support', 'money'] as const
export type SettingGroup = (typeof settingGroups)[number]
export const settingGroupLabels: Readonly<Record<SettingGroup, string>> = {
  rides: '骑行',
  vehicles: '车辆',
  alarms: '告警',
  tasks: '运维任务',
  support: '客服',
  money: '资金',
}

interface Common {
  readonly group: SettingGroup
  readonly title: string
  /** What a change does, and to what. */
  readonly effect: string
  /** `area`: an area may choose for itself. */
  readonly level: 'company' | 'area'
}
export interface NumberSetting extends Common {
  readonly kind: 'number'
  readonly unit: string
  readonly min: number
  readonly max: number
  readonly usual: number
}
export interface CodesSetting extends Common {
  readonly kind: 'codes'
  readonly labels: Readonly<Record<string, string>>
  readonly usual: readonly string[]
}
export type Setting = NumberSetting | CodesSetting

export const settings = {
  reservation_minutes: {
    group: 'rides',
    title: '预约保留时间',
    effect: '新的预约按此保留车辆，到时未开锁自动取消；已有的预约不变',
    level: 'area',
    kind: 'number',
    unit: '分钟',
    min: 1,
    max: 60,
    usual: reservationMs / minuteMs,
  },
  battery_out_percent: {
    group: 'vehicles',
    title: '停止租用的电量',
    effect: '可用车辆的电量低于此值时停运，等待换电；骑行中的车辆不受影响',
    level: 'area',
    kind: 'number',
    unit: '%',
    min: 1,
    max: 15,
    usual: batteryLowPercent,
  },
  battery_back_percent: {
    group: 'vehicles',
    title: '恢复租用的电量',
    effect: '因电量低停运的车辆，电量不低于此值时恢复可用',
    level: 'area',
    kind: 'number',
    unit: '%',
    min: 16,
    max: 60,
    usual: batteryChargedPercent,
  },
  low_battery_percent: {
    group: 'vehicles',
    title: '视为低电量的电量',
    effect:
      '电量低于此值即视为低电量并告警，高出 5 个百分点后告警解除；地图、列表与统计立即按新值计算，告警从车辆下一次上报起',
    level: 'company',
    kind: 'number',
    unit: '%',
    min: 15,
    max: 50,
    usual: lowBatteryPercent,
  },
  offline_minutes: {
    group: 'vehicles',
    title: '视为离线的时间',
    effect: '车辆超过这个时间没有上报即视为离线，地图、列表、统计与告警立即按新值计算',
    level: 'company',
    kind: 'number',
    unit: '分钟',
    min: 3,
    max: 120,
    usual: offlineAfterMs / minuteMs,
  },
  factory_test_needed: {
    group: 'vehicles',
    title: '须先通过出厂检测的操作',
    effect: '之后未通过出厂检测的车辆不能做所选的操作；检测中与返修中的车辆一律不能',
    level: 'company',
    kind: 'codes',
    labels: { deliver: '交付', deploy: '投放' },
    usual: [],
  },
  serious_alarms: {
    group: 'alarms',
    title: '严重告警',
    effect: '之后出现的这些告警按“严重告警”通知，其余按“一般告警”通知',
    level: 'company',
    kind: 'codes',
    labels: alarmKindLabels,
    usual: seriousAlarms,
  },
  task_rest_hours: {
    group: 'tasks',
    title: '任务完成后的间隔',
    effect: '一类任务完成后，规则在这段时间内不会给同一辆车再建同类任务',
    level: 'area',
    kind: 'number',
    unit: '小时',
    min: 0,
    max: 48,
    usual: taskRestHours,
  },
  task_cancelled_hours: {
    group: 'tasks',
    title: '任务取消后的间隔',
    effect: '一类任务被取消后，规则在这段时间内不会给同一辆车再建同类任务',
    level: 'area',
    kind: 'number',
    unit: '小时',
    min: 1,
    max: 168,
    usual: taskCancelledHours,
  },
  tickets_per_day: {
    group: 'support',
    title: '每个用户每天可提交的工单数',
    effect: '超过后用户当天不能再提交工单；已提交的不变',
    level: 'company',
    kind: 'number',
    unit: '个',
    min: 1,
    max: 100,
    usual: ticketsPerDayMax,
  },
  ticket_reopen_days: {
    group: 'support',
    title: '用户工单答复后可追问的天数',
    effect: '用户在这段时间内补充说明会重新打开工单，之后已答复的工单自动关闭',
    level: 'company',
    kind: 'number',
    unit: '天',
    min: 1,
    max: 30,
    usual: ticketReopenDays,
  },
  prepaid_cap_yuan: {
    group: 'money',
    title: '用户余额上限',
    effect:
      '充值后余额会超过此值的，充值被拒绝，已付的原路退回；已有的余额不变。平台的上限更低时按平台的上限，最大值表示按平台的上限',
    level: 'company',
    kind: 'number',
    unit: '元',
    min: 10,
    max: prepaidCapYuan,
    usual: prepaidCapYuan,
  },
  invoice_days: {
    group: 'money',
    title: '可开票的天数',
    effect: '用户可以为这段时间内的骑行与充值申请发票；已提交的申请不变',
    level: 'company',
    kind: 'number',
    unit: '天',
    min: 30,
    max: 365,
    usual: invoiceableDays,
  },
  money_act_hours: {
    group: 'money',
    title: '待确认资金操作的有效时间',
    effect: '之后提交的退款、扣款等操作，超过这个时间没有另一人确认就失效',
    level: 'company',
    kind: 'number',
    unit: '小时',
    min: 1,
    max: 168,
    usual: moneyActLifetimeMs / hourMs,
  },
} as const satisfies Readonly<Record<string, Setting>>

export type SettingCode = keyof typeof settings
export const settingCodes = Object.keys(settings) as [SettingCode, ...SettingCode[]]
/** The same row without its own literal types. */
export const settingOf = (code: SettingCode): Setting => settings[code]

export type SettingValue = number | readonly string[]
export type ValueOf<C extends SettingCode> = (typeof settings)[C] extends { readonly kind: 'number' }
  ? number
  : readonly string[]

/** Whether a setting may have this value. */
export function isSettingValue(code: SettingCode, value: unknown): value is SettingValue {
  const setting = settingOf(code)
  if (setting.kind === 'number')
    return typeof value === 'number' && Number.isInteger(value) && value >= setting.min && value <= setting.max
  return (
    Array.isArray(value) &&
    new Set(value).size === value.length &&
    value.every((one) => typeof one === 'string' && Object.hasOwn(setting.labels, one))
  )
}
