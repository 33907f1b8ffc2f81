import { useState, type ReactNode } from 'react'
import {
  inviteEndpoints,
  inviteFields,
  inviteList,
  inviteReasonLabels,
  inviteStateLabels,
  type Invite,
} from '@saddle/contract/marketing/invites.ts'
import { dateTime, money, number } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { DetailPanel } from '#kit/list/DetailPanel.tsx'
import { listOf } from '#kit/list/declare.ts'
import { days, many } from '#kit/list/filters/specs.tsx'
import { ListCard } from '#kit/list/ListCard.tsx'
import { ListPage } from '#kit/list/ListPage.tsx'
import { StateTabs } from '#kit/list/StateTabs.tsx'
import type { ColumnSpec } from '#kit/list/table/columns.tsx'
import { useList } from '#kit/list/useList.ts'
import { Button } from '#kit/plain/Button.tsx'
import { Facts } from '#kit/ui/Facts.tsx'
import { Mark } from '#kit/ui/Mark.tsx'
import { OrderLink } from '#kit/ui/OrderLink.tsx'
import { RiderLink } from '#kit/ui/RiderLink.tsx'
import { riderKeyword } from '#kit/ui/riderKeyword.ts'
import { DecideDialog, type Decision } from './DecideDialog.tsx'
import { likenessText, nextText, reasonText, toneOfInvite } from './words.ts'

const invites = listOf({
  list: inviteList,
  call: inviteEndpoints.listInvites,
  sums: inviteEndpoints.sumInvites,
  file: inviteEndpoints.exportInvites,
  fields: inviteFields,
})

/** Every invite with its state and the reason, and what people decide about it. */
export function InvitesPage({ views }: { readonly views: ReactNode }): ReactNode {
  const list = useList(invites)
  return (
    <ListPage
      list={list}
      title={t('邀请记录')}
      above={
        <>
          {views}
          <StateTabs
            list={list}
            call={inviteEndpoints.listInvites}
            name="states"
            title={t('状态')}
            labels={inviteStateLabels}
          />
        </>
      }
      filters={[riderKeyword(), many('reasons', t('原因'), inviteReasonLabels), days(t('邀请日期'))]}
      columns={columns}
      rowName={({ id }) => String(id)}
      empty={t('没有这样的邀请')}
      renderPanel={(invite) => <InvitePanel key={invite.id} invite={invite} />}
    />
  )
}

/** The invites of one activity, inside of its panel. */
export function InvitesOfActivity({ activityId }: { readonly activityId: number }): ReactNode {
  const list = useList(invites, { fixed: { activityId }, isInside: true })
  const [decision, setDecision] = useState<Decision | null>(null)
  return (
    <>
      <ListCard
        list={list}
        label={t('邀请记录')}
        filters={[
          riderKeyword(),
          many('states', t('状态'), inviteStateLabels),
          many('reasons', t('原因'), inviteReasonLabels),
        ]}
        columns={() => [
          ...columns(),
          {
            key: 'acts',
            title: t('操作'),
            render: (invite: Invite) => <Decide invite={invite} onDecide={setDecision} />,
          },
        ]}
        rowName={({ id }) => String(id)}
        empty={t('还没有人受邀')}
      />
      {decision !== null && <DecideDialog {...decision} onClose={() => setDecision(null)} />}
    </>
  )
}

const columns = (): readonly ColumnSpec<Invite>[] => [
  {
    key: 'invitedPhone',
    card: 'head',
    render: ({ invitedId, invitedPhone }) => <RiderLink riderId={invitedId}>{invitedPhone}</RiderLink>,
  },
  {
    key: 'state',
    card: 'head',
    render: ({ state }) => <Mark tone={toneOfInvite[state]}>{t(inviteStateLabels[state])}</Mark>,
  },
  {
    key: 'inviterPhone',
    render: ({ inviterId, inviterPhone }) => <RiderLink riderId={inviterId}>{inviterPhone}</RiderLink>,
  },
  { key: 'reason', render: (invite) => reasonText(invite) },
  { key: 'activity', card: 'none' },
  'boundAt',
  'countedAt',
  { key: 'costCents', render: ({ costCents }) => (costCents === 0 ? '--' : money(costCents)) },
  { key: 'depth', isOptional: true },
  { key: 'dueAt', isOptional: true },
  {
    key: 'orderNumber',
    isOptional: true,
    render: ({ orderId, orderNumber }) => <OrderLink orderId={orderId} number={orderNumber} />,
  },
  { key: 'decidedBy', isOptional: true },
  { key: 'company', card: 'none', isOptional: true },
]

/** One invite: what happened, what the rules saw, and what a person may decide. */
function InvitePanel({ invite }: { readonly invite: Invite }) {
  const [decision, setDecision] = useState<Decision | null>(null)
  const { facts } = invite
  return (
    <DetailPanel
      label={t('邀请详情')}
      title={
        <>
          <strong>{invite.invitedPhone}</strong>{' '}
          <Mark tone={toneOfInvite[invite.state]}>{t(inviteStateLabels[invite.state])}</Mark>
        </>
      }
      foot={<Decide invite={invite} onDecide={setDecision} />}
    >
      <Facts
        facts={[
          [
            t('好友'),
            <RiderLink key="invited" riderId={invite.invitedId}>
              {invite.invitedPhone}
            </RiderLink>,
          ],
          [
            t('邀请人'),
            <RiderLink key="inviter" riderId={invite.inviterId}>
              {invite.inviterPhone}
            </RiderLink>,
          ],
          [t('活动'), t('{{name}}，版本 {{version}}', { name: invite.activity, version: invite.version })],
          [t('层级'), number(invite.depth)],
          [t('原因'), reasonText(invite)],
          [t('下一步'), nextText(invite)],
          [t('邀请时间'), dateTime(invite.boundAt)],
          [t('首骑时间'), dateTime(invite.countedAt)],
          [t('首骑订单'), <OrderLink key="order" orderId={invite.orderId} number={invite.orderNumber} />],
          [
            t('首骑'),
            facts.minutes === null
              ? '--'
              : t('{{minutes}} 分钟，{{metres}} 米，实付 {{yuan}} 元', {
                  minutes: facts.minutes,
                  metres: number(facts.metres ?? 0),
                  yuan: money(facts.paidCents ?? 0),
                }),
          ],
          [t('账号关联'), likenessText(invite)],
          [t('奖励价值'), invite.costCents === 0 ? '--' : t('{{yuan}} 元', { yuan: money(invite.costCents) })],
          ...(invite.decidedBy === null
            ? []
            : [[t('处理'), `${invite.decidedBy} · ${dateTime(invite.decidedAt)}`] as const]),
        ]}
      />
      {decision !== null && <DecideDialog {...decision} onClose={() => setDecision(null)} />}
    </DetailPanel>
  )
}

/** What can be decided about an invite in its state. */
function Decide({ invite, onDecide }: { readonly invite: Invite; readonly onDecide: (decision: Decision) => void }) {
  const { state, reason } = invite
  if (state === 'registered' || state === 'pending')
    return <Button onClick={() => onDecide({ invite, act: 'refuse' })}>{t('判定不通过')}</Button>
  if (state !== 'refused') return null
  return (
    <Button
      disabled={reason === 'cycle'}
      title={reason === 'cycle' ? t('循环邀请不能放行') : undefined}
      onClick={() => onDecide({ invite, act: 'clear' })}
    >
      {t('放行')}
    </Button>
  )
}
