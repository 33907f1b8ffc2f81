import { useState, type ReactNode } from 'react'
import { meterLabels } from '@saddle/contract/finance/meters.ts'
import { serviceBillEndpoints, type BillLine } from '@saddle/contract/finance/serviceBills.ts'
import { dateTime, money, number } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { DetailPanel } from '#kit/list/DetailPanel.tsx'
import { Moment } from '#kit/list/table/columns.tsx'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { Facts } from '#kit/ui/Facts.tsx'
import { ErrorState, Loading } from '#kit/ui/states.tsx'
import { priceText, quantityText } from '../meters/words.ts'
import { areaText } from './words.ts'
import './serviceBills.css'

/** One line of a bill: how its amount is made, its days, and what was counted on a day. */
export function LinePanel({ line }: { readonly line: BillLine }): ReactNode {
  const { meter, amountCents, quantity } = line
  const [day, setDay] = useState<string | null>(null)
  const input = { id: line.id, ...(day !== null && { day }) }
  const { data, error, refetch } = useEndpoint(serviceBillEndpoints.billLineDetails, input, { keepPrevious: true })
  const details = data?.data
  return (
    <DetailPanel label={t('明细')} title={<strong>{`${t(meterLabels[meter])} · ${areaText(line)}`}</strong>}>
      <Facts
        facts={[
          [t('账单编号'), line.number],
          [t('加盟商'), line.company],
          [t('账期'), line.month],
          [t('用量'), quantityText(meter, quantity)],
          [t('单价'), priceText(line)],
          [t('金额'), t('{{yuan}} 元', { yuan: money(amountCents) })],
          ...(details === undefined
            ? []
            : [
                [
                  t('单价版本'),
                  t('第 {{version}} 版，自 {{day}} 起，{{by}} 发布', {
                    version: details.price.version,
                    day: details.price.firstDay,
                    by: details.price.madeBy,
                  }),
                ] as const,
              ]),
        ]}
      />
      {details === undefined ? (
        error === null ? (
          <Loading />
        ) : (
          <ErrorState error={error} onRetry={() => void refetch()} />
        )
      ) : (
        <>
          <table className="service-days" aria-label={t('每日用量')}>
            <thead>
              <tr>
                <th>{t('日期')}</th>
                <th data-numeric="true">{t('用量')}</th>
                <th>{t('计量时间')}</th>
                <th>{t('操作')}</th>
              </tr>
            </thead>
            <tbody>
              {details.days.map((one) => (
                <tr key={one.day} data-open={one.day === day}>
                  <td data-date="true">{one.day}</td>
                  <td data-numeric="true">{number(one.quantity)}</td>
                  <td>
                    <Moment at={one.countedAt} />
                  </td>
                  <td>
                    <Button
                      look="quiet"
                      aria-expanded={one.day === day}
                      onClick={() => setDay(one.day === day ? null : one.day)}
                    >
                      {one.day === day ? t('收起') : t('查看事件')}
                    </Button>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
          {day !== null && <Events day={day} events={details.events} />}
        </>
      )}
    </DetailPanel>
  )
}

type Details = { readonly subject: string; readonly at: number | null; readonly quantity: number }

function Events({ day, events }: { readonly day: string; readonly events: readonly Details[] | null }) {
  if (events === null) return <p>{t('{{day}} 的计量事件已超过保存期限，用量以计量时的记录为准', { day })}</p>
  return (
    <>
      <h3>{t('{{day}} 的计量事件', { day })}</h3>
      {events.length === 0 ? (
        <p>{t('没有保存单独的事件')}</p>
      ) : (
        <ul className="service-events">
          {events.map(({ subject, at, quantity }, index) => (
            <li key={`${subject} ${at ?? index}`}>
              <span>{subject === '' ? (at === null ? '--' : dateTime(at)) : subject}</span>
              {subject !== '' && at !== null && <small>{dateTime(at)}</small>}
              <b>{number(quantity)}</b>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
