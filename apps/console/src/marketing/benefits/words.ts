import { weatherLabels, type BenefitConditions } from '@saddle/contract/riding/benefits.ts'
import { t } from '#kit/i18n/index.ts'
import { clockText, metresText, weekdaysText } from './benefitFields.ts'

const list = (texts: readonly string[]): string => texts.join(t('、'))

/** Under which conditions it holds, one line each. */
export function conditionLines({ conditions }: { readonly conditions: Omit<BenefitConditions, 'areaIds'> }): string[] {
  const { weekdays, hours, weathers: chosen, models, parked, minMinutes, minMetres } = conditions
  return [
    ...(weekdays.length === 0 ? [] : [weekdaysText(weekdays)]),
    ...(hours === null ? [] : [`${clockText(hours.from)}–${clockText(hours.to)}`]),
    ...(chosen.length === 0
      ? []
      : [t('天气：{{weathers}}', { weathers: list(chosen.map((one) => t(weatherLabels[one]))) })]),
    ...(models.length === 0 ? [] : [t('车型：{{models}}', { models: list(models) })]),
    ...(parked ? [t('须停入停车点')] : []),
    ...(minMinutes === 0 ? [] : [t('至少骑行 {{count}} 分钟', { count: minMinutes })]),
    ...(minMetres === 0 ? [] : [t('至少骑行 {{distance}}', { distance: metresText(minMetres) })]),
  ]
}
