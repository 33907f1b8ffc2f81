import { lazy, Suspense, useState, type ReactNode } from 'react'
import { Link } from 'react-router'
import {
  invoiceEndpoints,
  invoiceItemKindLabels,
  invoiceTitleKindLabels,
  type Invoice,
  type InvoiceItem,
  type InvoiceState,
} from '@saddle/contract/finance/invoices.ts'
import { useAction } from '#kit/action/useAction.ts'
import { call, type AnswerOf } from '#kit/api/client.ts'
import { loadChunk } from '#kit/chunk.tsx'
import { dateTime, money } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { DetailPanel } from '#kit/list/DetailPanel.tsx'
import { PhotoStrip } from '#kit/photos/PhotoStrip.tsx'
import { Button, OutLink } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { Permit } from '#kit/ui/Permit.tsx'
import { RiderLink } from '#kit/ui/RiderLink.tsx'
import { ErrorState, Loading } from '#kit/ui/states.tsx'
import { Facts } from '#kit/ui/Facts.tsx'
import { InvoiceMark } from './InvoiceMark.tsx'
import { useRestore } from './useRestore.ts'
import './invoices.css'

const IssueDialog = lazy(() => loadChunk(() => import('./IssueDialog.tsx')))
const RefuseDialog = lazy(() => loadChunk(() => import('./RefuseDialog.tsx')))
const FlushDialog = lazy(() => loadChunk(() => import('./FlushDialog.tsx')))

interface Props {
  readonly invoice: Invoice
  /** On to the next one that waits. */
  readonly onDecided: () => void
}

/** One invoice: for whom, for what, and what can be done about it. */
export function InvoicePanel({ invoice, onDecided }: Props): ReactNode {
  return (
    <DetailPanel
      label={t('发票明细')}
      title={
        <span className="invoices-head">
          <strong>{t('申请 {{id}}', { id: invoice.id })}</strong>
          <InvoiceMark state={invoice.state} />
        </span>
      }
      {...(hasActs.has(invoice.state) && { foot: <Acts invoice={invoice} onDecided={onDecided} /> })}
    >
      <Whole invoice={invoice} />
    </DetailPanel>
  )
}

const hasActs: ReadonlySet<InvoiceState> = new Set(['requested', 'refused', 'issued'])

function Whole({ invoice }: { invoice: Invoice }) {
  const { id, number, link, redNumber, reason } = invoice
  const facts: (readonly [string, ReactNode])[] = [
    [
      t('骑行者'),
      <RiderLink key="rider" riderId={invoice.riderId}>
        {invoice.riderPhone}
      </RiderLink>,
    ],
    [t('加盟商'), invoice.company],
    [t('金额'), t('{{yuan}} 元', { yuan: money(invoice.cents) })],
    [t('申请时间'), dateTime(invoice.requestedAt)],
    [t('处理时间'), dateTime(invoice.decidedAt)],
    [t('处理人'), invoice.decidedBy ?? '--'],
    ...(number === null ? [] : [[t('发票号码'), number] as const]),
    ...(redNumber === null ? [] : [[t('红字发票号码'), redNumber] as const]),
    ...(reason === '' ? [] : [[t('原因'), reason] as const]),
    ...(link === null
      ? []
      : [
          [
            t('下载链接'),
            <OutLink key="link" href={link}>
              {t('打开')}
            </OutLink>,
          ] as const,
        ]),
  ]
  return (
    <>
      <Title invoice={invoice} />
      <Facts facts={facts} />
      <PhotoStrip
        label={t('发票图片')}
        of={['invoice', id]}
        count={invoice.hasFile ? 1 : 0}
        load={async (signal) => (await call(invoiceEndpoints.invoiceFile, { id }, { signal })).data.list}
      />
      <Items id={id} isIssued={invoice.state === 'issued'} />
    </>
  )
}

/** Masked; shown in full on request, which is logged. */
function Title({ invoice }: { invoice: Invoice }) {
  const [whole, setWhole] = useState<AnswerOf<typeof invoiceEndpoints.revealInvoice>['data'] | null>(null)
  const reveal = useAction(invoiceEndpoints.revealInvoice, { onDone: ({ data }) => setWhole(data) })
  const kind = t(invoiceTitleKindLabels[invoice.titleKind])
  if (whole === null) {
    return (
      <p className="invoices-title">
        <strong>{invoice.title}</strong> {kind}
        <Button busy={reveal.isBusy} onClick={() => reveal.send({ id: invoice.id })}>
          {t('查看完整抬头（留痕）')}
        </Button>
      </p>
    )
  }
  return (
    <Facts
      facts={[
        [t('抬头'), whole.title],
        [t('抬头类型'), kind],
        [t('税号'), whole.taxNumber ?? '--'],
        [t('接收邮箱'), whole.email],
      ]}
    />
  )
}

function Items({ id, isIssued }: { id: number; isIssued: boolean }) {
  const { data, error, refetch } = useEndpoint(invoiceEndpoints.invoiceItems, { id })
  if (data === undefined) {
    return error === null ? <Loading /> : <ErrorState error={error} onRetry={() => void refetch()} />
  }
  const { list } = data.data
  const isShort = list.some(({ cents, coveredCents }) => coveredCents < cents)
  return (
    <>
      {isShort && (
        <p className="invoices-short" role="alert">
          {isIssued
            ? t('有项目在开票后退款，请红冲后重新开具。')
            : t('有项目已退款，不能按申请金额开票，请拒绝后由骑行者重新申请。')}
        </p>
      )}
      <table className="invoices-items" aria-label={t('发票明细')}>
        <thead>
          <tr>
            <th>{t('项目')}</th>
            <th>{t('时间')}</th>
            <th data-numeric="true">{t('金额（元）')}</th>
          </tr>
        </thead>
        <tbody>
          {list.map((item) => (
            <tr key={`${item.kind}${item.subjectId}`}>
              <td>
                <ItemName item={item} />
              </td>
              <td>{dateTime(item.at)}</td>
              <td data-numeric="true">
                {money(item.cents)}
                {item.coveredCents < item.cents && (
                  <small>{t('现为 {{yuan}}', { yuan: money(item.coveredCents) })}</small>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}

function ItemName({ item }: { item: InvoiceItem }) {
  const kind = t(invoiceItemKindLabels[item.kind])
  if (item.kind !== 'order') return <>{kind}</>
  return (
    <>
      {kind}{' '}
      <Permit action="1601||returnCarApp">
        <Link to={`/user-order-detail?order=${item.subjectId}`}>{item.number}</Link>
      </Permit>
    </>
  )
}

function Acts({ invoice, onDecided }: Props) {
  const [open, setOpen] = useState<'issue' | 'refuse' | 'flush' | null>(null)
  const restore = useRestore()
  const close = () => setOpen(null)
  const { state } = invoice
  return (
    <div className="invoices-acts">
      {state === 'requested' && (
        <>
          <Button onClick={() => setOpen('refuse')}>{t('拒绝')}</Button>
          <Button look="primary" onClick={() => setOpen('issue')}>
            {t('登记发票')}
          </Button>
        </>
      )}
      {state === 'refused' && (
        <Button busy={restore.isBusy} onClick={() => restore.send({ ids: [invoice.id] })}>
          {t('恢复为待开票')}
        </Button>
      )}
      {state === 'issued' && <Button onClick={() => setOpen('flush')}>{t('红冲发票')}</Button>}
      <Suspense fallback={null}>
        {open === 'issue' && <IssueDialog invoices={[invoice]} onClose={close} onDone={onDecided} />}
        {open === 'refuse' && <RefuseDialog invoices={[invoice]} onClose={close} onDone={onDecided} />}
        {open === 'flush' && <FlushDialog invoice={invoice} onClose={close} />}
      </Suspense>
    </div>
  )
}
