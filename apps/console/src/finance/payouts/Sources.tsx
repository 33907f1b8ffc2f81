import { useState, type ReactNode } from 'react'
import { entryKinds } from '@saddle/contract/finance/ledger.ts'
import type { WithdrawalSource } from '@saddle/contract/finance/withdrawals.ts'
import { noteText } from '../notes.ts'
import { dateTime, money } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { Button } from '#kit/plain/Button.tsx'
import { PayoutLines } from './PayoutLines.tsx'
import './payouts.css'

interface Props {
  readonly withdrawalId: number
  readonly sources: readonly WithdrawalSource[]
  readonly isCut: boolean
}

/** Each cent of a withdrawal: by the settled day or entry that made it available, the oldest first, and down to the rides. */
export function Sources({ withdrawalId, sources, isCut }: Props): ReactNode {
  const [chosen, choose] = useState<string | null>(null)
  const total = sources.reduce((sum, { cents }) => sum + cents, 0)
  if (sources.length === 0) {
    return (
      <>
        <h3>{t('资金来源')}</h3>
        <p>{t('资金尚未动用，还没有来源。')}</p>
      </>
    )
  }
  return (
    <>
      <h3>{t('资金来源')}</h3>
      <table className="payout-sources" aria-label={t('资金来源')}>
        <thead>
          <tr>
            <th>{t('结算日或凭证')}</th>
            <th data-numeric="true">{t('入账（元）')}</th>
            <th data-numeric="true">{t('本次提现（元）')}</th>
          </tr>
        </thead>
        <tbody>
          {sources.map((source) => (
            <tr key={`${source.entryNumber} ${source.day ?? ''} ${String(source.isOfReserve)}`}>
              <td>
                {source.day === null ? (
                  t(entryKinds[source.kind])
                ) : (
                  <Button
                    look="quiet"
                    aria-pressed={chosen === source.day}
                    onClick={() => choose(chosen === source.day ? null : source.day)}
                  >
                    {t('{{day}} 的收入', { day: source.day })}
                  </Button>
                )}
                <small>{[dateTime(source.at), noteOf(source)].filter((part) => part !== '').join(' · ')}</small>
              </td>
              <td data-numeric="true">{money(source.entryCents)}</td>
              <td data-numeric="true">{money(source.cents)}</td>
            </tr>
          ))}
        </tbody>
        {!isCut && (
          <tfoot>
            <tr>
              <th scope="row" colSpan={2}>
                {t('合计')}
              </th>
              <td data-numeric="true">{money(total)}</td>
            </tr>
          </tfoot>
        )}
      </table>
      {isCut && <p>{t('来源较多，只列出最早的部分。')}</p>}
      <h3>
        {chosen === null ? t('骑行明细') : t('{{day}} 的骑行明细', { day: chosen })}{' '}
        {chosen !== null && (
          <Button look="quiet" onClick={() => choose(null)}>
            {t('全部日子')}
          </Button>
        )}
      </h3>
      <p className="payout-quiet">
        {t('先到账的先提现：每一分钱对应到一笔骑行及当日执行的分账规则，合计与提现金额一分不差。')}
      </p>
      <PayoutLines key={chosen ?? ''} withdrawalId={withdrawalId} day={chosen} />
    </>
  )
}

function noteOf({ day, isOfReserve, memo, reference }: WithdrawalSource): string {
  if (isOfReserve) return t('由准备金退回')
  if (day !== null) return ''
  return memo === '' ? reference : noteText(memo)
}
