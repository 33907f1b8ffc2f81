import type { ActivityCommon, ActivityShownState } from '@saddle/contract/marketing/activities.ts'
import { bearerLabels } from '@saddle/contract/riding/benefits.ts'
import { areasText, type AreaNames } from '#kit/areaNames.ts'
import { dateTime, money, number } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import type { Tone } from '#kit/ui/Mark.tsx'
import type { AnyKindUi } from './kind.ts'

export const toneOf: Readonly<Record<ActivityShownState, Tone>> = {
  draft: 'off',
  scheduled: 'info',
  on: 'good',
  dry: 'bad',
  paused: 'warn',
  over: 'off',
  ended: 'off',
}

/** Readings that an act on an activity makes stale. */
export const staleOf = ({ calls }: Pick<AnyKindUi, 'calls'>) => [calls.list, calls.sums, calls.versions]

/** When it runs. */
export const timeText = ({ startsAt, endsAt }: Pick<ActivityCommon, 'startsAt' | 'endsAt'>): string =>
  endsAt === null
    ? t('{{from}} 起长期', { from: dateTime(startsAt).slice(0, 16) })
    : t('{{from}} 至 {{to}}', { from: dateTime(startsAt).slice(0, 16), to: dateTime(endsAt).slice(0, 16) })

const limit = (value: number | null, text: (value: number) => string): string =>
  value === null ? t('不限', { context: 'limit' }) : text(value)
const times = (value: number): string => t('{{count}} 次', { count: value })

/** Time and limits in detail; versions are compared by these. */
export function commonFacts(
  common: ActivityCommon,
  names: AreaNames,
): readonly (readonly [label: string, value: string])[] {
  return [
    [t('活动名称'), common.name],
    [t('活动时间'), timeText(common)],
    [t('适用服务区'), areasText(common.areaIds, names)],
    [t('预算金额'), limit(common.budgetCents, (cents) => t('{{yuan}} 元', { yuan: money(cents) }))],
    [t('预算次数'), limit(common.budgetUses, times)],
    [t('每人次数'), limit(common.riderUses, times)],
    [t('每人每天次数'), limit(common.riderDayUses, times)],
    [t('每台手机次数'), limit(common.deviceUses, times)],
    [t('承担方'), common.bearer === 'partner' ? common.partner : t(bearerLabels[common.bearer])],
    [t('对照组比例'), `${number(common.holdoutPercent)}%`],
  ]
}
