import {
  ridingActivityEndpoints as calls,
  type ridingTermsSchema,
} from '@saddle/contract/marketing/ridingActivities.ts'
import { t } from '#kit/i18n/index.ts'
import type { ActivityKindUi } from '../activities/kind.ts'
import { PhoneCard } from '#kit/ui/PhoneFrame.tsx'
import { timeText } from '../activities/words.ts'
import { hiddenEffectFields } from '../benefits/benefitFields.ts'
import { conditionLines } from '../benefits/words.ts'
import { effectText } from '../coupons/words.ts'
import { ridingFields, ridingTermsOf, type RidingFields } from './ridingFields.ts'

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
  adjust: ({ off }) => hiddenEffectFields(off),
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
