import { useState, type ReactNode } from 'react'
import { Link } from 'react-router'
import { couponStateLabels } from '@saddle/contract/marketing/coupons.ts'
import { rewardCauseLabels, rewardKindLabels, rewardStateLabels } from '@saddle/contract/marketing/rewards.ts'
import { userRewardEndpoints, type UserReward } from '@saddle/contract/marketing/userRewards.ts'
import { useAction } from '#kit/action/useAction.ts'
import { dateTime, money, number } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { DetailPanel } from '#kit/list/DetailPanel.tsx'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { Facts } from '#kit/ui/Facts.tsx'
import { Mark } from '#kit/ui/Mark.tsx'
import { OrderLink } from '#kit/ui/OrderLink.tsx'
import { RiderLink } from '#kit/ui/RiderLink.tsx'
import { activityTo } from '../activities/address.ts'
import { GiveDialog, RevokeRewardsDialog } from './dialogs.tsx'
import { reasonText, rewardName, staleRewards, toneOf } from './words.ts'

/** A reward from its occasion to what became of it. */
export function RewardPanel({ reward }: { readonly reward: UserReward }): ReactNode {
  const { activityId, activity, activityKind, orderId, state } = reward
  return (
    <DetailPanel
      label={t('奖励详情')}
      title={
        <>
          <strong>{rewardName({ ...reward, count: 1 })}</strong>{' '}
          <Mark tone={toneOf[state]}>{t(rewardStateLabels[state])}</Mark>
        </>
      }
      foot={<Acts reward={reward} />}
    >
      <Facts
        facts={[
          [
            t('骑行者'),
            <RiderLink key="rider" riderId={reward.riderId}>
              {reward.phone}
            </RiderLink>,
          ],
          [t('奖励类型'), t(rewardKindLabels[reward.kind])],
          [t('数量'), number(reward.count)],
          [t('价值'), reward.cents === 0 ? t('视骑行而定') : t('{{yuan}} 元', { yuan: money(reward.cents) })],
          [t('发放原因'), t(rewardCauseLabels[reward.cause])],
          [
            t('活动'),
            activityId === null || activityKind === null ? (
              '--'
            ) : (
              <Link key="activity" to={activityTo({ kind: activityKind, id: activityId })}>
                {activity ?? activityId}
              </Link>
            ),
          ],
          ...(orderId === null
            ? []
            : [[t('订单编号'), <OrderLink key="order" orderId={orderId} number={reward.orderNumber} />] as const]),
          [t('加盟商'), reward.company],
        ]}
      />
      <h3>{t('经过')}</h3>
      <Facts facts={storyOf(reward)} />
      <Outcome reward={reward} />
    </DetailPanel>
  )
}

/** What happened to it, in the order of time. */
function storyOf(reward: UserReward): readonly (readonly [label: string, value: string])[] {
  const { grantedAt, grantedBy, note, dueAt, givenAt, endedAt, endedBy, endReason, keptCents, state } = reward
  return [
    [t('获得时间'), [dateTime(grantedAt), grantedBy, note].filter(Boolean).join(' · ')],
    ...(state === 'pending' && dueAt !== null ? [[t('计划发放'), dateTime(dueAt)] as const] : []),
    ...(givenAt === null ? [] : [[t('到账时间'), dateTime(givenAt)] as const]),
    ...(endedAt === null
      ? []
      : [
          [
            state === 'refused' ? t('未能发放') : t('收回时间'),
            [dateTime(endedAt), endedBy ?? t('平台'), reasonText(endReason)].join(' · '),
          ] as const,
        ]),
    ...(keptCents === null || keptCents === 0
      ? []
      : [[t('已使用部分'), t('{{yuan}} 元', { yuan: money(keptCents) })] as const]),
  ]
}

function Outcome({ reward: { id, kind, riderId } }: { readonly reward: UserReward }) {
  const { data } = useEndpoint(userRewardEndpoints.userRewardDetail, { id }, { quiet: true })
  if (data === undefined) return null
  const { coupons, giftLotId, card } = data.data
  if (kind === 'coupon' && coupons.length > 0) {
    return (
      <>
        <h3>{t('优惠券')}</h3>
        <Facts
          facts={coupons.map((coupon, index) => [
            t('第 {{n}} 张', { n: index + 1 }),
            <span key={coupon.id}>
              {[
                t(couponStateLabels[coupon.state]),
                t('有效期至 {{time}}', { time: dateTime(coupon.endsAt).slice(0, 16) }),
                ...(coupon.savedCents === null ? [] : [t('抵扣 {{yuan}} 元', { yuan: money(coupon.savedCents) })]),
              ].join(' · ')}
              {coupon.orderId !== null && (
                <>
                  {' · '}
                  <OrderLink orderId={coupon.orderId} number={coupon.orderNumber} />
                </>
              )}
            </span>,
          ])}
        />
      </>
    )
  }
  const ofRider = (text: string) => (
    <RiderLink riderId={riderId} money="payments">
      {text}
    </RiderLink>
  )
  if (giftLotId !== null) return <Facts facts={[[t('赠送余额'), ofRider(t('查看用户钱包'))]]} />
  if (card === null) return null
  const days = card.firstDay === null ? t('还没有开始') : `${card.firstDay} – ${card.lastDay ?? '--'}`
  return <Facts facts={[[t('骑行卡'), ofRider(days)]]} />
}

function Acts({ reward: { id, agentId, state, keptCents } }: { readonly reward: UserReward }) {
  const [isRevoking, setRevoking] = useState(false)
  const [isCopying, setCopying] = useState(false)
  const { data } = useEndpoint(userRewardEndpoints.userRewardDetail, { id }, { quiet: true })
  const restore = useAction(userRewardEndpoints.restoreUserRewards, {
    stale: staleRewards,
    done: () => t('已重新发放'),
  })
  const canRevoke = state === 'pending' || state === 'given'
  const canRestore = state === 'refused' || (state === 'revoked' && (keptCents ?? 0) === 0)
  return (
    <p className="form-choices">
      <Button disabled={data === undefined} onClick={() => setCopying(true)}>
        {t('复制')}
      </Button>
      {canRevoke && <Button onClick={() => setRevoking(true)}>{t('收回')}</Button>}
      {canRestore && (
        <Button busy={restore.isBusy} onClick={() => restore.send({ ids: [id] })}>
          {state === 'refused' ? t('重新发放') : t('撤销收回')}
        </Button>
      )}
      {!canRevoke && !canRestore && <span>{t('部分使用过，不能恢复')}</span>}
      {isCopying && data !== undefined && (
        <GiveDialog of={{ id, agentId, reward: data.data.reward }} onClose={() => setCopying(false)} />
      )}
      {isRevoking && <RevokeRewardsDialog ids={[id]} onClose={() => setRevoking(false)} />}
    </p>
  )
}
