import { useState, type ReactNode } from 'react'
import { Link } from 'react-router'
import { paymentChannelLabels, purposeLabels, purposes } from '@saddle/contract/finance/payments.ts'
import {
  refundFilterSchema,
  refundStateLabels,
  refundStates,
  retryBatchMax,
  walletEndpoints,
  type ListedRefund,
  type RefundFilter,
} from '@saddle/contract/finance/wallet.ts'
import { minuteMs } from '@saddle/contract/time.ts'
import { MoneyActions, RefundMark, useRetry } from '#finance/public.ts'
import { call } from '#kit/api/client.ts'
import { dateTime, money } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { changeFilter, useAddressFilter } from '#kit/list/addressFilter.ts'
import { Many } from '#kit/list/Choices.tsx'
import type { Column } from '#kit/list/DataTable.tsx'
import { Days, FilterBar } from '#kit/list/FilterBar.tsx'
import { usePages } from '#kit/list/usePages.ts'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { useScope } from '#kit/session/scope.ts'
import { Permit } from '#kit/ui/Permit.tsx'
import { RiderLink } from '#kit/ui/RiderLink.tsx'
import { Empty } from '#kit/ui/states.tsx'
import { ListCard } from '../parts/ListCard.tsx'
import { RiderKeyword } from '../parts/RiderKeyword.tsx'

const pageSize = 50
const refreshEveryMs = minuteMs

/** Money that is to go back through the channels, of all riders of the scope: what failed first of all. */
export function RefundsView(): ReactNode {
  const [filter, setFilter] = useAddressFilter(refundFilterSchema, { secret: ['phone'] })
  const change = (part: Partial<Record<keyof RefundFilter, unknown>>) => setFilter(changeFilter(filter, part))
  return (
    <>
      <FilterBar count={Object.keys(filter).length} onClear={() => setFilter({})}>
        <RiderKeyword filter={filter} onChange={change} />
        <Many
          label={t('状态')}
          value={filter.states ?? ['failed']}
          options={refundStates.map((state) => ({ value: state, label: t(refundStateLabels[state]) }))}
          onChange={(states) => change({ states })}
        />
        <Many
          label={t('用途')}
          value={filter.purposes}
          options={purposes.map((purpose) => ({ value: purpose, label: t(purposeLabels[purpose]) }))}
          onChange={(chosen) => change({ purposes: chosen })}
        />
        <Days label={t('申请日期')} from={filter.from} to={filter.to} onChange={change} />
      </FilterBar>
      <Refunds filter={filter} onAll={() => setFilter({ states: [...refundStates] })} />
    </>
  )
}

function Refunds({ filter, onAll }: { filter: RefundFilter; onAll: () => void }) {
  const { scopeKey } = useScope()
  const question = JSON.stringify([filter, scopeKey])
  const pages = usePages(question)
  const [chosen, setChosen] = useState<{ of: string; ids: readonly number[] }>({ of: question, ids: [] })
  const input = { filter, pageSize, ...(pages.cursor !== undefined && { cursor: Number(pages.cursor) }) }
  const { data, error, isPlaceholderData, refetch } = useEndpoint(walletEndpoints.failedRefunds, input, {
    keepPrevious: true,
    refetchIntervalMs: refreshEveryMs,
  })
  const { retry, isBusy } = useRetry(() => setChosen({ of: question, ids: [] }))
  const page = data?.data
  const selected = (page?.list ?? []).filter(
    ({ id, state }) => state === 'failed' && chosen.of === question && chosen.ids.includes(id),
  )
  const cents = selected.reduce((sum, refund) => sum + refund.cents, 0)
  return (
    <ListCard<ListedRefund>
      label={t('退款')}
      question={question}
      pages={pages}
      page={page && { ...page, nextCursor: page.nextCursor?.toString() ?? null, count: null, isCountCut: false }}
      busy={isPlaceholderData}
      error={error}
      onRetry={() => void refetch()}
      columns={columnsOf((row) => retry([row.id]))}
      rowKey={(row) => row.id}
      cardHead={headOf}
      empty={
        <Empty
          title={filter.states === undefined ? t('没有未退成的退款') : t('没有符合条件的退款')}
          action={<Button onClick={onAll}>{t('查看全部')}</Button>}
        />
      }
      selected={selected.map(({ id }) => id)}
      onSelect={(ids) => setChosen({ of: question, ids: ids.slice(0, retryBatchMax) })}
      onExport={async (at, signal) => (await call(walletEndpoints.exportRefunds, { filter, ...at }, { signal })).data}
      tools={
        selected.length > 0 && (
          <Permit action="07010113">
            <Button look="primary" busy={isBusy} onClick={() => retry(selected.map(({ id }) => id))}>
              {t('重试 {{count}} 笔退款，共 {{yuan}} 元', { count: selected.length, yuan: money(cents) })}
            </Button>
          </Permit>
        )
      }
    />
  )
}

const Rider = ({ refund }: { refund: ListedRefund }) => (
  <RiderLink riderId={refund.riderId} money="payments">
    {refund.riderPhone ?? refund.riderId}
  </RiderLink>
)

const headOf = (row: ListedRefund): ReactNode => (
  <span className="rider-head">
    <Rider refund={row} />
    <RefundMark state={row.state} />
  </span>
)

function Purpose({ refund: { purpose, subjectId } }: { refund: ListedRefund }) {
  const words = t(purposeLabels[purpose])
  if (purpose !== 'ride' || subjectId === null) return words
  return <Link to={`/user-order-detail?order=${subjectId}`}>{words}</Link>
}

function columnsOf(onRetry: (row: ListedRefund) => void): readonly Column<ListedRefund>[] {
  return [
    { key: 'rider', title: t('用户', { context: 'rider' }), inHead: true, render: (row) => <Rider refund={row} /> },
    { key: 'state', title: t('状态'), inHead: true, render: (row) => <RefundMark state={row.state} /> },
    {
      key: 'act',
      title: t('操作'),
      render: (row) =>
        row.state !== 'failed' ? (
          '--'
        ) : (
          <>
            <Permit action="07010113">
              <Button look="quiet" onClick={() => onRetry(row)}>
                {t('重试')}
              </Button>
            </Permit>
            <MoneyActions
              permission="07010113"
              look="quiet"
              actions={[
                {
                  label: t('转为余额'),
                  action: { kind: 'returnRefund', about: { refundId: row.id, cents: row.cents } },
                },
              ]}
            />
          </>
        ),
    },
    { key: 'cents', title: t('金额'), unit: t('元'), numeric: true, render: (row) => money(row.cents) },
    { key: 'purpose', title: t('用途'), render: (row) => <Purpose refund={row} /> },
    { key: 'channel', title: t('渠道'), render: (row) => t(paymentChannelLabels[row.channel]) },
    { key: 'reason', title: t('原因'), render: (row) => <span className="rider-text">{row.reason || '--'}</span> },
    { key: 'fault', title: t('渠道答复'), render: (row) => <span className="rider-text">{row.fault || '--'}</span> },
    { key: 'attempts', title: t('尝试次数'), numeric: true, render: (row) => row.attempts },
    { key: 'asked', title: t('申请时间'), render: (row) => <time>{dateTime(row.createdAt)}</time> },
    { key: 'done', title: t('完成时间'), render: (row) => <time>{dateTime(row.doneAt)}</time> },
    { key: 'company', title: t('加盟商'), render: (row) => row.company },
  ]
}
