import type { ReactNode } from 'react'
import { chargeCodeLabels, type ChargeLine } from '@saddle/contract/riding/price.ts'
import { money } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { wordsOfReason } from '#kit/i18n/reason.ts'

interface Props {
  readonly label: string
  readonly lines: readonly ChargeLine[]
  readonly totalCents: number
}

/** What a ride costs under some rules, line by line. */
export function PriceLines({ label, lines, totalCents }: Props): ReactNode {
  return (
    <table className="order-lines price-lines">
      <caption>{label}</caption>
      <tbody>
        {lines.map((line) => (
          <tr key={`${line.code} ${line.reason} ${line.day ?? ''}`}>
            <td className="order-reason">
              {t(chargeCodeLabels[line.code])}
              <small>{wordsOfReason(line.reason)}</small>
            </td>
            <td data-numeric="true">{money(line.amountCents)}</td>
          </tr>
        ))}
        {lines.length === 0 && (
          <tr>
            <td colSpan={2}>{t('在免费时长内结束，没有产生费用')}</td>
          </tr>
        )}
      </tbody>
      <tfoot>
        <tr>
          <th>{t('合计（元）')}</th>
          <td data-numeric="true">{money(totalCents)}</td>
        </tr>
      </tfoot>
    </table>
  )
}
