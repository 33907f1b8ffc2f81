import type { ReactNode } from 'react'
import {
  activityUseEndpoints,
  activityUseFields,
  activityUseList,
  activityUseStateLabels,
  type ActivityUse,
} from '@saddle/contract/marketing/activityUses.ts'
import { rewardCauseLabels } from '@saddle/contract/marketing/rewards.ts'
import { t } from '#kit/i18n/index.ts'
import { listOf } from '#kit/list/declare.ts'
import { days, keyword, many } from '#kit/list/filters/specs.tsx'
import { ListCard } from '#kit/list/ListCard.tsx'
import type { ColumnSpec } from '#kit/list/table/columns.tsx'
import { useList } from '#kit/list/useList.ts'
import { OrderLink } from '#kit/ui/OrderLink.tsx'
import { RiderLink } from '#kit/ui/RiderLink.tsx'

const uses = listOf({
  list: activityUseList,
  call: activityUseEndpoints.listActivityUses,
  sums: activityUseEndpoints.sumActivityUses,
  file: activityUseEndpoints.exportActivityUses,
  fields: activityUseFields,
})

/** Each use of an activity: by whom, for what, and what it cost. */
export function Uses({ activityId }: { readonly activityId: number }): ReactNode {
  const list = useList(uses, { fixed: { activityId }, isInside: true })
  return (
    <ListCard
      list={list}
      label={t('使用记录')}
      filters={[keyword(t('手机号'), 'phone'), many('states', t('状态'), activityUseStateLabels), days(t('使用日期'))]}
      columns={columns}
      rowName={({ id }) => String(id)}
      empty={t('还没有人使用')}
    />
  )
}

const columns = (): readonly ColumnSpec<ActivityUse>[] => [
  {
    key: 'phone',
    card: 'head',
    render: ({ riderId, phone }) => <RiderLink riderId={riderId}>{phone}</RiderLink>,
  },
  {
    key: 'cause',
    render: ({ cause, orderId, orderNumber }) =>
      orderId === null ? t(rewardCauseLabels[cause]) : <OrderLink orderId={orderId} number={orderNumber} />,
  },
  'cents',
  'usedAt',
  'state',
  { key: 'version', isOptional: true },
  { key: 'givenBackAt', isOptional: true },
]
