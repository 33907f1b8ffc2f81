import type { ReactNode } from 'react'
import type { CompanyAssets } from '@saddle/contract/finance/costCenter.ts'
import { money } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'

/** What each of several companies has and owes. */
export function Companies({ companies }: { readonly companies: readonly CompanyAssets[] }): ReactNode {
  return (
    <section className="cost-companies" aria-label={t('各加盟商')}>
      <h2>{t('{{title}}（{{unit}}）', { title: t('各加盟商'), unit: t('元') })}</h2>
      <div>
        <table>
          <thead>
            <tr>
              <th>{t('加盟商')}</th>
              <th data-numeric="true">{t('服务费余额')}</th>
              <th data-numeric="true">{t('可用天数')}</th>
              <th data-numeric="true">{t('待付账单')}</th>
              <th data-numeric="true">{t('本期未出账')}</th>
              <th data-numeric="true">{t('在途收入')}</th>
              <th data-numeric="true">{t('可提现余额')}</th>
              <th data-numeric="true">{t('提现中')}</th>
            </tr>
          </thead>
          <tbody>
            {companies.map((company) => (
              <tr key={company.agentId}>
                <td>{company.company}</td>
                <td data-numeric="true">{money(company.serviceCents)}</td>
                <td data-numeric="true">{company.daysLeft ?? '--'}</td>
                <td data-numeric="true">{money(company.openCents)}</td>
                <td data-numeric="true">{money(company.unbilledCents)}</td>
                <td data-numeric="true">{money(company.inTransitCents)}</td>
                <td data-numeric="true">{money(company.availableCents)}</td>
                <td data-numeric="true">{money(company.withdrawingCents)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}
