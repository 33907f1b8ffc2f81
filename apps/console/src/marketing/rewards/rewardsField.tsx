import type { ReactNode } from 'react'
import { cardProductEndpoints } from '@saddle/contract/finance/cardProducts.ts'
import { couponEndpoints } from '@saddle/contract/marketing/coupons.ts'
import {
  rewardKindLabels,
  rewardKinds,
  rewardsMax,
  type Reward,
  type RewardKind,
} from '@saddle/contract/marketing/rewards.ts'
import { centsOfYuan, yuanText } from '@saddle/contract/money.ts'
import { holdsPermission } from '@saddle/contract/permissions.ts'
import type { Common, ControlProps, Field } from '#kit/form/field.ts'
import { money } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { usePermissions } from '#kit/session/permissions.ts'
import './rewards.css'

/** What is typed for one reward, whatever its kind. */
export interface TypedReward {
  readonly kind: RewardKind
  /** Of the coupon or the card, as text; empty: none is chosen. */
  readonly of: string
  readonly count: string
  readonly yuan: string
  readonly days: string
}

const nothing: TypedReward = { kind: 'coupon', of: '', count: '1', yuan: '', days: '30' }

function typedOf(reward: Reward): TypedReward {
  const { kind } = reward
  if (kind === 'coupon') return { ...nothing, kind, of: String(reward.templateId), count: String(reward.count) }
  if (kind === 'card') return { ...nothing, kind, of: String(reward.productId) }
  return { ...nothing, kind, yuan: yuanText(reward.cents), days: String(reward.validDays) }
}

const whole = (typed: string): number | null => (/^\d{1,6}$/.test(typed.trim()) ? Number(typed) : null)

function rewardOf({ kind, of, count, yuan, days }: TypedReward): Reward | null {
  const id = whole(of)
  if (kind === 'card') return id === null ? null : { kind, productId: id }
  if (kind === 'coupon') {
    const pieces = whole(count)
    return id === null || pieces === null ? null : { kind, templateId: id, count: pieces }
  }
  const [cents, validDays] = [centsOfYuan(yuan), whole(days)]
  return cents === null || validDays === null ? null : { kind, cents, validDays }
}

/** What one side gets: coupons, gift balance and cards; none at all where that is allowed. */
export function rewardsField(
  options: Common & { readonly initial: readonly Reward[] },
): Field<readonly TypedReward[], Reward[]> {
  const { initial, ...rest } = options
  return {
    ...rest,
    isGroup: true,
    initial: initial.map(typedOf),
    read: (rows) => {
      const rewards = rows.map(rewardOf).filter((reward) => reward !== null)
      return rewards.length === rows.length ? { value: rewards } : { fault: t('请把每一项奖励填写完整') }
    },
    control: (props) => <Rewards {...props} />,
  }
}

function Rewards({ label, value: rows, onChange, faultAt }: ControlProps<readonly TypedReward[]>) {
  const offered = useOffered()
  const put = (at: number, part: Partial<TypedReward>) =>
    onChange(rows.map((row, index) => (index === at ? { ...row, ...part } : row)))
  return (
    <div className="rewards-rows">
      {rows.map((row, index) => {
        const name = t('{{label}}第 {{n}} 项', { label, n: index + 1 })
        return (
          // A reward has no name of its own while it is typed.
          // oxlint-disable-next-line react/no-array-index-key
          <div key={index} className="rewards-row" role="group" aria-label={name}>
            <Row
              row={row}
              name={name}
              offered={offered}
              fault={faultAt(String(index))}
              put={(part) => put(index, part)}
            />
            <Button
              look="quiet"
              aria-label={t('删除{{name}}', { name })}
              onClick={() => onChange(rows.toSpliced(index, 1))}
            >
              ×
            </Button>
          </div>
        )
      })}
      <Button disabled={rows.length >= rewardsMax} onClick={() => onChange([...rows, nothing])}>
        {t('添加奖励')}
      </Button>
    </div>
  )
}

interface RowProps {
  readonly row: TypedReward
  readonly name: string
  readonly offered: Offered
  readonly fault: string | null
  readonly put: (part: Partial<TypedReward>) => void
}

function Row({ row, name, offered, fault, put }: RowProps) {
  const { kind } = row
  const input = (field: 'count' | 'yuan' | 'days', unit: string, label: string): ReactNode => (
    <label className="rewards-amount">
      <input
        className="form-input"
        inputMode="decimal"
        aria-label={`${name}：${label}`}
        aria-invalid={fault !== null}
        value={row[field]}
        onChange={({ target }) => put({ [field]: target.value })}
      />
      {unit}
    </label>
  )
  return (
    <>
      <select
        className="form-input"
        aria-label={`${name}：${t('类型')}`}
        value={kind}
        onChange={({ target }) => put({ kind: rewardKinds.find((one) => one === target.value) ?? kind, of: '' })}
      >
        {rewardKinds.map((one) => (
          <option key={one} value={one}>
            {t(rewardKindLabels[one])}
          </option>
        ))}
      </select>
      {kind !== 'gift' && (
        <select
          className="form-input"
          aria-label={`${name}：${t('名称')}`}
          aria-invalid={fault !== null}
          value={row.of}
          onChange={({ target }) => put({ of: target.value })}
        >
          <option value="">{t('请选择')}</option>
          {withChosen(offered[kind], row.of).map(({ id, name: title }) => (
            <option key={id} value={id}>
              {title}
            </option>
          ))}
        </select>
      )}
      {kind === 'coupon' && input('count', t('张'), t('数量'))}
      {kind === 'gift' && (
        <>
          {input('yuan', t('元'), t('金额'))}
          {input('days', t('天有效'), t('有效天数'))}
        </>
      )}
    </>
  )
}

interface Thing {
  readonly id: string
  readonly name: string
}
type Offered = Readonly<Record<'coupon' | 'card', readonly Thing[]>>

/** The chosen one stays in the list when it is not offered any more, or may not be read. */
const withChosen = (things: readonly Thing[], chosen: string): readonly Thing[] =>
  chosen === '' || things.some(({ id }) => id === chosen)
    ? things
    : [...things, { id: chosen, name: t('{{id}} 号', { id: chosen }) }]

const shown = 200

/** Coupons that are issued and cards that are on sale, as far as the reader may see them. */
function useOffered(): Offered {
  const { held } = usePermissions()
  const coupons = useEndpoint(
    couponEndpoints.listCouponTemplates,
    { filter: { states: ['on'] }, pageSize: shown },
    { enabled: holdsPermission(held, '1709'), quiet: true, staleMs: 60_000 },
  )
  const cards = useEndpoint(
    cardProductEndpoints.listCardProducts,
    { filter: { shelf: ['on'] }, pageSize: shown },
    { enabled: holdsPermission(held, '1703'), quiet: true, staleMs: 60_000 },
  )
  const thing = ({ id, name }: { readonly id: number; readonly name: string }): Thing => ({ id: String(id), name })
  return { coupon: (coupons.data?.data.list ?? []).map(thing), card: (cards.data?.data.list ?? []).map(thing) }
}

function wordsOf(reward: Reward): string {
  if (reward.kind === 'coupon') return t('优惠券 {{count}} 张', { count: reward.count })
  if (reward.kind === 'card') return t('骑行卡一张')
  return t('赠送余额 {{yuan}} 元，{{count}} 天有效', { yuan: money(reward.cents), count: reward.validDays })
}

/** Rewards in one line. */
export const rewardWords = (rewards: readonly Reward[]): string => rewards.map(wordsOf).join(t('、'))
