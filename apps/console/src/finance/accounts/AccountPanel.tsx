import { useState, type ReactNode } from 'react'
import { accountStatuses, accountStatusLabels, type CompanyAccount } from '@saddle/contract/finance/accounts.ts'
import { money } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { DetailPanel } from '#kit/list/DetailPanel.tsx'
import { Button } from '#kit/plain/Button.tsx'
import { Facts } from '#kit/ui/Facts.tsx'
import { Mark } from '#kit/ui/Mark.tsx'
import { Cards } from './Cards.tsx'
import { OpeningDrawer } from './OpeningDrawer.tsx'
import { SubAccounts } from './SubAccounts.tsx'
import { TermsPart } from './TermsPart.tsx'
import { statusName, statusTone } from './words.ts'

interface Props {
  readonly account: CompanyAccount
  /** Companies whose papers may be copied. */
  readonly others: readonly CompanyAccount[]
}

/** One company's account. */
export function AccountPanel({ account, others }: Props): ReactNode {
  const [isOpening, setOpening] = useState(false)
  const { id, company, status } = account
  const isActive = status === accountStatuses.active
  const sources = others.filter((other) => other.id !== id && other.status !== null)
  const yuan = (cents: number): string => t('{{yuan}} 元', { yuan: money(cents) })
  return (
    <DetailPanel
      label={t('账户')}
      title={
        <span className="accounts-states">
          <strong>{company}</strong>
          <Mark tone={statusTone(status)}>{t(accountStatusLabels[statusName(status)] ?? '')}</Mark>
        </span>
      }
      foot={
        <p className="form-choices">
          <Button {...(!isActive && { look: 'primary' })} onClick={() => setOpening(true)}>
            {isActive || status === accountStatuses.reviewing ? t('开户资料') : t('开户')}
          </Button>
        </p>
      }
    >
      <Facts
        facts={[
          [t('户名'), account.customerName ?? '--'],
          [t('银行账号'), account.bankNumber ?? '--'],
          [t('可提现余额'), yuan(account.availableCents)],
          [t('提现中'), yuan(account.withdrawingCents)],
        ]}
      />
      {isActive && <Cards agentId={id} />}
      {isActive && <SubAccounts agentId={id} />}
      <TermsPart agentId={id} />
      {isOpening && (
        <OpeningDrawer agentId={id} company={company} sources={sources} onClose={() => setOpening(false)} />
      )}
    </DetailPanel>
  )
}
