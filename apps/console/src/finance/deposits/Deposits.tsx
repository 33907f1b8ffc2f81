import type { ReactNode } from 'react'
import { caseStateLabels, depositEndpoints, type Deposit, type DepositCase } from '@saddle/contract/finance/deposits.ts'
import { paymentChannelLabels } from '@saddle/contract/finance/payments.ts'
import { dateTime, money } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { useEndpoint } from '#kit/query.ts'
import { Empty, ErrorState, Loading } from '#kit/ui/states.tsx'
import { Mark } from '#kit/ui/Mark.tsx'
import { MoneyActions } from '../wallet/MoneyActions.tsx'
import { DepositMark } from '../wallet/MoneyMark.tsx'
import { noteText } from '../notes.ts'

const caseTones = { open: 'warn', released: 'off', recovered: 'bad' } as const

/** The deposits of a rider with what was looked into, frozen, kept and given back. */
export function Deposits({ riderId }: { riderId: number }): ReactNode {
  const { data, error, refetch } = useEndpoint(depositEndpoints.listDeposits, { filter: { riderId }, pageSize: 50 })
  const list = data?.data.list
  if (list === undefined) {
    return error === null ? <Loading /> : <ErrorState error={error} onRetry={() => void refetch()} />
  }
  if (list.length === 0) return <Empty title={t('没有交过押金')} />
  return (
    <ul className="money-list">
      {list.map((deposit) => (
        <One key={deposit.id} deposit={deposit} />
      ))}
    </ul>
  )
}

function One({ deposit }: { deposit: Deposit }) {
  const free = deposit.freeCents
  return (
    <li className="money-item">
      <div className="money-line">
        <b>{t('{{yuan}} 元', { yuan: money(deposit.cents) })}</b>
        <DepositMark state={deposit.state} />
        <span className="money-soft">
          {dateTime(deposit.paidAt)} · {t(paymentChannelLabels[deposit.channel])}
        </span>
      </div>
      <p className="money-soft">
        {t('可用 {{free}} · 冻结 {{frozen}} · 已扣 {{kept}} · 已退 {{back}}（元）', {
          free: money(free),
          frozen: money(deposit.frozenCents),
          kept: money(deposit.recoveredCents),
          back: money(deposit.refundedCents),
        })}
      </p>
      {free > 0 && (
        <div className="money-acts">
          <MoneyActions
            permission="07010112"
            actions={[
              { label: t('冻结'), action: { kind: 'freeze', about: { depositId: deposit.id, cents: free } } },
              { label: t('退还'), action: { kind: 'refundDeposit', about: { depositId: deposit.id, cents: free } } },
            ]}
          />
        </div>
      )}
      {deposit.cases.map((one) => (
        <Case key={one.id} found={one} />
      ))}
    </li>
  )
}

function Case({ found }: { found: DepositCase }) {
  return (
    <div className="money-case">
      <div className="money-line">
        <Mark tone={caseTones[found.state]}>{t(caseStateLabels[found.state])}</Mark>
        <span>
          {found.state === 'recovered'
            ? t('冻结 {{yuan}} 元，扣 {{kept}} 元', { yuan: money(found.cents), kept: money(found.recoveredCents) })
            : t('{{yuan}} 元', { yuan: money(found.cents) })}
        </span>
        <span>{noteText(found.reason)}</span>
      </div>
      <p className="money-soft">
        {found.operatorName} · {dateTime(found.openedAt)}
        {found.decidedAt !== null && ` → ${found.decidedBy} · ${dateTime(found.decidedAt)} · ${found.decision}`}
      </p>
      {found.state === 'open' && (
        <div className="money-acts">
          <MoneyActions
            permission="07010112"
            actions={[
              { label: t('扣款'), action: { kind: 'recover', about: { caseId: found.id, cents: found.cents } } },
              { label: t('解冻'), action: { kind: 'unfreeze', about: { caseId: found.id, cents: found.cents } } },
            ]}
          />
        </div>
      )}
    </div>
  )
}
