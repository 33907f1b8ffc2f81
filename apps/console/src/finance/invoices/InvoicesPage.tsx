import { lazy, Suspense, useState, type ReactNode } from 'react'
import {
  invoiceBatchMax,
  invoiceEndpoints,
  invoiceFields,
  invoiceList,
  invoiceStateLabels,
  invoiceTitleKindLabels,
  type Invoice,
  type InvoiceFilter,
} from '@saddle/contract/finance/invoices.ts'
import { loadChunk } from '#kit/chunk.tsx'
import { money } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { listOf } from '#kit/list/declare.ts'
import { days, keyword, many, one } from '#kit/list/filters/specs.tsx'
import { ListPage } from '#kit/list/ListPage.tsx'
import { Moment, type ColumnSpec } from '#kit/list/table/columns.tsx'
import { useList } from '#kit/list/useList.ts'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { RiderLink } from '#kit/ui/RiderLink.tsx'
import { InvoiceMark } from './InvoiceMark.tsx'
import { InvoicePanel } from './InvoicePanel.tsx'
import { invoiceWordOf, readInvoiceWord } from './word.ts'
import './invoices.css'

const IssueDialog = lazy(() => loadChunk(() => import('./IssueDialog.tsx')))
const RefuseDialog = lazy(() => loadChunk(() => import('./RefuseDialog.tsx')))

const refreshEveryMs = 60_000

const { taxNumber: _, email: __, ...shownFields } = invoiceFields
const invoices = listOf({
  list: invoiceList,
  call: invoiceEndpoints.listInvoices,
  sums: invoiceEndpoints.sumInvoices,
  file: invoiceEndpoints.exportInvoices,
  fields: shownFields,
})

const isWaiting = ({ state }: Invoice): boolean => state === 'requested'

/** What riders want invoices for: asked for, issued, refused; decided one by one or together. */
export default function InvoicesPage(): ReactNode {
  const list = useList(invoices, { refreshEveryMs })
  return (
    <ListPage<Invoice, InvoiceFilter>
      list={list}
      title={t('开票管理')}
      actions={<Waiting />}
      layout="queue"
      filters={[
        keyword(t('手机号、申请编号或发票号码'), {
          names: ['phone', 'id', 'number'],
          read: readInvoiceWord,
          write: invoiceWordOf,
        }),
        many('states', t('状态'), invoiceStateLabels),
        one('titleKind', t('抬头类型'), invoiceTitleKindLabels),
        days(t('申请日期')),
      ]}
      columns={columns}
      rowName={({ title }) => title}
      empty={t('还没有开票申请')}
      selectable={isWaiting}
      renderTools={(rows, done) => <DecideMany invoices={rows.slice(0, invoiceBatchMax)} onDone={done} />}
      isWaiting={isWaiting}
      renderPanel={(row, { goOn }) => <InvoicePanel key={row.id} invoice={row} onDecided={goOn} />}
    />
  )
}

/** How much is still to be issued, whatever the filter. */
function Waiting() {
  const filter = { states: ['requested' as const] }
  const { data } = useEndpoint(
    invoiceEndpoints.sumInvoices,
    { filter },
    { quiet: true, keepPrevious: true, refetchIntervalMs: refreshEveryMs },
  )
  if (data === undefined) return null
  const { rows, sums } = data.data
  if (rows === 0) return null
  return (
    <span className="invoices-waiting">
      {t('{{count}} 张待开票，共 {{yuan}} 元', { count: rows, yuan: money(sums?.cents) })}
    </span>
  )
}

function DecideMany({ invoices, onDone }: { readonly invoices: readonly Invoice[]; readonly onDone: () => void }) {
  const [open, setOpen] = useState<'issue' | 'refuse' | null>(null)
  const close = () => setOpen(null)
  const count = invoices.length
  return (
    <>
      <Button look="primary" onClick={() => setOpen('issue')}>
        {t('登记 {{count}} 张发票', { count })}
      </Button>
      <Button onClick={() => setOpen('refuse')}>{t('拒绝 {{count}} 张', { count })}</Button>
      <Suspense fallback={null}>
        {open === 'issue' && <IssueDialog invoices={invoices} onClose={close} onDone={onDone} />}
        {open === 'refuse' && <RefuseDialog invoices={invoices} onClose={close} onDone={onDone} />}
      </Suspense>
    </>
  )
}

const columns = (): readonly ColumnSpec<Invoice>[] => [
  {
    key: 'title',
    card: 'head',
    render: ({ title, titleKind }) => (
      <span>
        {title} <small className="invoices-kind">{t(invoiceTitleKindLabels[titleKind])}</small>
      </span>
    ),
  },
  { key: 'state', card: 'head', render: ({ state }) => <InvoiceMark state={state} /> },
  'cents',
  { key: 'itemCount', card: 'none' },
  {
    key: 'riderPhone',
    title: t('骑行者'),
    render: ({ riderId, riderPhone }) => <RiderLink riderId={riderId}>{riderPhone}</RiderLink>,
  },
  { key: 'number', card: 'none' },
  'requestedAt',
  {
    key: 'decidedAt',
    title: t('处理'),
    card: 'none',
    render: ({ decidedBy, decidedAt }) =>
      decidedBy === null ? (
        '--'
      ) : (
        <>
          {decidedBy} · <Moment at={decidedAt} />
        </>
      ),
  },
  { key: 'company', isOptional: true },
  { key: 'reason', isOptional: true },
]
