import { moneyActLifetimeMs } from '#contract/finance/secondPerson.ts'
import { alarmKindLabels, seriousAlarms } from '#contract/fleet/vehicles.ts'
import { reservationMs } from '#contract/riding/rides.ts'
import { hourMs, minuteMs } from '#contract/time.ts'
import { ticketsPerDayMax } from '#contract/support/tickets.ts'

/**
 * What a company or a service area may choose of how the platform works: one row per setting. A company without a choice of
 * its own has that of the company above, and in the end the default; an area has that of its company.
 */

export const settingGroups = ['rides', 'alarms', 'support', 'money'] as const
export type SettingGroup = (typeof settingGroups)[number]
export const settingGroupLabels: Readonly<Record<SettingGroup, string>> = {
  rides: '骑行',
  alarms: '告警',
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
  serious_alarms: {
    group: 'alarms',
    title: '严重告警',
    effect: '之后出现的这些告警按“严重告警”通知，其余按“一般告警”通知',
    level: 'company',
    kind: 'codes',
    labels: alarmKindLabels,
    usual: seriousAlarms,
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
