import type { ReactNode } from 'react'
import {
  rewardCouponsMax,
  rewardGiftDaysMax,
  rewardGiftMaxCents,
  rewardKindLabels,
  rewardKinds,
  rewardsMax,
  type Reward,
  type RewardKind,
} from '@saddle/contract/marketing/rewards.ts'
import { userRewardEndpoints, type RewardChoice } from '@saddle/contract/marketing/userRewards.ts'
import { centsOfYuan, yuanText } from '@saddle/contract/money.ts'
import type { Common, ControlProps, Field } from '#kit/form/field.ts'
import { money } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { SelectOne } from '#kit/ui/SelectOne.tsx'
import './rewards.css'

/** A reward as it is edited: what was typed of every kind stays while another kind is chosen. */
export interface EditedReward {
  readonly kind: RewardKind
  readonly templateId: number | null
  readonly count: string
  readonly yuan: string
  readonly days: string
  readonly productId: number | null
}

export const blankReward: EditedReward = {
  kind: 'coupon',
  templateId: null,
  count: '1',
  yuan: '',
  days: '30',
  productId: null,
}

export function editedOf(reward: Reward): EditedReward {
  const { kind } = reward
  switch (kind) {
    case 'coupon':
      return { ...blankReward, kind, templateId: reward.templateId, count: String(reward.count) }
    case 'gift':
      return { ...blankReward, kind, yuan: yuanText(reward.cents), days: String(reward.validDays) }
    case 'card':
      return { ...blankReward, kind, productId: reward.productId }
  }
}

/** The reward that was typed, or why it is none. */
export function readReward(edited: EditedReward): { readonly value: Reward } | { readonly fault: string } {
  const { kind } = edited
  if (kind === 'coupon') {
    const count = wholeOf(edited.count)
    if (edited.templateId === null) return { fault: t('请选择优惠券') }
    if (count < 1 || count > rewardCouponsMax) return { fault: t('张数应为 1 至 {{max}}', { max: rewardCouponsMax }) }
    return { value: { kind, templateId: edited.templateId, count } }
  }
  if (kind === 'card') {
    return edited.productId === null ? { fault: t('请选择骑行卡') } : { value: { kind, productId: edited.productId } }
  }
  const cents = centsOfYuan(edited.yuan)
  const validDays = wholeOf(edited.days)
  if (cents === null || cents < 1 || cents > rewardGiftMaxCents) {
    return { fault: t('赠送金额应为 0.01 至 {{max}} 元', { max: money(rewardGiftMaxCents) }) }
  }
  if (validDays < 1 || validDays > rewardGiftDaysMax) {
    return { fault: t('有效天数应为 1 至 {{max}}', { max: rewardGiftDaysMax }) }
  }
  return { value: { kind, cents, validDays } }
}

const wholeOf = (typed: string): number => (/^\d{1,9}$/.test(typed.trim()) ? Number(typed) : 0)

/** A list of rewards, all of which one occasion gives; with `mayBeEmpty` also none. */
export function rewardsField(
  options: Common & { readonly initial?: readonly Reward[]; readonly mayBeEmpty?: boolean },
): Field<readonly EditedReward[], Reward[]> {
  const { initial = [], mayBeEmpty = false, ...rest } = options
  return {
    ...rest,
    isGroup: true,
    initial: initial.length === 0 && !mayBeEmpty ? [blankReward] : initial.map(editedOf),
    read: (edited) => (edited.length === 0 && mayBeEmpty ? { value: [] } : readRewards(edited)),
    control: (props) => <RewardRows {...props} mayBeEmpty={mayBeEmpty} />,
  }
}

export function readRewards(
  edited: readonly EditedReward[],
): { readonly value: Reward[] } | { readonly fault: string } {
  const found: Reward[] = []
  if (edited.length === 0) return { fault: t('请至少添加一项奖励') }
  for (const one of edited) {
    const read = readReward(one)
    if ('fault' in read) return read
    found.push(read.value)
  }
  return { value: found }
}

/** Coupons and cards that can be given. */
export interface RewardChoices {
  readonly coupons: readonly RewardChoice[]
  readonly cards: readonly RewardChoice[]
  readonly activities: readonly Omit<RewardChoice, 'cents'>[]
}
const noChoices: RewardChoices = { coupons: [], cards: [], activities: [] }

/** What can be given; nothing while it is not asked for. */
export function useRewardChoices(isAsked = true): RewardChoices {
  const options = { staleMs: 60_000, quiet: true, enabled: isAsked }
  const { data } = useEndpoint(userRewardEndpoints.rewardChoices, {}, options)
  return data?.data ?? noChoices
}

type RowsProps = Pick<ControlProps<readonly EditedReward[]>, 'label' | 'value' | 'onChange'> & {
  readonly mayBeEmpty?: boolean
}

/** The rewards of one occasion, a line each. */
export function RewardRows({ label, value, onChange, mayBeEmpty = false }: RowsProps): ReactNode {
  const change = (index: number, next: EditedReward | null): void =>
    onChange(value.flatMap((one, at) => (at !== index ? [one] : next === null ? [] : [next])))
  return (
    <div className="reward-rows">
      {value.map((one, index) => (
        <RewardRow
          // oxlint-disable-next-line react/no-array-index-key -- a line has nothing else that tells it apart
          key={index}
          label={`${label} ${index + 1}`}
          value={one}
          onChange={(next) => change(index, next)}
          onRemove={mayBeEmpty || value.length > 1 ? () => change(index, null) : null}
        />
      ))}
      {value.length < rewardsMax && <Button onClick={() => onChange([...value, blankReward])}>{t('添加奖励')}</Button>}
    </div>
  )
}

interface RowProps {
  readonly label: string
  readonly value: EditedReward
  readonly onChange: (next: EditedReward) => void
  readonly onRemove: (() => void) | null
}

function RewardRow({ label, value, onChange, onRemove }: RowProps) {
  const { coupons, cards } = useRewardChoices()
  const typed = (name: 'count' | 'yuan' | 'days', title: string, unit: string) => (
    <span className="reward-typed">
      <input
        className="form-input"
        inputMode={name === 'yuan' ? 'decimal' : 'numeric'}
        aria-label={`${label} ${title}`}
        placeholder={title}
        value={value[name]}
        onChange={({ target }) => onChange({ ...value, [name]: target.value })}
      />
      {unit}
    </span>
  )
  const chosen = (name: 'templateId' | 'productId', title: string, options: readonly RewardChoice[]) => (
    <SelectOne<number | ''>
      label={`${label} ${title}`}
      className="reward-choice"
      value={value[name] ?? ''}
      options={[
        { value: '', label: t('请选择') },
        ...options.map((one) => ({ value: one.id, label: nameOf(one, options) })),
      ]}
      onChange={(id) => onChange({ ...value, [name]: id === '' ? null : id })}
      isSearched
    />
  )
  return (
    <div className="reward-row">
      <SelectOne
        label={`${label} ${t('奖励类型')}`}
        className="reward-kind"
        value={value.kind}
        options={rewardKinds.map((kind) => ({ value: kind, label: t(rewardKindLabels[kind]) }))}
        onChange={(kind) => onChange({ ...value, kind })}
      />
      {value.kind === 'coupon' && (
        <>
          {chosen('templateId', t('优惠券'), coupons)}
          {typed('count', t('张数'), t('张'))}
        </>
      )}
      {value.kind === 'gift' && (
        <>
          {typed('yuan', t('赠送金额'), t('元'))}
          {typed('days', t('有效天数'), t('天'))}
        </>
      )}
      {value.kind === 'card' && chosen('productId', t('骑行卡'), cards)}
      {onRemove !== null && (
        <Button aria-label={t('删除{{label}}', { label })} onClick={onRemove}>
          {t('删除')}
        </Button>
      )}
    </div>
  )
}

/** With its company where there are several. */
export function nameOf({ name, company, agentId }: RewardChoice, all: readonly RewardChoice[]): string {
  return all.every((one) => one.agentId === agentId) ? name : `${name} · ${company}`
}

/** Rewards in words; what has no name yet goes by its kind. */
export function rewardsText(rewards: readonly Reward[], choices: RewardChoices = noChoices): string {
  return rewards.map((reward) => rewardText(reward, choices)).join(t('、'))
}

function rewardText(reward: Reward, choices: RewardChoices): string {
  switch (reward.kind) {
    case 'gift':
      return t('赠送余额 {{yuan}} 元', { yuan: money(reward.cents) })
    case 'coupon': {
      const name = choices.coupons.find(({ id }) => id === reward.templateId)?.name ?? t('优惠券')
      return t('{{name}} × {{count}}', { name, count: reward.count })
    }
    case 'card':
      return choices.cards.find(({ id }) => id === reward.productId)?.name ?? t('骑行卡')
  }
}

/** Rewards with the names of coupons and cards. */
export function RewardNames({ rewards }: { readonly rewards: readonly Reward[] }): ReactNode {
  return rewardsText(rewards, useRewardChoices())
}
