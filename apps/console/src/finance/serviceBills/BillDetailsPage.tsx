import { lazy, Suspense, useState, type ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import { meterLabels } from '@saddle/contract/finance/meters.ts'
import {
  serviceBillEndpoints,
  serviceBillStateLabels,
  type BillArea,
  type BillAreaFilter,
  type BillLine,
  type BillLineFilter,
  type ServiceBill,
  type ServiceBillFilter,
} from '@saddle/contract/finance/serviceBills.ts'
import { loadChunk } from '#kit/chunk.tsx'
import { t } from '#kit/i18n/index.ts'
import { areas, keyword, many, tabbed } from '#kit/list/filters/specs.tsx'
import { ListPage } from '#kit/list/ListPage.tsx'
import { StateTabs } from '#kit/list/StateTabs.tsx'
import type { ColumnSpec } from '#kit/list/table/columns.tsx'
import { useList } from '#kit/list/useList.ts'
import { Button } from '#kit/plain/Button.tsx'
import { ViewSegments } from '#kit/plain/ViewSegments.tsx'
import { Mark } from '#kit/ui/Mark.tsx'
import { BillPanel } from './BillPanel.tsx'
import { lineColumns } from './lineColumns.tsx'
import { LinePanel } from './LinePanel.tsx'
import { billAreas, billLines, serviceBills } from './lists.ts'
import { areaText, billsPath, billTones } from './words.ts'
import './serviceBills.css'

const PriceSheet = lazy(() => loadChunk(() => import('../meters/PriceSheet.tsx')))

/** Bills of services: by month, by meter and by area. */
export default function BillDetailsPage(): ReactNode {
  const [search] = useSearchParams()
  const view = search.get('view')
  if (view === 'lines') return <Lines />
  if (view === 'areas') return <Areas />
  return <Bills />
}

type View = 'bills' | 'lines' | 'areas'

function Views({ view }: { readonly view: View }) {
  return (
    <ViewSegments<View>
      path={billsPath}
      label={t('账单明细')}
      options={[
        { value: 'bills', label: t('按月账单') },
        { value: 'lines', label: t('按计量项') },
        { value: 'areas', label: t('按服务区') },
      ]}
      value={view}
    />
  )
}

/** What each meter costs, since when and who said so. */
function Prices() {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>{t('计量单价')}</Button>
      <Suspense fallback={null}>{isOpen && <PriceSheet onClose={() => setOpen(false)} />}</Suspense>
    </>
  )
}

function Bills() {
  const list = useList(serviceBills)
  return (
    <ListPage<ServiceBill, ServiceBillFilter>
      list={list}
      title={t('账单明细')}
      actions={<Prices />}
      above={
        <>
          <Views view="bills" />
          <StateTabs
            list={list}
            call={serviceBillEndpoints.listServiceBills}
            name="states"
            title={t('状态')}
            labels={serviceBillStateLabels}
          />
        </>
      }
      filters={[tabbed('states'), keyword(t('账单编号'), 'number'), keyword(t('账期，如 2026-10'), 'month')]}
      columns={billColumns}
      rowName={({ number }) => number}
      empty={t('还没有账单：每月结束后出账')}
      renderPanel={(row) => <BillPanel key={row.id} bill={row} />}
    />
  )
}

const billColumns = (): readonly ColumnSpec<ServiceBill>[] => [
  { key: 'number', card: 'head' },
  {
    key: 'state',
    card: 'head',
    render: ({ state }) => <Mark tone={billTones[state]}>{t(serviceBillStateLabels[state])}</Mark>,
  },
  'month',
  'company',
  { key: 'amountCents', sort: 'amount' },
  'paidCents',
  'openCents',
  { key: 'heldCents', card: 'none' },
  { key: 'adjustedCents', isOptional: true },
  { key: 'freeCents', isOptional: true },
  { key: 'dueAt', card: 'none' },
  { key: 'issuedAt', isOptional: true, sort: 'issued' },
]

function Lines() {
  const list = useList(billLines)
  return (
    <ListPage<BillLine, BillLineFilter>
      list={list}
      title={t('账单明细')}
      actions={<Prices />}
      above={<Views view="lines" />}
      filters={[
        keyword(t('账单编号'), 'number'),
        keyword(t('账期，如 2026-10'), 'month'),
        many('meters', t('计量项'), meterLabels),
        areas('areaIds'),
      ]}
      columns={lineColumns}
      rowName={({ meter }) => t(meterLabels[meter])}
      empty={t('还没有账单：每月结束后出账')}
      renderPanel={(row) => <LinePanel key={row.id} line={row} />}
    />
  )
}

function Areas() {
  const list = useList(billAreas)
  return (
    <ListPage<BillArea, BillAreaFilter>
      list={list}
      title={t('账单明细')}
      actions={<Prices />}
      above={<Views view="areas" />}
      filters={[keyword(t('账期，如 2026-10'), 'month')]}
      columns={areaColumns}
      rowName={areaText}
      empty={t('还没有账单：每月结束后出账')}
    />
  )
}

const areaColumns = (): readonly ColumnSpec<BillArea>[] => [
  { key: 'area', card: 'head', render: areaText },
  'company',
  { key: 'vehicleDays', sort: 'vehicleDays' },
  'serviceCents',
  'usageCents',
  { key: 'amountCents', sort: 'amount' },
]
