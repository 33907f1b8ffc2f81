import type { RidingTerms } from '@saddle/contract/marketing/ridingActivities.ts'
import { flag } from '#kit/form/choiceFields.tsx'
import type { Inputs } from '#kit/form/field.ts'
import { t } from '#kit/i18n/index.ts'
import { optionalYuan } from '../activities/commonFields.ts'
import { conditionFields, conditionsOf, effectFields, effectOf } from '../benefits/benefitFields.ts'

/** The fields of a riding activity's terms; they begin with those of another one. */
export function ridingFields(of: RidingTerms | null) {
  return {
    ...effectFields(of?.effect, 'percent'),
    fromCents: optionalYuan({
      label: t('使用门槛'),
      at: 'terms.fromCents',
      initialCents: of === null || of.fromCents === 0 ? null : of.fromCents,
    }),
    ...conditionFields(of?.conditions),
    alone: flag({ label: t('同享'), at: 'terms.alone', initial: of?.alone ?? false, says: t('不与其他优惠同享') }),
  }
}
export type RidingFields = ReturnType<typeof ridingFields>

/** The terms as the calls take them. */
export function ridingTermsOf(values: Inputs<RidingFields>) {
  return {
    effect: effectOf(values),
    fromCents: values.fromCents ?? 0,
    conditions: conditionsOf(values),
    alone: values.alone,
  }
}
