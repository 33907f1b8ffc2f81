import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { chartOfAccounts, entryKinds } from '@saddle/contract/finance/ledger.ts'
import {
  statementFields,
  statementList,
  walletBookLabels,
  walletEndpoints,
  type StatementLine,
} from '@saddle/contract/finance/wallet.ts'
import { noteText } from '../notes.ts'
import { money } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { listOf } from '#kit/list/declare.ts'
import { days, one } from '#kit/list/filters/specs.tsx'
import { ListCard } from '#kit/list/ListCard.tsx'
import type { ColumnSpec } from '#kit/list/table/columns.tsx'
import { useList } from '#kit/list/useList.ts'

const statement = listOf({
  list: statementList,
  call: walletEndpoints.listStatement,
  file: walletEndpoints.exportStatement,
  fields: statementFields,
  rowKey: ({ number }) => number,
})

/** How an account of a rider came to what it is: one line for each entry of the ledger. */
export function Statement({ riderId }: { riderId: number }): ReactNode {
  const list = useList(statement, { fixed: { riderId }, isInside: true })
  return (
    <ListCard
      list={list}
      label={t('钱包流水')}
      filters={[one('book', t('账户'), walletBookLabels), days(t('日期'))]}
      columns={columns}
      rowName={({ number }) => String(number)}
      empty={t('还没有变动')}
    />
  )
}

const columns = (): readonly ColumnSpec<StatementLine>[] => [
  { key: 'kind', card: 'head', render: wordOf },
  'at',
  { key: 'subject', render: (row) => <About row={row} /> },
  { key: 'cents', card: 'head', render: ({ cents }) => <Change cents={cents} /> },
  'afterCents',
  { key: 'number', isOptional: true },
]

/** A charge by hand has two directions and one kind. */
const wordOf = ({ kind, cents }: StatementLine): string =>
  kind === 'platform_charge' && cents > 0 ? t('平台加款') : t(entryKinds[kind])

function Change({ cents }: { cents: number }) {
  return (
    <span className="money-change" data-sign={cents < 0 ? 'out' : 'in'}>
      {cents > 0 ? `+${money(cents)}` : money(cents)}
    </span>
  )
}

function About({ row }: { row: StatementLine }) {
  const { subject, subjectId, memo, parts } = row
  const accounts = parts.map(
    ({ account, cents }) => `${t(chartOfAccounts[account].label, { context: 'account' })} ${money(cents)}`,
  )
  return (
    <span className="money-about">
      {subject === 'order' && subjectId !== null && (
        <Link to={`/user-order-detail?order=${subjectId}`}>{t('骑行订单')}</Link>
      )}
      {memo !== '' && <span>{noteText(memo)}</span>}
      {parts.length > 1 && <small>{accounts.join(' · ')}</small>}
    </span>
  )
}
