import {
  weatherLabels,
  weathers,
  type BenefitConditions,
  type BenefitEffect,
  type Weather,
} from '@saddle/contract/riding/benefits.ts'
import { checks, choice, flag } from '#kit/form/choiceFields.tsx'
import type { Inputs } from '#kit/form/field.ts'
import { number, text } from '#kit/form/textFields.tsx'
import { t } from '#kit/i18n/index.ts'
import { optionalCount, optionalYuan } from '../activities/commonFields.ts'

/** Fields of what lowers the charge of a ride, for riding activities and coupons. Their calls take them below `terms`. */

type Off = BenefitEffect['off']
/** Areas are chosen elsewhere in both forms. */
type Conditions = Omit<BenefitConditions, 'areaIds'>

export const weekdayTitles = () => [t('周一'), t('周二'), t('周三'), t('周四'), t('周五'), t('周六'), t('周日')]

/** Chosen days of the week: three and more that follow each other as a span. */
export function weekdaysText(days: readonly number[]): string {
  const titles = weekdayTitles()
  const title = (day: number): string => titles[day - 1] ?? ''
  const spans: number[][] = []
  for (const day of days.toSorted((a, b) => a - b)) {
    const span = spans.at(-1)
    if (span?.at(-1) === day - 1) span.push(day)
    else spans.push([day])
  }
  return spans
    .flatMap((span) =>
      span.length < 3
        ? span.map(title)
        : [t('{{from}}至{{to}}', { from: title(span[0] ?? 0), to: title(span.at(-1) ?? 0) })],
    )
    .join(t('、'))
}

/** `500 米`, `2.5 公里`. */
export const metresText = (metres: number): string =>
  metres < 1_000 ? t('{{metres}} 米', { metres }) : t('{{km}} 公里', { km: metres / 1_000 })

/** How much it takes off. */
export function effectFields(effect: BenefitEffect | undefined, usual: Off) {
  return {
    off: choice<Off>({
      label: t('优惠方式'),
      initial: effect?.off ?? usual,
      options: [
        { value: 'percent', label: t('按比例减') },
        { value: 'cents', label: t('减金额') },
        { value: 'minutes', label: t('免费分钟') },
        { value: 'start', label: t('免起步价') },
        { value: 'fee', label: t('免调度费') },
      ],
    }),
    percent: number({
      label: t('减免比例'),
      at: 'terms.effect.percent',
      unit: '%',
      ...(effect?.off === 'percent' && { initial: effect.percent }),
    }),
    maxCents: optionalYuan({
      label: t('最多减免'),
      at: 'terms.effect.maxCents',
      initialCents: effect?.off === 'percent' ? effect.maxCents : null,
    }),
    cents: optionalYuan({
      label: t('减免金额'),
      note: '',
      at: 'terms.effect.cents',
      initialCents: effect?.off === 'cents' ? effect.cents : null,
    }),
    minutes: number({
      label: t('免费分钟'),
      at: 'terms.effect.minutes',
      unit: t('分钟'),
      ...(effect?.off === 'minutes' && { initial: effect.minutes }),
    }),
  }
}
type EffectFields = ReturnType<typeof effectFields>

/** Fields that the chosen way of discount has nothing to do with are not shown. */
export const hiddenEffectFields = (off: Off) => ({
  percent: { isHidden: off !== 'percent' },
  maxCents: { isHidden: off !== 'percent' },
  cents: { isHidden: off !== 'cents' },
  minutes: { isHidden: off !== 'minutes' },
})

export function effectOf(values: Inputs<EffectFields>): BenefitEffect {
  const { off } = values
  switch (off) {
    case 'cents':
      return { off, cents: values.cents ?? 0 }
    case 'percent':
      return { off, percent: values.percent, maxCents: values.maxCents ?? null }
    case 'minutes':
      return { off, minutes: values.minutes }
    case 'start':
    case 'fee':
      return { off }
  }
}

/** Under which conditions it holds. */
export function conditionFields(conditions: Conditions | undefined) {
  return {
    weekdays: checks<number>({
      label: t('星期'),
      note: t('不选则不限'),
      at: 'terms.conditions.weekdays',
      initial: conditions?.weekdays ?? [],
      options: weekdayTitles().map((label, index) => ({ value: index + 1, label })),
    }),
    hoursFrom: hourField(t('时段开始'), 'terms.conditions.hours.from', conditions?.hours?.from),
    hoursTo: hourField(t('时段结束'), 'terms.conditions.hours.to', conditions?.hours?.to),
    weathers: checks<Weather>({
      label: t('天气'),
      note: t('不选则不限'),
      at: 'terms.conditions.weathers',
      initial: conditions?.weathers ?? [],
      options: weathers.map((value) => ({ value, label: t(weatherLabels[value]) })),
    }),
    models: {
      ...text({
        label: t('车型'),
        note: t('多个用逗号分开，不填则不限'),
        at: 'terms.conditions.models',
        initial: (conditions?.models ?? []).join('，'),
      }),
      read: (typed: string) => ({
        value: typed
          .split(/[,，]/)
          .map((name) => name.trim())
          .filter((name) => name !== ''),
      }),
    },
    minMinutes: optionalCount(t('最短骑行'), {
      at: 'terms.conditions.minMinutes',
      unit: t('分钟'),
      initial: zeroless(conditions?.minMinutes),
    }),
    minMetres: optionalCount(t('最短里程'), {
      at: 'terms.conditions.minMetres',
      unit: t('米'),
      initial: zeroless(conditions?.minMetres),
    }),
    parked: flag({
      label: t('还车'),
      at: 'terms.conditions.parked',
      initial: conditions?.parked ?? false,
      says: t('须停入停车点'),
    }),
  }
}

const zeroless = (value: number | undefined): number | undefined => (value === 0 ? undefined : value)

/** A time of the day, `HH:mm`; none: the whole day. */
export function hourField(label: string, at: string, initial: number | undefined) {
  const field = text({ label, at, placeholder: '22:00', isOptional: true, initial: clockText(initial) })
  return {
    ...field,
    read: (typed: string): { value: number | undefined } | { fault: string } => {
      if (typed.trim() === '') return { value: undefined }
      const [, hour = '', minute = ''] = /^(\d{1,2})[:：](\d{2})$/.exec(typed.trim()) ?? []
      const value = Number(hour) * 60 + Number(minute)
      return hour === '' || value > 1_440 || Number(minute) > 59
        ? { fault: t('{{label}}格式不正确', { label }) }
        : { value }
    },
  }
}

export const clockText = (minute: number | undefined): string =>
  minute === undefined
    ? ''
    : `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`
type ConditionFields = ReturnType<typeof conditionFields>

/** The conditions as the calls take them. */
export function conditionsOf(values: Inputs<ConditionFields>): Conditions {
  const { hoursFrom: from, hoursTo: to, weekdays, weathers: chosen, models, parked } = values
  return {
    weekdays,
    hours: from === undefined && to === undefined ? null : { from: from ?? 0, to: to ?? 1_440 },
    models,
    weathers: chosen,
    parked,
    minMinutes: values.minMinutes ?? 0,
    minMetres: values.minMetres ?? 0,
  }
}
