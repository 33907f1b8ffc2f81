import { useState, type ReactNode } from 'react'
import { Link } from 'react-router'
import { chartOfAccounts, entryKinds } from '@saddle/contract/finance/ledger.ts'
import {
  walletBookLabels,
  walletBooks,
  walletEndpoints,
  type StatementLine,
  type WalletBook,
} from '@saddle/contract/finance/wallet.ts'
import { call } from '#kit/api/client.ts'
import { dateTime, money } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { ExportButton } from '#kit/list/ExportButton.tsx'
import { DataTable, type Column } from '#kit/list/DataTable.tsx'
import { Pager } from '#kit/list/Pager.tsx'
import { usePages } from '#kit/list/usePages.ts'
import { useEndpoint } from '#kit/query.ts'
import { Empty } from '#kit/ui/states.tsx'
import '#kit/list/filter.css'

const pageSize = 20

/** How balance and gift came to what they are: one line for each entry of the ledger, the latest first. */
export function Statement({ riderId }: { riderId: number }): ReactNode {
  const [book, setBook] = useState<WalletBook>('wallet')
  const pages = usePages(`${riderId} ${book}`)
  const input = { riderId, book, pageSize, ...(pages.cursor !== undefined && { cursor: Number(pages.cursor) }) }
  const { data, error, isPlaceholderData, refetch } = useEndpoint(walletEndpoints.userWallet, input, {
    keepPrevious: true,
  })
  const page = data?.data
  const hasNext = page !== undefined && page.nextCursor !== null
  return (
    <>
      <div className="money-tools">
        <select
          className="filter-keyword"
          aria-label={t('哪一本账')}
          value={book}
          onChange={({ target }) => setBook(walletBooks.find((one) => one === target.value) ?? 'wallet')}
        >
          {walletBooks.map((one) => (
            <option key={one} value={one}>
              {t(walletBookLabels[one])}
            </option>
          ))}
        </select>
        <ExportButton
          onExport={async (at, signal) =>
            (await call(walletEndpoints.exportStatement, { riderId, book, ...at }, { signal })).data
          }
        />
      </div>
      <DataTable<StatementLine>
        label={t('钱包流水')}
        columns={columns()}
        rows={page?.list}
        rowKey={(row) => row.number}
        loading={isPlaceholderData}
        error={error}
        onRetry={() => void refetch()}
        cardHead={cardHead}
        empty={<Empty title={book === 'wallet' ? t('钱包还没有变动') : t('这本账还没有变动')} />}
      />
      {(pages.page > 0 || hasNext) && (
        <Pager
          page={pages.page}
          hasNext={hasNext}
          count={null}
          busy={isPlaceholderData}
          onPrevious={pages.previous}
          onNext={() => pages.next(page === undefined || page.nextCursor === null ? null : String(page.nextCursor))}
        />
      )}
    </>
  )
}

const cardHead = (row: StatementLine): ReactNode => (
  <span className="money-line">
    <b>{wordOf(row)}</b>
    <Change cents={row.cents} />
  </span>
)

function columns(): readonly Column<StatementLine>[] {
  return [
    { key: 'kind', title: t('事项'), inHead: true, render: wordOf },
    { key: 'at', title: t('时间'), render: (row) => dateTime(row.at) },
    { key: 'about', title: t('关于'), render: (row) => <About row={row} /> },
    {
      key: 'cents',
      title: t('变动'),
      unit: t('元'),
      numeric: true,
      inHead: true,
      render: (row) => <Change cents={row.cents} />,
    },
    { key: 'after', title: t('变动后'), unit: t('元'), numeric: true, render: (row) => money(row.afterCents) },
  ]
}

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
      {memo !== '' && <span>{memo}</span>}
      {parts.length > 1 && <small>{accounts.join(' · ')}</small>}
    </span>
  )
}
