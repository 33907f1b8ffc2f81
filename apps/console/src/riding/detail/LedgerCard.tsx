import type { ReactNode } from 'react'
import { chartOfAccounts, entryKinds } from '@saddle/contract/finance/ledger.ts'
import type { OrderEntry } from '@saddle/contract/riding/orders.ts'
import { dateTime, money } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'

/** What the ledger knows of the order: each entry's postings sum to zero. */
export function LedgerCard({ entries }: { entries: readonly OrderEntry[] }): ReactNode {
  return (
    <section className="page-card">
      <h2>{t('账务分录')}</h2>
      {entries.length === 0 ? (
        <p className="order-none">{t('还没有记账')}</p>
      ) : (
        <table className="order-lines" aria-label={t('账务分录')}>
          <tbody>
            {entries.flatMap((entry) =>
              entry.lines.map((line, index) => (
                <tr key={`${entry.number} ${line.account}`}>
                  <td>{index === 0 ? t(entryKinds[entry.kind]) : ''}</td>
                  <td className="order-reason">
                    {t(chartOfAccounts[line.account].label, { context: 'account' })}
                    {index === 0 && (
                      <small>
                        {t('第 {{number}} 号', { number: entry.number })} · {dateTime(entry.at)}
                      </small>
                    )}
                  </td>
                  <td data-numeric="true">{money(line.amountCents)}</td>
                </tr>
              )),
            )}
          </tbody>
        </table>
      )}
    </section>
  )
}
