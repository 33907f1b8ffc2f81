import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { purposeLabels } from '@saddle/contract/finance/payments.ts'
import {
  channelRefundEndpoints,
  refundFields,
  refundList,
  refundStateLabels,
  retryBatchMax,
  type ListedRefund,
} from '@saddle/contract/finance/refunds.ts'
import { money } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { listOf } from '#kit/list/declare.ts'
import { days, many } from '#kit/list/filters/specs.tsx'
import { ListPage } from '#kit/list/ListPage.tsx'
import type { ColumnSpec } from '#kit/list/table/columns.tsx'
import { useList } from '#kit/list/useList.ts'
import { Button } from '#kit/plain/Button.tsx'
import { Permit } from '#kit/ui/Permit.tsx'
import { riderKeyword } from '#kit/ui/riderKeyword.ts'
import { RiderLink } from '#kit/ui/RiderLink.tsx'
import { MoneyActions } from '../wallet/MoneyActions.tsx'
import { RefundMark } from '../wallet/MoneyMark.tsx'
import { useRetry } from './useRetry.ts'
import { noteText } from '../notes.ts'

const refunds = listOf({
  list: refundList,
  call: channelRefundEndpoints.listRefunds,
  sums: channelRefundEndpoints.sumRefunds,
  file: channelRefundEndpoints.exportRefunds,
  fields: refundFields,
  usual: { states: ['failed'] },
})

const hasFailed = ({ state }: ListedRefund): boolean => state === 'failed'

/** Money that is to go back through the channels, of all riders of the scope: what failed first of all. */
export function RefundList({ title, views }: { readonly title: string; readonly views: ReactNode }): ReactNode {
  const list = useList(refunds)
  return (
    <ListPage
      list={list}
      title={title}
      above={views}
      filters={[
        riderKeyword(),
        many('states', t('状态'), refundStateLabels),
        many('purposes', t('用途'), purposeLabels),
        days(t('申请日期')),
      ]}
      columns={columns}
      rowName={({ riderPhone, id }) => riderPhone ?? String(id)}
      empty={t('没有未退成的退款')}
      selectable={hasFailed}
      renderTools={(rows, done) => <RetryMany refunds={rows.slice(0, retryBatchMax)} onDone={done} />}
    />
  )
}

function RetryMany({ refunds: chosen, onDone }: { refunds: readonly ListedRefund[]; onDone: () => void }) {
  const { retry, isBusy } = useRetry(onDone)
  const cents = chosen.reduce((sum, refund) => sum + refund.cents, 0)
  return (
    <Permit action="07010113">
      <Button look="primary" busy={isBusy} onClick={() => retry(chosen.map(({ id }) => id))}>
        {t('重试 {{count}} 笔退款，共 {{yuan}} 元', { count: chosen.length, yuan: money(cents) })}
      </Button>
    </Permit>
  )
}

/** What can be done with one that failed: ask the channel again, or leave the money with the rider. */
function Acts({ refund: { id, cents, state } }: { refund: ListedRefund }) {
  const { retry, isBusy } = useRetry()
  if (state !== 'failed') return '--'
  return (
    <>
      <Permit action="07010113">
        <Button look="quiet" busy={isBusy} onClick={() => retry([id])}>
          {t('重试')}
        </Button>
      </Permit>
      <MoneyActions
        permission="07010113"
        look="quiet"
        actions={[{ label: t('转为余额'), action: { kind: 'returnRefund', about: { refundId: id, cents } } }]}
      />
    </>
  )
}

function Purpose({ refund: { purpose, subjectId } }: { refund: ListedRefund }) {
  const words = t(purposeLabels[purpose])
  if (purpose !== 'ride' || subjectId === null) return words
  return <Link to={`/user-order-detail?order=${subjectId}`}>{words}</Link>
}

const columns = (): readonly ColumnSpec<ListedRefund>[] => [
  {
    key: 'riderPhone',
    title: t('用户', { context: 'rider' }),
    card: 'head',
    render: ({ riderId, riderPhone }) => (
      <RiderLink riderId={riderId} money="payments">
        {riderPhone ?? riderId}
      </RiderLink>
    ),
  },
  { key: 'state', card: 'head', render: ({ state }) => <RefundMark state={state} /> },
  { key: 'act', title: t('操作'), card: 'wide', render: (row) => <Acts refund={row} /> },
  'cents',
  { key: 'purpose', card: 'none', render: (row) => <Purpose refund={row} /> },
  { key: 'channel', card: 'none' },
  { key: 'reason', width: 180, card: 'none', render: ({ reason }) => noteText(reason) },
  { key: 'fault', width: 200 },
  { key: 'attempts', card: 'none' },
  { key: 'createdAt', sort: 'created' },
  { key: 'doneAt', card: 'none' },
  { key: 'company', card: 'none' },
  { key: 'returnedAt', isOptional: true },
  { key: 'returnedBy', isOptional: true },
  { key: 'id', isOptional: true },
]
