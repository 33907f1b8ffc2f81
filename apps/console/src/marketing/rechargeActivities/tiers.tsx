import type { ReactNode } from 'react'
import { rechargeTiersMax, type RechargeTier } from '@saddle/contract/marketing/rechargeActivities.ts'
import type { Reward } from '@saddle/contract/marketing/rewards.ts'
import type { RewardChoice } from '@saddle/contract/marketing/userRewards.ts'
import { centsOfYuan, yuanText } from '@saddle/contract/money.ts'
import type { Common, ControlProps, Field } from '#kit/form/field.ts'
import { t } from '#kit/i18n/index.ts'
import { Button } from '#kit/plain/Button.tsx'
import { SelectOne } from '#kit/ui/SelectOne.tsx'
import { nameOf, useRewardChoices } from '../rewards/rewardFields.tsx'
import './recharge.css'

/** A tier as it is typed. */
export interface TypedTier {
  readonly pay: string
  readonly gift: string
  readonly days: string
  readonly rewards: readonly Reward[]
}

const plainTexts = (cents: number): string =>
  yuanText(cents)
    .replace(/\.?0+$/, '')
    .replaceAll(',', '')
const typedOf = ({ payCents, giftCents, giftDays, rewards }: RechargeTier): TypedTier => ({
  pay: plainTexts(payCents),
  gift: giftCents === 0 ? '' : plainTexts(giftCents),
  days: String(giftDays),
  rewards,
})
const emptyTier: TypedTier = { pay: '', gift: '', days: '90', rewards: [] }
const firstTiers: readonly TypedTier[] = [
  { ...emptyTier, pay: '20', gift: '2' },
  { ...emptyTier, pay: '50', gift: '8' },
  { ...emptyTier, pay: '100', gift: '20' },
]

/** Amounts with what each gives: at least one. */
export function tiersField(
  options: Common & { readonly initial: readonly RechargeTier[] | null },
): Field<readonly TypedTier[], RechargeTier[]> {
  const { initial, ...rest } = options
  return {
    ...rest,
    isGroup: true,
    initial: initial === null ? firstTiers : initial.map(typedOf),
    read: (typed) => {
      const tiers: RechargeTier[] = []
      for (const [index, tier] of typed.entries()) {
        const payCents = centsOfYuan(tier.pay)
        const giftCents = tier.gift.trim() === '' ? 0 : centsOfYuan(tier.gift)
        const giftDays = Number(tier.days)
        const place = { count: index + 1 }
        if (payCents === null) return { fault: t('第 {{count}} 档的充值金额不正确', place) }
        if (giftCents === null) return { fault: t('第 {{count}} 档的赠送金额不正确', place) }
        if (!Number.isInteger(giftDays) || giftDays < 1) return { fault: t('第 {{count}} 档的有效天数不正确', place) }
        if (giftCents === 0 && tier.rewards.length === 0) return { fault: t('第 {{count}} 档没有赠送任何内容', place) }
        if (tiers.some((other) => other.payCents === payCents)) return { fault: t('每个充值金额只能有一个档位') }
        tiers.push({ payCents, giftCents, giftDays, rewards: [...tier.rewards] })
      }
      return tiers.length === 0 ? { fault: t('请至少填写一档') } : { value: tiers }
    },
    control: (props) => <TiersInput {...props} />,
  }
}

function TiersInput({ value, onChange, isInvalid, describedBy }: ControlProps<readonly TypedTier[]>): ReactNode {
  const { coupons } = useRewardChoices()
  const change = (at: number, part: Partial<TypedTier>) =>
    onChange(value.map((tier, index) => (index === at ? { ...tier, ...part } : tier)))
  return (
    <div className="recharge-tiers" aria-describedby={describedBy}>
      {value.map((tier, at) => (
        // A tier has no other name than its place.
        // oxlint-disable-next-line react/no-array-index-key
        <fieldset key={at} className="recharge-tier" aria-label={t('第 {{count}} 档', { count: at + 1 })}>
          <Amount
            label={t('充值（元）')}
            value={tier.pay}
            isInvalid={isInvalid}
            onChange={(pay) => change(at, { pay })}
          />
          <Amount
            label={t('赠送（元）')}
            value={tier.gift}
            isInvalid={isInvalid}
            onChange={(gift) => change(at, { gift })}
          />
          <Amount
            label={t('有效天数')}
            value={tier.days}
            isInvalid={isInvalid}
            onChange={(days) => change(at, { days })}
          />
          <label>
            <small>{t('另送优惠券')}</small>
            <SelectOne
              label={t('另送优惠券')}
              value={couponIn(tier.rewards)}
              options={couponOptions(coupons, couponIn(tier.rewards))}
              onChange={(id) => change(at, { rewards: withCoupon(tier.rewards, id) })}
              isSearched
            />
          </label>
          <Button
            aria-label={t('删除第 {{count}} 档', { count: at + 1 })}
            disabled={value.length === 1}
            title={value.length === 1 ? t('请至少填写一档') : undefined}
            onClick={() => onChange(value.filter((_, index) => index !== at))}
          >
            {t('删除')}
          </Button>
        </fieldset>
      ))}
      <Button
        disabled={value.length >= rechargeTiersMax}
        title={value.length >= rechargeTiersMax ? t('最多 {{count}} 档', { count: rechargeTiersMax }) : undefined}
        onClick={() => onChange([...value, emptyTier])}
      >
        {t('增加一档')}
      </Button>
    </div>
  )
}

function Amount(props: {
  readonly label: string
  readonly value: string
  readonly isInvalid: boolean
  readonly onChange: (value: string) => void
}) {
  return (
    <label>
      <small>{props.label}</small>
      <input
        className="form-input"
        inputMode="decimal"
        autoComplete="off"
        value={props.value}
        aria-invalid={props.isInvalid}
        onChange={({ target }) => props.onChange(target.value)}
      />
    </label>
  )
}

const couponIn = (rewards: readonly Reward[]): number => {
  const found = rewards.find((reward) => reward.kind === 'coupon')
  return found?.kind === 'coupon' ? found.templateId : 0
}

/** None, every coupon that can be given, and the chosen one even if it cannot be given any more. */
function couponOptions(coupons: readonly RewardChoice[], chosen: number) {
  return [
    { value: 0, label: t('不送') },
    ...coupons.map((coupon) => ({ value: coupon.id, label: nameOf(coupon, coupons) })),
    ...(chosen > 0 && !coupons.some(({ id }) => id === chosen)
      ? [{ value: chosen, label: t('优惠券 {{id}}', { id: chosen }) }]
      : []),
  ]
}

/** The rewards with one coupon of this kind, or without any. */
const withCoupon = (rewards: readonly Reward[], templateId: number): readonly Reward[] => [
  ...rewards.filter(({ kind }) => kind !== 'coupon'),
  ...(templateId === 0 ? [] : [{ kind: 'coupon' as const, templateId, count: 1 }]),
]
