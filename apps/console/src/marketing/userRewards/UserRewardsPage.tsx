import { useState, type ReactNode } from 'react'
import { rewardCauseLabels, rewardKindLabels, rewardStateLabels } from '@saddle/contract/marketing/rewards.ts'
import {
  userRewardEndpoints,
  userRewardFields,
  userRewardList,
  type UserReward,
} from '@saddle/contract/marketing/userRewards.ts'
import { serverNow } from '#kit/clock.ts'
import { money, shortTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { listOf } from '#kit/list/declare.ts'
import { days, keyword, many, one } from '#kit/list/filters/specs.tsx'
import { ListPage } from '#kit/list/ListPage.tsx'
import type { ColumnSpec } from '#kit/list/table/columns.tsx'
import { useList } from '#kit/list/useList.ts'
import { Button } from '#kit/plain/Button.tsx'
import { Mark } from '#kit/ui/Mark.tsx'
import { OrderLink } from '#kit/ui/OrderLink.tsx'
import { RiderLink } from '#kit/ui/RiderLink.tsx'
import { useRewardChoices } from '../rewards/rewardFields.tsx'
import { GiveDialog, RevokeRewardsDialog } from './dialogs.tsx'
import { RewardPanel } from './RewardPanel.tsx'
import { rewardName, toneOf } from './words.ts'

const rewards = listOf({
  list: userRewardList,
  call: userRewardEndpoints.listUserRewards,
  sums: userRewardEndpoints.sumUserRewards,
  file: userRewardEndpoints.exportUserRewards,
  fields: userRewardFields,
})

/** What riders were given: to whom, when, why and by which activity. */
export default function UserRewardsPage(): ReactNode {
  const list = useList(rewards)
  const { activities } = useRewardChoices()
  const isOneCompany = new Set(activities.map(({ agentId }) => agentId)).size < 2
  const [isGiving, setGiving] = useState(false)
  const [revoked, setRevoked] = useState<readonly UserReward[]>([])
  return (
    <>
      <ListPage
        list={list}
        title={t('用户奖励')}
        actions={
          <Button look="primary" onClick={() => setGiving(true)}>
            {t('发放奖励')}
          </Button>
        }
        filters={[
          keyword(t('手机号'), 'phone'),
          many('states', t('状态'), rewardStateLabels),
          many('kinds', t('奖励类型'), rewardKindLabels),
          many('causes', t('发放原因'), rewardCauseLabels),
          one(
            'activityId',
            t('活动'),
            activities.map(({ id, name, company }) => ({
              value: id,
              label: isOneCompany ? name : `${name} · ${company}`,
            })),
          ),
          days(t('获得日期')),
        ]}
        columns={columns}
        rowName={(reward) => `${rewardName(reward)} ${reward.phone}`}
        empty={t('没有这样的奖励')}
        selectable={({ state }) => state === 'pending' || state === 'given'}
        renderTools={(rows) => (
          <Button onClick={() => setRevoked(rows)}>{t('收回 {{count}} 项', { count: rows.length })}</Button>
        )}
        renderPanel={(row) => <RewardPanel key={row.id} reward={row} />}
      />
      {isGiving && <GiveDialog onClose={() => setGiving(false)} />}
      {revoked.length > 0 && (
        <RevokeRewardsDialog
          ids={revoked.map(({ id }) => id)}
          onClose={() => setRevoked([])}
          onDone={() => list.choose([])}
        />
      )}
    </>
  )
}

const columns = (): readonly ColumnSpec<UserReward>[] => [
  {
    key: 'riderId',
    title: t('骑行者'),
    card: 'head',
    render: ({ riderId, phone }) => <RiderLink riderId={riderId}>{phone}</RiderLink>,
  },
  {
    key: 'state',
    card: 'head',
    render: ({ state }) => <Mark tone={toneOf[state]}>{t(rewardStateLabels[state])}</Mark>,
  },
  { key: 'name', render: ({ kind, name, count }) => rewardName({ kind, name, count }) },
  { key: 'cents', render: ({ cents }) => (cents === 0 ? '--' : money(cents)) },
  'cause',
  { key: 'activity', render: ({ activity, grantedBy }) => activity ?? grantedBy ?? '--' },
  { key: 'grantedAt', render: ({ grantedAt }) => shortTime(grantedAt, serverNow()) },
  { key: 'givenAt', render: ({ givenAt }) => (givenAt === null ? '--' : shortTime(givenAt, serverNow())) },
  { key: 'kind', isOptional: true },
  {
    key: 'orderNumber',
    isOptional: true,
    render: ({ orderId, orderNumber }) => <OrderLink orderId={orderId} number={orderNumber} />,
  },
  { key: 'note', isOptional: true },
  { key: 'dueAt', isOptional: true },
  { key: 'endedAt', isOptional: true },
  { key: 'endedBy', isOptional: true },
  { key: 'endReason', isOptional: true },
  { key: 'company', card: 'none', isOptional: true },
]
