import {
  bearerLabels,
  bearers,
  weatherLabels,
  weathers,
  type BenefitConditions,
} from '@saddle/contract/riding/benefits.ts'
import { couponTermsSchema, type CouponTerms } from '@saddle/contract/marketing/couponTerms.ts'
import type { Inputs, Values } from '#kit/form/field.ts'
import { checks, choice, flag, many, type Option } from '#kit/form/choiceFields.tsx'
import { day } from '#kit/form/otherFields.tsx'
import { number, text } from '#kit/form/textFields.tsx'
import { businessDayOf } from '@saddle/contract/time.ts'
import { t } from '#kit/i18n/index.ts'

type Off = CouponTerms['effect']['off']

const yuanOf = (cents: number | null | undefined): number | undefined =>
  cents === null || cents === undefined || cents === 0 ? undefined : cents / 100
const amount = (label: string, cents: number | null | undefined, at: string) =>
  number({ label, unit: t('元'), decimals: 2, isOptional: true, at: `form.${at}`, ...initialOf(yuanOf(cents)) })
const whole = (label: string, value: number | null | undefined, at: string, unit?: string) =>
  number({
    label,
    isOptional: true,
    at: `form.${at}`,
    ...(unit !== undefined && { unit }),
    ...initialOf(value ?? undefined),
  })
const initialOf = (initial: number | undefined) => (initial === undefined ? {} : { initial })

/** The fields of a coupon's terms; they begin with those of another coupon. */
export function couponFields(of: CouponTerms | null, areas: readonly Option<number>[]) {
  const effect = of?.effect
  const conditions: BenefitConditions | undefined = of?.conditions
  const minutes = effect?.off === 'minutes' ? effect.minutes : undefined
  return {
    name: text({ label: t('名称'), initial: of?.name ?? '', refusals: ['name_taken'] }),
    off: choice<Off>({
      label: t('优惠方式'),
      initial: effect?.off ?? 'cents',
      options: [
        { value: 'cents', label: t('减金额') },
        { value: 'percent', label: t('按比例减') },
        { value: 'minutes', label: t('免费分钟') },
        { value: 'start', label: t('免起步价') },
        { value: 'fee', label: t('免调度费') },
      ],
    }),
    yuan: amount(t('减免金额'), effect?.off === 'cents' ? effect.cents : undefined, 'yuan'),
    percent: whole(t('减免比例'), effect?.off === 'percent' ? effect.percent : undefined, 'percent', '%'),
    maxYuan: amount(t('最多减免'), effect?.off === 'percent' ? effect.maxCents : undefined, 'maxYuan'),
    minutes: whole(t('免费分钟'), minutes, 'minutes', t('分钟')),
    fromYuan: amount(t('使用门槛'), of?.fromCents, 'fromYuan'),
    validDays: whole(t('有效天数'), of?.validDays, 'validDays', t('天')),
    validUntil: day({
      label: t('或有效期至'),
      as: 'end',
      isOptional: true,
      at: 'form.validUntil',
      ...(of?.validUntil !== null && of !== null && { initial: businessDayOf(of.validUntil - 1) }),
    }),
    areaIds: many<number>({
      label: t('适用服务区'),
      note: t('不选则全部'),
      options: areas,
      initial: conditions?.areaIds ?? [],
    }),
    weathers: checks({
      label: t('天气'),
      note: t('不选则不限'),
      initial: conditions?.weathers ?? [],
      options: weathers.map((value) => ({ value, label: t(weatherLabels[value]) })),
    }),
    minMinutes: whole(t('最短骑行'), conditions?.minMinutes, 'minMinutes', t('分钟')),
    parked: flag({ label: t('还车'), initial: conditions?.parked ?? false, says: t('须停入停车点') }),
    alone: flag({ label: t('同享'), initial: of?.alone ?? false, says: t('不与其他优惠同享') }),
    bearer: choice({
      label: t('承担方'),
      initial: of?.bearer ?? 'company',
      options: bearers.map((value) => ({ value, label: t(bearerLabels[value]) })),
      refusals: ['coupon_platform_bears'],
    }),
    partner: text({ label: t('合作方'), initial: of?.partner ?? '', isOptional: true }),
    budgetYuan: amount(t('预算金额'), of?.budgetCents, 'budgetYuan'),
    budgetUses: whole(t('预算次数'), of?.budgetUses, 'budgetUses', t('次')),
    riderMax: whole(t('每人持有上限'), of?.riderMax, 'riderMax', t('张')),
  }
}

type CouponForm = ReturnType<typeof couponFields>

const centsOf = (yuan: number | undefined): number | null => (yuan === undefined ? null : Math.round(yuan * 100))

/** Fields that the chosen kind of discount has nothing to do with are not shown. */
export function hiddenFields({ off, bearer }: Pick<Values<CouponForm>, 'off' | 'bearer'>) {
  return {
    yuan: { isHidden: off !== 'cents' },
    percent: { isHidden: off !== 'percent' },
    maxYuan: { isHidden: off !== 'percent' },
    minutes: { isHidden: off !== 'minutes' },
    partner: { isHidden: bearer !== 'partner' },
  }
}

/** The terms as the call takes them. */
export function termsOf(values: Inputs<CouponForm>, kept: CouponTerms | null) {
  const { off, areaIds, weathers: chosen, minMinutes = 0, parked } = values
  const base = kept?.conditions ?? { weekdays: [], hours: null, models: [], minMetres: 0 }
  return {
    name: values.name,
    effect: effectOf(off, values),
    fromCents: centsOf(values.fromYuan) ?? 0,
    conditions: { ...base, areaIds, weathers: chosen, minMinutes, parked },
    bearer: values.bearer,
    partner: values.bearer === 'partner' ? (values.partner ?? '') : '',
    alone: values.alone,
    validDays: values.validDays ?? null,
    validUntil: values.validUntil ?? null,
    budgetCents: centsOf(values.budgetYuan),
    budgetUses: values.budgetUses ?? null,
    riderMax: values.riderMax ?? null,
  }
}

function effectOf(off: Off, values: Inputs<CouponForm>): CouponTerms['effect'] {
  switch (off) {
    case 'cents':
      return { off, cents: centsOf(values.yuan) ?? 0 }
    case 'percent':
      return { off, percent: values.percent ?? 0, maxCents: centsOf(values.maxYuan) }
    case 'minutes':
      return { off, minutes: values.minutes ?? 0 }
    case 'start':
    case 'fee':
      return { off }
  }
}

/** The terms that what was typed until now amounts to; null while they are not whole. */
export function termsSoFar(
  fields: CouponForm,
  values: Values<CouponForm>,
  kept: CouponTerms | null,
): CouponTerms | null {
  const limits = { isRequired: false }
  const inputs = Object.fromEntries(
    Object.entries(fields).map(([name, field]) => {
      const read = (field.read as (value: unknown, of: typeof limits) => { value?: unknown })(
        values[name as keyof CouponForm],
        limits,
      )
      return [name, read.value]
    }),
  ) as Inputs<CouponForm>
  const terms = couponTermsSchema.safeParse(termsOf(inputs, kept))
  return terms.success ? terms.data : null
}
