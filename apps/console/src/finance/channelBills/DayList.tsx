import { lazy, Suspense, useState, type ReactNode } from 'react'
import { Link } from 'react-router'
import {
  channelBillEndpoints,
  channelBillSourceLabels,
  channelDayFields,
  channelDayList,
  channelDayStateLabels,
  type ChannelDayRow,
} from '@saddle/contract/finance/channelBills.ts'
import { paymentChannelLabels } from '@saddle/contract/finance/payments.ts'
import { loadChunk } from '#kit/chunk.tsx'
import { money, number } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { listOf } from '#kit/list/declare.ts'
import { days, many } from '#kit/list/filters/specs.tsx'
import { ListPage } from '#kit/list/ListPage.tsx'
import type { ColumnSpec } from '#kit/list/table/columns.tsx'
import { useList } from '#kit/list/useList.ts'
import { Button } from '#kit/plain/Button.tsx'
import { Mark } from '#kit/ui/Mark.tsx'
import { Views } from './Views.tsx'

const UploadDialog = lazy(() => loadChunk(() => import('./UploadDialog.tsx')))

const channelDays = listOf({
  list: channelDayList,
  call: channelBillEndpoints.listChannelDays,
  sums: channelBillEndpoints.sumChannelDays,
  file: channelBillEndpoints.exportChannelDays,
  fields: channelDayFields,
})

/** Each day of each channel and company: what the bill has, what the platform has. */
export function DayList(): ReactNode {
  const list = useList(channelDays)
  return (
    <ListPage
      list={list}
      title={t('渠道对账')}
      actions={<Upload />}
      above={<Views view="days" />}
      filters={[
        many('channels', t('渠道'), paymentChannelLabels),
        many('states', t('状态'), channelDayStateLabels),
        days(t('账单日期')),
      ]}
      columns={columns}
      rowName={({ day, company }) => `${day} ${company}`}
      empty={t('还没有核对过的账单；账单在次日自动下载并核对')}
    />
  )
}

function Upload() {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>{t('上传账单')}</Button>
      <Suspense fallback={null}>{isOpen && <UploadDialog onClose={() => setIsOpen(false)} />}</Suspense>
    </>
  )
}

/** Both sides of a sum in one cell: the second line only where they differ. */
function Sides({ bill, own, count }: { bill: number; own: number; count: number }) {
  return (
    <>
      {money(bill)} <small>{t('{{number}} 笔', { number: number(count) })}</small>
      {bill !== own && <div className="form-hint">{t('平台 {{yuan}}', { yuan: money(own) })}</div>}
    </>
  )
}

const columns = (): readonly ColumnSpec<ChannelDayRow>[] => [
  { key: 'day', card: 'head', sort: 'day' },
  {
    key: 'state',
    card: 'head',
    render: ({ state }) => <Mark tone={state === 'matched' ? 'good' : 'warn'}>{t(channelDayStateLabels[state])}</Mark>,
  },
  { key: 'channel', render: ({ channel }) => t(paymentChannelLabels[channel]) },
  'company',
  {
    key: 'billPaidCents',
    title: t('支付'),
    numeric: true,
    width: 160,
    render: (row) => <Sides bill={row.billPaidCents} own={row.ownPaidCents} count={row.billPayments} />,
  },
  {
    key: 'billRefundedCents',
    title: t('退款'),
    numeric: true,
    width: 150,
    render: (row) => <Sides bill={row.billRefundedCents} own={row.ownRefundedCents} count={row.billRefunds} />,
  },
  'feeCents',
  {
    key: 'openDifferences',
    render: ({ openDifferences, differences }) =>
      differences === 0 ? (
        '0'
      ) : (
        <Link to="/financial/ChannelBills?view=differences">
          {t('{{open}} / 共 {{all}}', { open: openDifferences, all: differences })}
        </Link>
      ),
  },
  'heldCents',
  { key: 'source', card: 'none', render: ({ source }) => t(channelBillSourceLabels[source]) },
  { key: 'comparedAt', card: 'none' },
  { key: 'ownPaidCents', isOptional: true },
  { key: 'ownRefundedCents', isOptional: true },
]
