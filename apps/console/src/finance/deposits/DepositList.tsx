import type { ReactNode } from 'react'
import {
  depositEndpoints,
  depositFields,
  depositList,
  depositStateLabels,
  type Deposit,
} from '@saddle/contract/finance/deposits.ts'
import { t } from '#kit/i18n/index.ts'
import { listOf } from '#kit/list/declare.ts'
import { days, many } from '#kit/list/filters/specs.tsx'
import { ListPage } from '#kit/list/ListPage.tsx'
import type { ColumnSpec } from '#kit/list/table/columns.tsx'
import { useList } from '#kit/list/useList.ts'
import { riderKeyword } from '#kit/ui/riderKeyword.ts'
import { RiderLink } from '#kit/ui/RiderLink.tsx'
import { DepositMark } from '../wallet/MoneyMark.tsx'
import { noteText } from '../notes.ts'

const deposits = listOf({
  list: depositList,
  call: depositEndpoints.listDeposits,
  sums: depositEndpoints.sumDeposits,
  file: depositEndpoints.exportDeposits,
  fields: depositFields,
})

/** The deposits of all riders of the scope; what is frozen waits for a decision on the rider's own page. */
export function DepositList({ title, views }: { readonly title: string; readonly views: ReactNode }): ReactNode {
  const list = useList(deposits)
  return (
    <ListPage
      list={list}
      title={title}
      above={views}
      filters={[riderKeyword(), many('states', t('状态'), depositStateLabels), days(t('交纳日期'))]}
      columns={columns}
      rowName={({ riderPhone }) => riderPhone}
      empty={t('还没有人交过押金')}
      toRow={({ riderId }) => `/user-info-detail?rider=${riderId}&money=deposit`}
    />
  )
}

/** Why parts of it are frozen now, and by whom. */
const reasonsOf = ({ cases }: Deposit): string =>
  cases
    .flatMap(({ state, reason, operatorName }) => (state === 'open' ? [`${noteText(reason)} · ${operatorName}`] : []))
    .join(t('；')) || '--'

const columns = (): readonly ColumnSpec<Deposit>[] => [
  {
    key: 'riderPhone',
    title: t('用户', { context: 'rider' }),
    card: 'head',
    render: ({ riderId, riderPhone }) => (
      <RiderLink riderId={riderId} money="deposit">
        {riderPhone}
      </RiderLink>
    ),
  },
  { key: 'state', card: 'head', render: ({ state }) => <DepositMark state={state} /> },
  'cents',
  'freeCents',
  'frozenCents',
  { key: 'recoveredCents', card: 'none' },
  { key: 'refundedCents', card: 'none' },
  { key: 'cases', title: t('冻结原因'), card: 'none', render: reasonsOf },
  { key: 'channel', card: 'none' },
  { key: 'paidAt', sort: 'paid' },
  'company',
  { key: 'id', isOptional: true },
]
