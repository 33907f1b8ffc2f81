import { bearerLabels, bearers } from '@saddle/contract/riding/benefits.ts'
import { couponTermsSchema, type CouponTerms } from '@saddle/contract/marketing/couponTerms.ts'
import { businessDayOf } from '@saddle/contract/time.ts'
import { choice, flag, many, type Option } from '#kit/form/choiceFields.tsx'
import type { Inputs, Values } from '#kit/form/field.ts'
import { day } from '#kit/form/otherFields.tsx'
import { number, text } from '#kit/form/textFields.tsx'
import { t } from '#kit/i18n/index.ts'
import { optionalCount, optionalYuan } from '../activities/commonFields.ts'
import { conditionFields, conditionsOf, effectFields, effectOf, hiddenEffectFields } from '../benefits/benefitFields.ts'

type Validity = 'days' | 'until'

/** The fields of a coupon's terms; they begin with those of another coupon. */
export function couponFields(of: CouponTerms | null, areas: readonly Option<number>[]) {
  const days = of?.validDays ?? null
  return {
    name: text({ label: t('名称'), at: 'terms.name', initial: of?.name ?? '', refusals: ['name_taken'] }),
    ...effectFields(of?.effect, 'cents'),
    fromCents: optionalYuan({
      label: t('使用门槛'),
      at: 'terms.fromCents',
      initialCents: of === null || of.fromCents === 0 ? null : of.fromCents,
    }),
    validBy: choice<Validity>({
      label: t('有效期'),
      initial: of === null || days !== null ? 'days' : 'until',
      options: [
        { value: 'days', label: t('领取后若干天') },
        { value: 'until', label: t('到指定日期') },
      ],
    }),
    validDays: number({
      label: t('有效天数'),
      at: 'terms.validDays',
      unit: t('天'),
      ...(days !== null && { initial: days }),
    }),
    validUntil: day({
      label: t('有效期至'),
      as: 'end',
      at: 'terms.validUntil',
      ...(typeof of?.validUntil === 'number' && { initial: businessDayOf(of.validUntil - 1) }),
    }),
    areaIds: many<number>({
      label: t('适用服务区'),
      note: t('不选则全部'),
      at: 'terms.conditions.areaIds',
      options: areas,
      initial: of?.conditions.areaIds ?? [],
    }),
    ...conditionFields(of?.conditions),
    alone: flag({ label: t('同享'), at: 'terms.alone', initial: of?.alone ?? false, says: t('不与其他优惠同享') }),
    bearer: choice({
      label: t('承担方'),
      initial: of?.bearer ?? 'company',
      options: bearers.map((value) => ({ value, label: t(bearerLabels[value]) })),
      refusals: ['coupon_platform_bears'],
    }),
    partner: text({ label: t('合作方'), at: 'terms.partner', initial: of?.partner ?? '' }),
    budgetCents: optionalYuan({
      label: t('预算金额'),
      at: 'terms.budgetCents',
      initialCents: of?.budgetCents ?? null,
      hint: t('用到八成时提醒，用完即停止抵扣'),
    }),
    budgetUses: optionalCount(t('预算次数'), { at: 'terms.budgetUses', unit: t('次'), initial: of?.budgetUses }),
    riderMax: optionalCount(t('每人持有上限'), { at: 'terms.riderMax', unit: t('张'), initial: of?.riderMax }),
    deviceMax: optionalCount(t('每台手机领取上限'), {
      at: 'terms.deviceMax',
      unit: t('张'),
      initial: of?.deviceMax,
      hint: t('同一台手机上登录过的账号合计，领码与活动奖励时检查'),
    }),
  }
}

type CouponForm = ReturnType<typeof couponFields>

/** Fields that what was chosen has nothing to do with are not shown. */
export function hiddenFields({ off, bearer, validBy }: Pick<Values<CouponForm>, 'off' | 'bearer' | 'validBy'>) {
  return {
    ...hiddenEffectFields(off),
    validDays: { isHidden: validBy !== 'days' },
    validUntil: { isHidden: validBy !== 'until' },
    partner: { isHidden: bearer !== 'partner' },
  }
}

/** The terms as the call takes them. */
export function termsOf(values: Inputs<CouponForm>) {
  const { name, areaIds, bearer, alone, validBy } = values
  return {
    name,
    effect: effectOf(values),
    fromCents: values.fromCents ?? 0,
    conditions: { ...conditionsOf(values), areaIds },
    bearer,
    partner: bearer === 'partner' ? values.partner : '',
    alone,
    validDays: validBy === 'days' ? values.validDays : null,
    validUntil: validBy === 'until' ? (values.validUntil ?? null) : null,
    budgetCents: values.budgetCents ?? null,
    budgetUses: values.budgetUses ?? null,
    riderMax: values.riderMax ?? null,
    deviceMax: values.deviceMax ?? null,
  }
}

/** The terms that what was typed until now amounts to; null while they are not whole. */
export function termsSoFar(fields: CouponForm, values: Values<CouponForm>): CouponTerms | null {
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
  const terms = couponTermsSchema.safeParse(termsOf(inputs))
  return terms.success ? terms.data : null
}
