import { lazy, Suspense, useState, type ReactNode } from 'react'
import {
  invoiceBatchMax,
  invoiceEndpoints,
  invoiceFilterSchema,
  invoiceStateLabels,
  invoiceStates,
  invoiceTitleKindLabels,
  invoiceTitleKinds,
  type Invoice,
  type InvoiceFilter,
} from '@saddle/contract/finance/invoices.ts'
import { minuteMs } from '@saddle/contract/time.ts'
import { call } from '#kit/api/client.ts'
import { loadChunk } from '#kit/chunk.tsx'
import { dateTime, money } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { changeFilter, useAddressFilter } from '#kit/list/addressFilter.ts'
import { Many, One } from '#kit/list/Choices.tsx'
import type { Column } from '#kit/list/DataTable.tsx'
import { Days, FilterBar, Keyword } from '#kit/list/FilterBar.tsx'
import { usePages } from '#kit/list/usePages.ts'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { useScope } from '#kit/session/scope.ts'
import { RiderLink } from '#kit/ui/RiderLink.tsx'
import { Empty } from '#kit/ui/states.tsx'
import { ListCard } from '../parts/ListCard.tsx'
import { InvoiceMark } from './InvoiceMark.tsx'
import { InvoicePanel } from './InvoicePanel.tsx'
import { invoiceWordOf, readInvoiceWord } from './word.ts'
import './invoices.css'

const IssueDialog = lazy(() => loadChunk(() => import('./IssueDialog.tsx')))
const RefuseDialog = lazy(() => loadChunk(() => import('./RefuseDialog.tsx')))

const pageSize = 50
const refreshEveryMs = minuteMs

/** What riders want invoices for: asked for, issued, refused; decided one by one or together. */
export default function InvoicesPage(): ReactNode {
  const [filter, setFilter] = useAddressFilter(invoiceFilterSchema, { secret: ['phone'] })
  const [shown, setShown] = useState<number | null>(null)
  const change = (part: Partial<Record<keyof InvoiceFilter, unknown>>) => setFilter(changeFilter(filter, part))
  const { data } = useEndpoint(
    invoiceEndpoints.listInvoices,
    { pageSize: 1 },
    { quiet: true, keepPrevious: true, refetchIntervalMs: refreshEveryMs },
  )
  const waiting = data?.data.counters
  return (
    <div className="page">
      <header className="page-head">
        <h1>
          {t('开票管理')}
          {waiting && (
            <small className="invoices-waiting">
              {t('{{count}} 张待开票，共 {{yuan}} 元', {
                count: waiting.requested,
                yuan: money(waiting.requestedCents),
              })}
            </small>
          )}
        </h1>
      </header>
      <FilterBar count={Object.keys(filter).length} onClear={() => setFilter({})}>
        <Keyword
          label={t('手机号、申请编号或发票号码')}
          value={invoiceWordOf(filter)}
          onChange={(text) => change({ phone: undefined, id: undefined, number: undefined, ...readInvoiceWord(text) })}
        />
        <Many
          label={t('状态')}
          value={filter.states}
          options={invoiceStates.map((state) => ({ value: state, label: t(invoiceStateLabels[state]) }))}
          onChange={(states) => change({ states })}
        />
        <One
          label={t('抬头类型')}
          value={filter.titleKind}
          options={invoiceTitleKinds.map((kind) => ({ value: kind, label: t(invoiceTitleKindLabels[kind]) }))}
          onChange={(titleKind) => change({ titleKind })}
        />
        <Days label={t('申请日期')} from={filter.from} to={filter.to} onChange={change} />
      </FilterBar>
      <div className="rider-split" data-open={shown !== null}>
        <InvoiceTable filter={filter} onShow={setShown} onClear={() => setFilter({})} />
        {shown !== null && <InvoicePanel key={shown} id={shown} onClose={() => setShown(null)} />}
      </div>
    </div>
  )
}

interface TableProps {
  readonly filter: InvoiceFilter
  readonly onShow: (id: number) => void
  readonly onClear: () => void
}

function InvoiceTable({ filter, onShow, onClear }: TableProps) {
  const { scopeKey } = useScope()
  const question = JSON.stringify([filter, scopeKey])
  const pages = usePages(question)
  const [chosen, setChosen] = useState<{ of: string; ids: readonly number[] }>({ of: question, ids: [] })
  const [deciding, setDeciding] = useState<'issue' | 'refuse' | null>(null)
  const input = { filter, pageSize, ...(pages.cursor !== undefined && { cursor: pages.cursor }) }
  const { data, error, isPlaceholderData, refetch } = useEndpoint(invoiceEndpoints.listInvoices, input, {
    keepPrevious: true,
    refetchIntervalMs: refreshEveryMs,
  })
  const waiting = (data?.data.list ?? []).filter(({ state }) => state === 'requested')
  const selected = waiting.filter(({ id }) => chosen.of === question && chosen.ids.includes(id))
  const done = () => {
    setDeciding(null)
    setChosen({ of: question, ids: [] })
  }
  const count = selected.length
  return (
    <>
      <ListCard<Invoice>
        label={t('开票管理')}
        question={question}
        pages={pages}
        page={data?.data}
        busy={isPlaceholderData}
        error={error}
        onRetry={() => void refetch()}
        columns={columnsOf(onShow)}
        rowKey={(row) => row.id}
        cardHead={headOf}
        empty={
          Object.keys(filter).length === 0 ? (
            <Empty title={t('还没有开票申请')} text={t('骑行者在应用中申请的发票会出现在这里。')} />
          ) : (
            <Empty title={t('没有符合条件的开票申请')} action={<Button onClick={onClear}>{t('清除条件')}</Button>} />
          )
        }
        selected={selected.map(({ id }) => id)}
        onSelect={(ids) => setChosen({ of: question, ids: ids.slice(0, invoiceBatchMax) })}
        onOpen={(row) => onShow(row.id)}
        onExport={async (at, signal) => {
          const answer = await call(invoiceEndpoints.exportInvoices, { filter, ...at }, { signal })
          return answer.data
        }}
        tools={
          count > 0 && (
            <>
              <Button look="primary" onClick={() => setDeciding('issue')}>
                {t('登记 {{count}} 张发票', { count })}
              </Button>
              <Button onClick={() => setDeciding('refuse')}>{t('拒绝 {{count}} 张', { count })}</Button>
            </>
          )
        }
      />
      <Suspense fallback={null}>
        {deciding === 'issue' && <IssueDialog invoices={selected} onClose={() => setDeciding(null)} onDone={done} />}
        {deciding === 'refuse' && <RefuseDialog invoices={selected} onClose={() => setDeciding(null)} onDone={done} />}
      </Suspense>
    </>
  )
}

const headOf = (row: Invoice): ReactNode => (
  <span className="rider-head">
    <strong>{row.title}</strong>
    <InvoiceMark state={row.state} />
  </span>
)

function columnsOf(onShow: (id: number) => void): readonly Column<Invoice>[] {
  return [
    {
      key: 'title',
      title: t('抬头'),
      inHead: true,
      render: (row) => (
        <span>
          {row.title} <small className="invoices-kind">{t(invoiceTitleKindLabels[row.titleKind])}</small>
        </span>
      ),
    },
    { key: 'state', title: t('状态'), inHead: true, render: (row) => <InvoiceMark state={row.state} /> },
    { key: 'cents', title: t('金额'), unit: t('元'), numeric: true, render: (row) => money(row.cents) },
    { key: 'items', title: t('项目数'), numeric: true, render: (row) => row.itemCount },
    {
      key: 'rider',
      title: t('骑行者'),
      render: (row) => <RiderLink riderId={row.riderId}>{row.riderPhone}</RiderLink>,
    },
    { key: 'number', title: t('发票号码'), render: (row) => row.number ?? '--' },
    { key: 'requested', title: t('申请时间'), render: (row) => <time>{dateTime(row.requestedAt)}</time> },
    {
      key: 'decided',
      title: t('处理'),
      render: (row) => (row.decidedBy === null ? '--' : `${row.decidedBy} · ${dateTime(row.decidedAt)}`),
    },
    {
      key: 'show',
      title: t('明细'),
      render: (row) => (
        <Button look="quiet" onClick={() => onShow(row.id)}>
          {t('查看')}
        </Button>
      ),
    },
  ]
}
