import type { ReactNode } from 'react'
import {
  rechargeActivityEndpoints,
  rechargeUseFields,
  rechargeUseList,
  type RechargeUse,
} from '@saddle/contract/marketing/rechargeActivities.ts'
import { t } from '#kit/i18n/index.ts'
import { listOf } from '#kit/list/declare.ts'
import { ListCard } from '#kit/list/ListCard.tsx'
import type { ColumnSpec } from '#kit/list/table/columns.tsx'
import { useList } from '#kit/list/useList.ts'

const uses = listOf({
  list: rechargeUseList,
  call: rechargeActivityEndpoints.listRechargeUses,
  sums: rechargeActivityEndpoints.sumRechargeUses,
  file: rechargeActivityEndpoints.exportRechargeUses,
  fields: rechargeUseFields,
})

/** The recharges that were asked for with an activity, and what they were given. */
export function Uses({ activityId }: { readonly activityId: number }): ReactNode {
  const list = useList(uses, { fixed: { activityId }, isInside: true })
  return (
    <ListCard
      list={list}
      label={t('参加的充值')}
      columns={() => columns}
      rowName={({ id }) => String(id)}
      empty={t('还没有人按此活动充值')}
    />
  )
}

const columns: readonly ColumnSpec<RechargeUse>[] = [
  { key: 'phone', card: 'head' },
  'state',
  'cents',
  'giftCents',
  { key: 'why', isOptional: true },
  'settledAt',
  { key: 'askedAt', isOptional: true },
]
