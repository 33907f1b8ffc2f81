import { lazy, Suspense, useState, type ReactNode } from 'react'
import { Link } from 'react-router'
import {
  moneyActStateLabels,
  moneyActStates,
  secondPersonEndpoints,
  type MoneyActRow,
  type MoneyActState,
} from '@saddle/contract/finance/secondPerson.ts'
import { loadChunk } from '#kit/chunk.tsx'
import { dateTime, money } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { Many } from '#kit/list/Choices.tsx'
import { DataTable, type Column } from '#kit/list/DataTable.tsx'
import { FilterBar } from '#kit/list/FilterBar.tsx'
import { Pager } from '#kit/list/Pager.tsx'
import { usePages } from '#kit/list/usePages.ts'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { useScope } from '#kit/session/scope.ts'
import { Mark } from '#kit/ui/Mark.tsx'
import { RiderLink } from '#kit/ui/RiderLink.tsx'
import { Empty } from '#kit/ui/states.tsx'
import type { How } from './DecideDialog.tsx'
import { whatOf } from './words.ts'
import '#kit/list/filter.css'
import '../wallet/money.css'

const DecideDialog = lazy(() => loadChunk(() => import('./DecideDialog.tsx')))

const pageSize = 50
const refreshEveryMs = 30_000
const tones = { waiting: 'warn', confirmed: 'good', rejected: 'bad', withdrawn: 'off', expired: 'off' } as const

/** What people did with riders' money above their sum of the day: another person confirms it, or it is not done. */
export function ActsView(): ReactNode {
  const [states, setStates] = useState<readonly MoneyActState[]>(['waiting'])
  return (
    <>
      <FilterBar count={states.join() === 'waiting' ? 0 : 1} onClear={() => setStates(['waiting'])}>
        <Many
          label={t('状态')}
          value={states}
          options={moneyActStates.map((state) => ({ value: state, label: t(moneyActStateLabels[state]) }))}
          onChange={(chosen) => setStates(chosen ?? ['waiting'])}
        />
      </FilterBar>
      <Acts states={states} />
    </>
  )
}

function Acts({ states }: { states: readonly MoneyActState[] }) {
  const { scopeKey } = useScope()
  const pages = usePages(JSON.stringify([states, scopeKey]))
  const [deciding, setDeciding] = useState<{ row: MoneyActRow; how: How } | null>(null)
  const input = {
    states: [...states],
    pageSize,
    ...(pages.cursor !== undefined && { cursor: Number(pages.cursor) }),
  }
  const { data, error, isPlaceholderData, refetch } = useEndpoint(secondPersonEndpoints.moneyActs, input, {
    keepPrevious: true,
    refetchIntervalMs: refreshEveryMs,
  })
  const page = data?.data
  return (
    <section className="page-card">
      <DataTable<MoneyActRow>
        label={t('资金确认')}
        columns={columnsOf((row, how) => setDeciding({ row, how }))}
        rows={page?.list}
        rowKey={(row) => row.id}
        loading={isPlaceholderData}
        error={error}
        onRetry={() => void refetch()}
        cardHead={headOf}
        empty={<Empty title={t('没有待确认的资金操作')} />}
      />
      <Pager
        page={pages.page}
        hasNext={page !== undefined && page.nextCursor !== null}
        count={null}
        busy={isPlaceholderData}
        onPrevious={pages.previous}
        onNext={() => pages.next(page?.nextCursor?.toString() ?? null)}
      />
      {deciding !== null && (
        <Suspense fallback={null}>
          <DecideDialog {...deciding} onClose={() => setDeciding(null)} />
        </Suspense>
      )}
    </section>
  )
}

const StateMark = ({ state }: { state: MoneyActState }) => (
  <Mark tone={tones[state]}>{t(moneyActStateLabels[state])}</Mark>
)

const headOf = (row: MoneyActRow): ReactNode => (
  <span className="money-head-of">
    <b>{t('{{yuan}} 元', { yuan: money(row.cents) })}</b>
    <StateMark state={row.state} />
  </span>
)

function columnsOf(onDecide: (row: MoneyActRow, how: How) => void): readonly Column<MoneyActRow>[] {
  return [
    { key: 'cents', title: t('金额'), unit: t('元'), numeric: true, inHead: true, render: (row) => money(row.cents) },
    { key: 'state', title: t('状态'), inHead: true, render: (row) => <StateMark state={row.state} /> },
    {
      key: 'act',
      title: t('操作'),
      render: (row) =>
        row.state !== 'waiting' ? (
          '--'
        ) : row.isOwn ? (
          <Button look="quiet" onClick={() => onDecide(row, 'reject')}>
            {t('撤回')}
          </Button>
        ) : (
          <>
            <Button look="quiet" onClick={() => onDecide(row, 'confirm')}>
              {t('确认')}
            </Button>
            <Button look="quiet" onClick={() => onDecide(row, 'reject')}>
              {t('拒绝')}
            </Button>
          </>
        ),
    },
    { key: 'what', title: t('事项'), render: whatOf },
    {
      key: 'about',
      title: t('关于'),
      render: (row) =>
        row.orderId === null ? (
          <RiderLink riderId={row.riderId}>{t('用户 {{id}}', { id: row.riderId })}</RiderLink>
        ) : (
          <Link to={`/user-order-detail?order=${row.orderId}`}>{t('骑行订单')}</Link>
        ),
    },
    { key: 'reason', title: t('原因'), render: (row) => <span className="money-text">{row.reason || '--'}</span> },
    {
      key: 'by',
      title: t('提交人'),
      render: (row) => (row.isOwn ? t('{{name}}（本人）', { name: row.operatorName }) : row.operatorName),
    },
    { key: 'asked', title: t('提交时间'), render: (row) => <time>{dateTime(row.askedAt)}</time> },
    { key: 'expires', title: t('有效期至'), render: (row) => <time>{dateTime(row.expiresAt)}</time> },
    { key: 'decided', title: t('处理人'), render: (row) => row.decidedBy ?? '--' },
    { key: 'note', title: t('说明'), render: (row) => <span className="money-text">{row.note || '--'}</span> },
    { key: 'company', title: t('加盟商'), render: (row) => row.company },
  ]
}
