import {
  ridingActivityEndpoints as calls,
  type RidingTerms,
  type ridingTermsSchema,
} from '@saddle/contract/marketing/ridingActivities.ts'
import { weatherLabels } from '@saddle/contract/riding/benefits.ts'
import { number } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import type { ActivityKindUi } from '../activities/kind.ts'
import { PhoneCard } from '#kit/ui/PhoneFrame.tsx'
import { timeText } from '../activities/words.ts'
import { effectText } from '../coupons/words.ts'
import { clockText, ridingFields, ridingTermsOf, weekdayTitles, type RidingFields } from './ridingFields.ts'

const list = (texts: readonly string[]): string => texts.join(t('、'))

/** Under which conditions it holds, one line each. */
function conditionLines({ conditions }: Pick<RidingTerms, 'conditions'>): string[] {
  const { weekdays, hours, weathers: chosen, models, parked, minMinutes, minMetres } = conditions
  const titles = weekdayTitles()
  return [
    ...(weekdays.length === 0 ? [] : [list(weekdays.map((day) => titles[day - 1] ?? ''))]),
    ...(hours === null ? [] : [`${clockText(hours.from)}–${clockText(hours.to)}`]),
    ...(chosen.length === 0
      ? []
      : [t('天气：{{weathers}}', { weathers: list(chosen.map((one) => t(weatherLabels[one]))) })]),
    ...(models.length === 0 ? [] : [t('车型：{{models}}', { models: list(models) })]),
    ...(parked ? [t('须停入停车点')] : []),
    ...(minMinutes === 0 ? [] : [t('至少骑行 {{count}} 分钟', { count: minMinutes })]),
    ...(minMetres === 0 ? [] : [t('至少骑行 {{metres}} 米', { metres: number(minMetres) })]),
  ]
}

/** Riding activities, on the pages that all kinds share. */
export const ridingKind: ActivityKindUi<typeof ridingTermsSchema, RidingFields> = {
  title: () => t('骑行活动'),
  calls: {
    list: calls.listRidingActivities,
    sums: calls.sumRidingActivities,
    file: calls.exportRidingActivities,
    create: calls.createRidingActivity,
    change: calls.changeRidingActivity,
    switchState: calls.switchRidingActivity,
    versions: calls.ridingActivityVersions,
    preview: calls.previewRidingActivity,
  },
  listPath: '/marketing/activity-config',
  formPath: '/marketing/activity-config',
  fields: ridingFields,
  adjust: ({ off }) => ({
    percent: { isHidden: off !== 'percent' },
    maxCents: { isHidden: off !== 'percent' },
    cents: { isHidden: off !== 'cents' },
    minutes: { isHidden: off !== 'minutes' },
  }),
  termsOf: ridingTermsOf,
  words: (terms) => [effectText(terms), ...conditionLines(terms)].join(' · '),
  facts: (terms) => [
    [t('优惠内容'), effectText(terms)],
    [t('适用条件'), conditionLines(terms).join(t('；')) || t('不限')],
    [t('同享'), terms.alone ? t('不与其他优惠同享') : t('可与骑行卡、优惠券同享')],
  ],
  renderPhone: ({ common, terms }) => (
    <PhoneCard
      title={common.name || t('骑行活动')}
      lines={[
        ...conditionLines(terms),
        timeText(common),
        ...(common.riderDayUses === null ? [] : [t('每天限 {{count}} 次', { count: common.riderDayUses })]),
        ...(terms.alone ? [t('不与其他优惠同享')] : []),
        t('骑行结束时自动抵扣'),
      ]}
      aside={effectText(terms)}
    />
  ),
  previewTitles: () => [t('期间骑行'), t('享受优惠的骑行')],
}
