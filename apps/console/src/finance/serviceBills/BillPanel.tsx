import { lazy, Suspense, useState, type ReactNode } from 'react'
import { meterEndpoints, meterLabels } from '@saddle/contract/finance/meters.ts'
import {
  serviceBillEndpoints,
  serviceBillStateLabels,
  type ServiceBill,
} from '@saddle/contract/finance/serviceBills.ts'
import { serverNow } from '#kit/clock.ts'
import { loadChunk } from '#kit/chunk.tsx'
import { dateTime, money } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { DetailPanel } from '#kit/list/DetailPanel.tsx'
import { Button, ButtonLink } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { Facts } from '#kit/ui/Facts.tsx'
import { Mark } from '#kit/ui/Mark.tsx'
import { ErrorState, Loading } from '#kit/ui/states.tsx'
import { applyPath } from '../objections/words.ts'
import { priceText, quantityText } from '../meters/words.ts'
import { areaText, billTones } from './words.ts'
import './serviceBills.css'

const WaiveDialog = lazy(() => loadChunk(() => import('./WaiveDialog.tsx')))

/** One bill: what became of its amount, and its lines. */
export function BillPanel({ bill }: { readonly bill: ServiceBill }): ReactNode {
  const [isWaiving, setWaiving] = useState(false)
  const prices = useEndpoint(meterEndpoints.meterPrices, {}, { quiet: true, staleMs: 300_000 })
  const mayWaive = prices.data?.data.maySet === true && bill.openCents > 0
  const isLate = bill.openCents > 0 && bill.dueAt < serverNow()
  return (
    <DetailPanel
      label={t('账单')}
      title={
        <span className="service-links">
          <strong>{bill.number}</strong>
          <Mark tone={billTones[bill.state]}>{t(serviceBillStateLabels[bill.state])}</Mark>
          {isLate && <Mark tone="bad">{t('已逾期')}</Mark>}
        </span>
      }
      {...(mayWaive && {
        foot: <Button onClick={() => setWaiving(true)}>{t('减免')}</Button>,
      })}
    >
      <Facts facts={factsOf(bill)} />
      <Lines billId={bill.id} />
      <p className="service-links">
        <ButtonLink to={applyPath(bill.id)}>{t('提出异议')}</ButtonLink>
        <ButtonLink to={linesOf('ServiceDetails', bill)}>{t('服务明细')}</ButtonLink>
        <ButtonLink to={linesOf('DosageDetails', bill)}>{t('用量明细')}</ButtonLink>
      </p>
      <Suspense fallback={null}>{isWaiving && <WaiveDialog bill={bill} onClose={() => setWaiving(false)} />}</Suspense>
    </DetailPanel>
  )
}

const linesOf = (page: 'ServiceDetails' | 'DosageDetails', { number }: ServiceBill): string =>
  `/financial/${page}?filter=${encodeURIComponent(JSON.stringify({ number }))}`

function factsOf(bill: ServiceBill): (readonly [string, ReactNode])[] {
  const yuan = (cents: number): string => t('{{yuan}} 元', { yuan: money(cents) })
  return [
    [t('加盟商'), bill.company],
    [t('账期'), bill.month],
    [t('账单金额'), yuan(bill.amountCents)],
    [t('已扣款'), yuan(bill.paidCents)],
    [t('待扣款'), yuan(bill.openCents)],
    ...(bill.heldCents === 0 ? [] : [[t('争议冻结'), yuan(bill.heldCents)] as const]),
    ...(bill.adjustedCents === 0 ? [] : [[t('异议调减'), yuan(bill.adjustedCents)] as const]),
    ...(bill.freeCents === 0
      ? []
      : [
          [t('减免'), yuan(bill.freeCents)] as const,
          [t('减免原因'), bill.freeReason] as const,
          [t('减免人'), bill.freedBy ?? '--'] as const,
        ]),
    [t('出账时间'), dateTime(bill.issuedAt)],
    [t('最晚付款'), dateTime(bill.dueAt)],
  ]
}

const linesShown = 200

function Lines({ billId }: { readonly billId: number }) {
  const { data, error, refetch } = useEndpoint(serviceBillEndpoints.listBillLines, {
    filter: { billId },
    sort: 'amount',
    pageSize: linesShown,
  })
  if (data === undefined) {
    return error === null ? <Loading /> : <ErrorState error={error} onRetry={() => void refetch()} />
  }
  return (
    <table className="service-days" aria-label={t('账单明细')}>
      <thead>
        <tr>
          <th>{t('计量项')}</th>
          <th data-numeric="true">{t('用量')}</th>
          <th data-numeric="true">{t('金额（元）')}</th>
        </tr>
      </thead>
      <tbody>
        {data.data.list.map((line) => (
          <tr key={line.id}>
            <td>
              {t(meterLabels[line.meter])} · {areaText(line)}
              <br />
              <small>{priceText(line)}</small>
            </td>
            <td data-numeric="true">{quantityText(line.meter, line.quantity)}</td>
            <td data-numeric="true">{money(line.amountCents)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
