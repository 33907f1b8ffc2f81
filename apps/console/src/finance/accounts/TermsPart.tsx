import { useState, type ReactNode } from 'react'
import { withdrawalEndpoints } from '@saddle/contract/finance/withdrawals.ts'
import { choice } from '#kit/form/choiceFields.tsx'
import { FormDialog } from '#kit/form/FormDialog.tsx'
import { longText, yuan } from '#kit/form/textFields.tsx'
import { dateTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { Facts } from '#kit/ui/Facts.tsx'
import { withdrawalTermsText } from '../withdrawals/words.ts'
import { staleAccounts } from './words.ts'

/** On which terms a company withdraws, and who has changed them: the company itself sees the same. */
export function TermsPart({ agentId }: { readonly agentId: number }): ReactNode {
  const [isChanging, setChanging] = useState(false)
  const { data } = useEndpoint(withdrawalEndpoints.withdrawalTerms, { agentId })
  if (data === undefined) return null
  const { terms, versions, canChange } = data.data
  return (
    <>
      <h3>{t('提现条件')}</h3>
      <p>{withdrawalTermsText(terms)}</p>
      {versions.length > 0 && (
        <Facts
          facts={versions.map((one) => [
            dateTime(one.madeAt),
            `${withdrawalTermsText(one.terms)} · ${one.reason} · ${one.madeBy}`,
          ])}
        />
      )}
      {canChange && (
        <p>
          <Button onClick={() => setChanging(true)}>{t('变更提现条件')}</Button>
        </p>
      )}
      {isChanging && (
        <FormDialog
          title={t('变更提现条件')}
          call={withdrawalEndpoints.setWithdrawalTerms}
          about={agentId}
          fields={{
            isAllowed: choice({
              label: t('提现'),
              at: 'terms.isAllowed',
              initial: terms.isAllowed,
              options: [
                { value: true, label: t('允许提现') },
                { value: false, label: t('暂停提现') },
              ],
            }),
            minCents: yuan({ label: t('最低提现金额'), at: 'terms.minCents', initialCents: terms.minCents }),
            dailyCents: yuan({ label: t('单日限额'), at: 'terms.dailyCents', initialCents: terms.dailyCents }),
            feeCents: yuan({ label: t('每笔手续费'), at: 'terms.feeCents', initialCents: terms.feeCents }),
            secondCents: yuan({
              label: t('单人每日免复核金额'),
              at: 'terms.secondCents',
              initialCents: terms.secondCents,
            }),
            reason: longText({ label: t('原因'), hint: t('该公司可以看到') }),
          }}
          input={({ reason, ...changed }) => ({ agentId, version: versions[0]?.version ?? 0, terms: changed, reason })}
          submit={t('变更提现条件')}
          stale={[...staleAccounts, withdrawalEndpoints.withdrawalTerms]}
          done={() => t('提现条件已变更')}
          onClose={() => setChanging(false)}
        />
      )}
    </>
  )
}
