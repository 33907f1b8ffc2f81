import {
  rechargeActivityEndpoints as calls,
  type RechargeTerms,
  type RechargeTier,
  type rechargeTermsSchema,
} from '@saddle/contract/marketing/rechargeActivities.ts'
import { flag } from '#kit/form/choiceFields.tsx'
import type { Inputs } from '#kit/form/field.ts'
import { money } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import type { ActivityKindUi, Shown } from '../activities/kind.ts'
import { timeText } from '../activities/words.ts'
import { rewardsText, useRewardChoices, type RewardChoices } from '../rewards/rewardFields.tsx'
import { tiersField } from './tiers.tsx'
import { Uses } from './Uses.tsx'

function rechargeFields(of: RechargeTerms | null) {
  return {
    tiers: tiersField({
      label: t('充值档位'),
      hint: t('骑行者点选金额并支付后发放；赠送余额不计入可退余额，退款时未用部分收回'),
      at: 'terms.tiers',
      initial: of?.tiers ?? null,
    }),
    firstOnly: flag({
      label: t('首充'),
      at: 'terms.firstOnly',
      initial: of?.firstOnly ?? false,
      says: t('仅限首次充值'),
    }),
  }
}
type RechargeFields = ReturnType<typeof rechargeFields>

const byAmount = (tiers: readonly RechargeTier[]) => tiers.toSorted((a, b) => a.payCents - b.payCents)

/** What a tier gives, in words. */
function givenText({ giftCents, giftDays, rewards }: RechargeTier, names: RewardChoices): string {
  return [
    ...(giftCents === 0 ? [] : [t('送 {{yuan}} 元，{{count}} 天内有效', { yuan: money(giftCents), count: giftDays })]),
    ...(rewards.length === 0 ? [] : [t('送 {{what}}', { what: rewardsText(rewards, names) })]),
  ].join(t('、'))
}

/** Whole yuan without cents: a line of a list has room for all tiers. */
const yuan = (cents: number): string => (cents % 100 === 0 ? String(cents / 100) : money(cents))

const tierText = ({ payCents, giftCents, rewards }: RechargeTier, names: RewardChoices): string =>
  t('充 {{pay}} 送 {{gift}}', {
    pay: yuan(payCents),
    gift: [
      ...(giftCents === 0 ? [] : [yuan(giftCents)]),
      ...(rewards.length === 0 ? [] : [rewardsText(rewards, names)]),
    ].join(t('、')),
  })

/** The amounts that a rider may tap, as the riders' application shows them. */
function RechargeGrid({ common, terms }: Shown<RechargeTerms>) {
  const names = useRewardChoices()
  return (
    <>
      <p>
        <strong>{common.name}</strong>
      </p>
      <ul className="recharge-grid">
        {byAmount(terms.tiers).map((tier) => (
          <li key={tier.payCents}>
            <strong>{t('{{yuan}} 元', { yuan: money(tier.payCents) })}</strong>
            <small>{givenText(tier, names)}</small>
          </li>
        ))}
      </ul>
      <p>
        <small>{[...(terms.firstOnly ? [t('仅限首次充值')] : []), timeText(common)].join(' · ')}</small>
      </p>
      <p>
        <small>{t('赠送余额先于充值余额使用，不可退；充值余额可随时退回')}</small>
      </p>
    </>
  )
}

/** Recharge activities, on the pages that all kinds share. */
export const rechargeKind: ActivityKindUi<typeof rechargeTermsSchema, RechargeFields> = {
  title: () => t('充值活动'),
  calls: {
    list: calls.listRechargeActivities,
    sums: calls.sumRechargeActivities,
    file: calls.exportRechargeActivities,
    create: calls.createRechargeActivity,
    change: calls.changeRechargeActivity,
    switchState: calls.switchRechargeActivity,
    versions: calls.rechargeActivityVersions,
    preview: calls.previewRechargeActivity,
  },
  givesRewards: true,
  listPath: '/marketing/recharge-activity',
  formPath: '/marketing/recharge-activity',
  fields: rechargeFields,
  termsOf: ({ tiers, firstOnly }: Inputs<RechargeFields>) => ({ tiers, firstOnly }),
  words: ({ tiers, firstOnly }, names) =>
    [...(firstOnly ? [t('首充')] : []), ...byAmount(tiers).map((tier) => tierText(tier, names))].join(' · '),
  facts: ({ tiers, firstOnly }, names) => [
    ...byAmount(tiers).map(
      (tier) => [t('充 {{yuan}} 元', { yuan: money(tier.payCents) }), givenText(tier, names)] as const,
    ),
    [t('首充'), firstOnly ? t('仅限首次充值') : t('不限')],
  ],
  renderPhone: (shown) => <RechargeGrid {...shown} />,
  renderMore: ({ id }) => <Uses activityId={id} />,
  previewTitles: () => [t('期间充值'), t('达到档位的充值')],
}
