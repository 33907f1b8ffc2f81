import type { ReactNode } from 'react'
import { useNavigate } from 'react-router'
import {
  depositEndpoints,
  depositFilterSchema,
  depositStateLabels,
  depositStates,
  freeCents,
  type Deposit,
  type DepositFilter,
} from '@saddle/contract/finance/deposits.ts'
import { paymentChannelLabels } from '@saddle/contract/finance/payments.ts'
import { minuteMs } from '@saddle/contract/time.ts'
import { DepositMark } from '#finance/public.ts'
import { call } from '#kit/api/client.ts'
import { dateTime, money } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { changeFilter, useAddressFilter } from '#kit/list/addressFilter.ts'
import { Many } from '#kit/list/Choices.tsx'
import type { Column } from '#kit/list/DataTable.tsx'
import { Days, FilterBar } from '#kit/list/FilterBar.tsx'
import { usePages } from '#kit/list/usePages.ts'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { useScope } from '#kit/session/scope.ts'
import { RiderLink } from '#kit/ui/RiderLink.tsx'
import { Empty } from '#kit/ui/states.tsx'
import { ListCard } from '../parts/ListCard.tsx'
import { RiderKeyword } from '../parts/RiderKeyword.tsx'

const pageSize = 50
const refreshEveryMs = minuteMs

/** The deposits of all riders of the scope; what is frozen waits for a decision on the rider's own page. */
export function DepositsView(): ReactNode {
  const [filter, setFilter] = useAddressFilter(depositFilterSchema, { secret: ['phone'] })
  const change = (part: Partial<Record<keyof DepositFilter, unknown>>) => setFilter(changeFilter(filter, part))
  return (
    <>
      <FilterBar count={Object.keys(filter).length} onClear={() => setFilter({})}>
        <RiderKeyword filter={filter} onChange={change} />
        <Many
          label={t('状态')}
          value={filter.states}
          options={depositStates.map((state) => ({ value: state, label: t(depositStateLabels[state]) }))}
          onChange={(states) => change({ states })}
        />
        <Days label={t('交纳日期')} from={filter.from} to={filter.to} onChange={change} />
      </FilterBar>
      <DepositTable filter={filter} onClear={() => setFilter({})} />
    </>
  )
}

function DepositTable({ filter, onClear }: { filter: DepositFilter; onClear: () => void }) {
  const navigate = useNavigate()
  const { scopeKey } = useScope()
  const question = JSON.stringify([filter, scopeKey])
  const pages = usePages(question)
  const input = { filter, pageSize, ...(pages.cursor !== undefined && { cursor: Number(pages.cursor) }) }
  const { data, error, isPlaceholderData, refetch } = useEndpoint(depositEndpoints.listDeposits, input, {
    keepPrevious: true,
    refetchIntervalMs: refreshEveryMs,
  })
  const page = data?.data
  return (
    <ListCard<Deposit>
      label={t('押金')}
      question={question}
      pages={pages}
      page={page && { ...page, nextCursor: page.nextCursor?.toString() ?? null, count: null, isCountCut: false }}
      busy={isPlaceholderData}
      error={error}
      onRetry={() => void refetch()}
      columns={columnsOf()}
      rowKey={(row) => row.id}
      cardHead={headOf}
      empty={<Empty title={t('没有符合条件的押金')} action={<Button onClick={onClear}>{t('清除条件')}</Button>} />}
      onOpen={(row) => void navigate(`/user-info-detail?rider=${row.riderId}&money=deposit`)}
      onExport={async (at, signal) => (await call(depositEndpoints.exportDeposits, { filter, ...at }, { signal })).data}
    />
  )
}

const Rider = ({ deposit }: { deposit: Deposit }) => (
  <RiderLink riderId={deposit.riderId} money="deposit">
    {deposit.riderPhone}
  </RiderLink>
)

const headOf = (row: Deposit): ReactNode => (
  <span className="rider-head">
    <Rider deposit={row} />
    <DepositMark state={row.state} />
  </span>
)

/** Why parts of it are frozen now. */
const reasonsOf = ({ cases }: Deposit): string =>
  cases.flatMap(({ state, reason }) => (state === 'open' ? [reason] : [])).join('；') || '--'

function columnsOf(): readonly Column<Deposit>[] {
  const sum = { unit: t('元'), numeric: true } as const
  return [
    { key: 'rider', title: t('用户', { context: 'rider' }), inHead: true, render: (row) => <Rider deposit={row} /> },
    { key: 'state', title: t('状态'), inHead: true, render: (row) => <DepositMark state={row.state} /> },
    { key: 'cents', title: t('押金'), ...sum, render: (row) => money(row.cents) },
    { key: 'free', title: t('可用'), ...sum, render: (row) => money(freeCents(row)) },
    { key: 'frozen', title: t('冻结中'), ...sum, render: (row) => money(row.frozenCents) },
    { key: 'kept', title: t('已扣'), ...sum, render: (row) => money(row.recoveredCents) },
    { key: 'back', title: t('已退'), ...sum, render: (row) => money(row.refundedCents) },
    { key: 'why', title: t('冻结原因'), render: (row) => <span className="rider-text">{reasonsOf(row)}</span> },
    { key: 'channel', title: t('渠道'), render: (row) => t(paymentChannelLabels[row.channel]) },
    { key: 'paid', title: t('交纳时间'), render: (row) => <time>{dateTime(row.paidAt)}</time> },
    { key: 'company', title: t('加盟商'), render: (row) => row.company },
  ]
}
