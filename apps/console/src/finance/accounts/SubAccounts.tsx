import { useState, type ReactNode } from 'react'
import { bankAccountEndpoints, subAccountStateLabels, type SubAccount } from '@saddle/contract/finance/accounts.ts'
import { FormDialog } from '#kit/form/FormDialog.tsx'
import { text } from '#kit/form/textFields.tsx'
import { t } from '#kit/i18n/index.ts'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { Mark } from '#kit/ui/Mark.tsx'
import { staleAccounts } from './words.ts'

/** The bank decides about what is being opened or unbound. */
const intervals = { open: 2_000, idle: 10_000 } as const

const tones = { opening: 'info', open: 'good', refused: 'bad' } as const satisfies Record<SubAccount['state'], string>

/** Accounts below the company's own, such as those of partners. */
export function SubAccounts({ agentId }: { readonly agentId: number }): ReactNode {
  const [isAdding, setAdding] = useState(false)
  const { data } = useEndpoint(
    bankAccountEndpoints.companySubAccounts,
    { agentId },
    {
      refetchIntervalMs: (answer) => {
        const { subAccounts = [], cards = [] } = answer?.data ?? {}
        const isOpen =
          subAccounts.some(({ state }) => state === 'opening') || cards.some(({ state }) => state === 'unbinding')
        return isOpen ? intervals.open : intervals.idle
      },
    },
  )
  const list = data?.data.subAccounts ?? []
  return (
    <>
      <h3>{t('子账户')}</h3>
      {list.length === 0 && <p>{t('没有子账户。')}</p>}
      <ul className="accounts-cards">
        {list.map(({ id, name, note, state, bankNumber }) => (
          <li key={id}>
            <span>
              {name}
              <small>{[bankNumber ?? '', note].filter((part) => part !== '').join(' · ')}</small>
            </span>
            <Mark tone={tones[state]}>{t(subAccountStateLabels[state])}</Mark>
          </li>
        ))}
      </ul>
      <p>
        <Button onClick={() => setAdding(true)}>{t('新增子账户')}</Button>
      </p>
      {isAdding && (
        <FormDialog
          title={t('新增子账户')}
          call={bankAccountEndpoints.addSubAccount}
          about={agentId}
          fields={{ name: text({ label: t('名称') }), note: text({ label: t('用途'), isOptional: true }) }}
          input={({ name, note }) => ({ agentId, name, note: note ?? '' })}
          submit={t('新增子账户')}
          stale={staleAccounts}
          done={() => t('子账户已提交银行开通')}
          onClose={() => setAdding(false)}
        />
      )}
    </>
  )
}
