import type { ReactNode } from 'react'
import {
  accountStatusLabels,
  bankAccountEndpoints,
  companyAccountFields,
  companyAccountList,
  type CompanyAccount,
  type CompanyAccountFilter,
} from '@saddle/contract/finance/accounts.ts'
import { bankAccountTypeLabels } from '@saddle/contract/finance/openingDetails.ts'
import { t } from '#kit/i18n/index.ts'
import { listOf } from '#kit/list/declare.ts'
import { keyword, many, one } from '#kit/list/filters/specs.tsx'
import { ListPage } from '#kit/list/ListPage.tsx'
import type { ColumnSpec } from '#kit/list/table/columns.tsx'
import { useList } from '#kit/list/useList.ts'
import { Mark } from '#kit/ui/Mark.tsx'
import { AccountPanel } from './AccountPanel.tsx'
import { statusName, statusTone } from './words.ts'
import './accounts.css'

const { statusText: _, ...shownFields } = companyAccountFields
const accounts = listOf({
  list: companyAccountList,
  call: bankAccountEndpoints.listCompanyAccounts,
  sums: bankAccountEndpoints.sumCompanyAccounts,
  file: bankAccountEndpoints.exportCompanyAccounts,
  fields: shownFields,
})

/** Accounts of companies with the bank: opening, cards, sub-accounts and the terms of withdrawals. */
export default function AccountsPage(): ReactNode {
  const list = useList(accounts, { refreshEveryMs: 30_000 })
  return (
    <ListPage<CompanyAccount, CompanyAccountFilter>
      list={list}
      title={t('账户管理')}
      filters={[
        keyword(t('加盟商'), 'company'),
        many('statuses', t('状态'), accountStatusLabels),
        one('accountType', t('账户类型'), bankAccountTypeLabels),
      ]}
      columns={columns}
      rowName={({ company }) => company}
      empty={t('没有公司')}
      renderPanel={(row) => <AccountPanel key={row.id} account={row} others={list.rows ?? []} />}
    />
  )
}

const columns = (): readonly ColumnSpec<CompanyAccount>[] => [
  { key: 'company', card: 'head', sort: 'company' },
  {
    key: 'status',
    title: t('状态'),
    card: 'head',
    render: ({ status, isWithdrawalAllowed }) => (
      <span className="accounts-states">
        <Mark tone={statusTone(status)}>{t(accountStatusLabels[statusName(status)] ?? '')}</Mark>
        {!isWithdrawalAllowed && <Mark tone="bad">{t('提现已暂停')}</Mark>}
      </span>
    ),
  },
  'accountType',
  { key: 'customerName', card: 'none' },
  { key: 'bankNumber', card: 'none' },
  'cards',
  { key: 'subAccounts', card: 'none' },
  { key: 'availableCents', sort: 'available' },
  { key: 'withdrawingCents', card: 'none' },
  { key: 'accountLevel', isOptional: true },
  { key: 'openedAt', isOptional: true },
]
