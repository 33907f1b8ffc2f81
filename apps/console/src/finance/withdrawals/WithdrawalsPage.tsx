import { useState, type ReactNode } from 'react'
import { bankAccountEndpoints, type BankBalance } from '@saddle/contract/finance/accounts.ts'
import {
  withdrawalEndpoints,
  withdrawalFields,
  withdrawalList,
  withdrawalStateLabels,
  type Withdrawal,
  type WithdrawalFilter,
} from '@saddle/contract/finance/withdrawals.ts'
import { money } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { listOf } from '#kit/list/declare.ts'
import { days, many } from '#kit/list/filters/specs.tsx'
import { ListPage } from '#kit/list/ListPage.tsx'
import type { ColumnSpec } from '#kit/list/table/columns.tsx'
import { useList } from '#kit/list/useList.ts'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { useSession } from '#kit/session/store.ts'
import { Facts } from '#kit/ui/Facts.tsx'
import { Mark } from '#kit/ui/Mark.tsx'
import { WithdrawalPanel } from './WithdrawalPanel.tsx'
import { PasswordSheet, WithdrawDialog } from './WithdrawDialog.tsx'
import { withdrawalTones } from './words.ts'
import './withdrawals.css'

const refreshEveryMs = 10_000
/** While the bank has one of them. */
const openRefreshEveryMs = 2_000
const refreshOf = (rows: readonly Withdrawal[]): number =>
  rows.some(({ state }) => state === 'queued' || state === 'sent') ? openRefreshEveryMs : refreshEveryMs

const withdrawals = listOf({
  list: withdrawalList,
  call: withdrawalEndpoints.listWithdrawals,
  sums: withdrawalEndpoints.sumWithdrawals,
  file: withdrawalEndpoints.exportWithdrawals,
  fields: withdrawalFields,
})

/** Money that the company draws to its bank card: what there is, what was drawn, and where each cent came from. */
export default function WithdrawalsPage(): ReactNode {
  const list = useList(withdrawals, { refreshEveryMs: refreshOf })
  const session = useSession()
  const agentId = session?.agentId ?? 0
  const [isFiling, setFiling] = useState(false)
  const [filedId, setFiledId] = useState<number | null>(null)
  const { data } = useEndpoint(
    bankAccountEndpoints.bankBalance,
    { agentId },
    { enabled: agentId > 0, keepPrevious: true },
  )
  const balance = data?.data
  const reason = reasonAgainst(balance)
  return (
    <>
      <ListPage<Withdrawal, WithdrawalFilter>
        list={list}
        title={t('提现')}
        above={<Balance balance={balance} reason={reason} company={session?.me?.company} />}
        actions={
          <Button look="primary" disabled={balance === undefined || reason !== null} onClick={() => setFiling(true)}>
            {t('申请提现', { context: 'action' })}
          </Button>
        }
        filters={[many('states', t('状态'), withdrawalStateLabels), days(t('申请日期'))]}
        columns={columns}
        rowName={({ id }) => t('提现 {{id}}', { id })}
        empty={t('还没有提现')}
        renderPanel={(row) => <WithdrawalPanel key={row.id} withdrawal={row} />}
      />
      {isFiling && balance !== undefined && (
        <WithdrawDialog agentId={agentId} balance={balance} onClose={() => setFiling(false)} onFiled={setFiledId} />
      )}
      {filedId !== null && <PasswordSheet id={filedId} onClose={() => setFiledId(null)} />}
    </>
  )
}

/** Why nothing can be withdrawn now; null: it can. */
function reasonAgainst(balance: BankBalance | undefined): string | null {
  if (balance === undefined) return null
  if (balance.stopped !== null) return t('平台已暂停提现：{{reason}}', { reason: balance.stopped })
  if (balance.availableCents < balance.minCents)
    return t('可提现余额低于最低提现金额 {{yuan}} 元', { yuan: money(balance.minCents) })
  if (balance.leftTodayCents < balance.minCents) return t('今天的提现限额已用完')
  return null
}

interface BalanceProps {
  readonly balance: BankBalance | undefined
  readonly reason: string | null
  readonly company: string | undefined
}

/** The balance of the person's own company; the list below may have the withdrawals of others. */
function Balance({ balance, reason, company }: BalanceProps) {
  if (balance === undefined) return null
  const yuan = (cents: number): string => t('{{yuan}} 元', { yuan: money(cents) })
  return (
    <>
      {reason !== null && <output className="withdrawals-reason">{reason}</output>}
      <Facts
        facts={[
          ...(company === undefined ? [] : [[t('账户'), company] as const]),
          [t('可提现余额'), <strong key="available">{yuan(balance.availableCents)}</strong>],
          [t('提现中'), yuan(balance.withdrawingCents)],
          [t('在途'), yuan(balance.inTransitCents)],
          [t('累计到账'), yuan(balance.paidCents)],
          [t('今天还可提现'), yuan(balance.leftTodayCents)],
          [t('每笔手续费'), yuan(balance.feeCents)],
          [t('单人每日免复核'), yuan(balance.secondCents)],
        ]}
      />
    </>
  )
}

const columns = (): readonly ColumnSpec<Withdrawal>[] => [
  { key: 'id', card: 'head' },
  {
    key: 'state',
    card: 'head',
    render: ({ state }) => <Mark tone={withdrawalTones[state]}>{t(withdrawalStateLabels[state])}</Mark>,
  },
  { key: 'company', card: 'wide' },
  'cents',
  'feeCents',
  { key: 'bankName', title: t('收款银行卡'), render: ({ bankName, lastDigits }) => `${bankName} ${lastDigits}` },
  'askedBy',
  'askedAt',
  { key: 'paidAt', card: 'none' },
  { key: 'secondBy', isOptional: true },
  { key: 'reason', isOptional: true },
  { key: 'number', isOptional: true },
  { key: 'bankNumber', isOptional: true },
]
