import { lazy, Suspense, useState, type ReactNode } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { moneyActCodes, secondPersonEndpoints } from '@saddle/contract/finance/secondPerson.ts'
import { walletEndpoints } from '@saddle/contract/finance/wallet.ts'
import { holdsPermission } from '@saddle/contract/permissions.ts'
import { certificateKindLabels } from '@saddle/contract/rider/certificates.ts'
import {
  riderFilterSchema,
  riderPeopleEndpoints,
  riderStateLabels,
  type Rider,
  type RiderFilter,
} from '@saddle/contract/rider/riders.ts'
import { minuteMs } from '@saddle/contract/time.ts'
import { ActsView } from '#finance/public.ts'
import { call } from '#kit/api/client.ts'
import { loadChunk } from '#kit/chunk.tsx'
import { dateTime, money } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { useAddressFilter } from '#kit/list/addressFilter.ts'
import type { Column, Sort } from '#kit/list/DataTable.tsx'
import { usePages } from '#kit/list/usePages.ts'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { usePermissions } from '#kit/session/permissions.ts'
import { useScope } from '#kit/session/scope.ts'
import { Permit } from '#kit/ui/Permit.tsx'
import { Empty } from '#kit/ui/states.tsx'
import { DepositsView } from '../money/DepositsView.tsx'
import { RefundsView } from '../money/RefundsView.tsx'
import { ListCard } from '../parts/ListCard.tsx'
import { Mark } from '#kit/ui/Mark.tsx'
import { Person } from '../parts/Person.tsx'
import { RiderFilterBar } from './RiderFilterBar.tsx'

const BanDialog = lazy(() => loadChunk(() => import('../blacklist/BanDialog.tsx')))

const pageSize = 50
const refreshEveryMs = minuteMs

/** Whoever may act on riders' money may confirm what others asked for. */
const moneyActRule = [...new Set(Object.values(moneyActCodes))].join('||')

const views = ['riders', 'refunds', 'deposits', 'acts'] as const
type View = (typeof views)[number]

/** Everybody who rides within the scope, and what of their money waits for somebody. */
export default function RidersPage(): ReactNode {
  const [params, setParams] = useSearchParams()
  const view = views.find((one) => one === params.get('view')) ?? 'riders'
  return (
    <div className="page">
      <header className="page-head">
        <h1>{t('用户信息')}</h1>
      </header>
      {/* Each view has conditions of its own. */}
      <Views view={view} onView={(next) => setParams(next === 'riders' ? {} : { view: next })} />
      {view === 'riders' && <Everybody />}
      {view === 'refunds' && <RefundsView />}
      {view === 'deposits' && <DepositsView />}
      {view === 'acts' && <ActsView />}
    </div>
  )
}

function Views({ view, onView }: { view: View; onView: (view: View) => void }) {
  const { data } = useEndpoint(
    walletEndpoints.failedRefunds,
    { pageSize: 1 },
    { quiet: true, keepPrevious: true, refetchIntervalMs: refreshEveryMs },
  )
  const failed = data?.data.failed ?? null
  const mayConfirm = holdsPermission(usePermissions().held, moneyActRule)
  const acts = useEndpoint(
    secondPersonEndpoints.moneyActs,
    { pageSize: 1 },
    { quiet: true, keepPrevious: true, refetchIntervalMs: refreshEveryMs, enabled: mayConfirm },
  )
  const waiting = acts.data?.data.waiting ?? 0
  const labels: Readonly<Record<View, string>> = {
    riders: t('用户', { context: 'tab' }),
    refunds: t('退款'),
    deposits: t('押金'),
    acts: t('资金确认'),
  }
  return (
    <nav className="rider-views" aria-label={t('用户信息')}>
      {views
        .filter((one) => one !== 'acts' || mayConfirm)
        .map((one) => (
          <button key={one} type="button" aria-pressed={view === one} onClick={() => onView(one)}>
            {labels[one]}
            {one === 'refunds' && failed !== null && failed.count > 0 && (
              <Mark tone="bad">
                {t('{{count}} 笔未退成，共 {{yuan}} 元', { count: failed.count, yuan: money(failed.cents) })}
              </Mark>
            )}
            {one === 'acts' && waiting > 0 && <Mark tone="warn">{t('{{count}} 笔待确认', { count: waiting })}</Mark>}
          </button>
        ))}
    </nav>
  )
}

/** Riders found by any combination of conditions. */
function Everybody() {
  const [filter, setFilter] = useAddressFilter(riderFilterSchema, { secret: ['phone', 'name', 'certNumber'] })
  const [sort, setSort] = useState<Sort>({ by: 'registered', direction: 'desc' })
  return (
    <>
      <RiderFilterBar
        filter={filter}
        onFilter={setFilter}
        daysLabel={sort.by === 'registered' ? t('注册日期') : t('活跃日期')}
      />
      <RiderTable filter={filter} sort={sort} onSort={setSort} onClear={() => setFilter({})} />
    </>
  )
}

interface TableProps {
  readonly filter: RiderFilter
  readonly sort: Sort
  readonly onSort: (sort: Sort) => void
  readonly onClear: () => void
}

function RiderTable({ filter, sort, onSort, onClear }: TableProps) {
  const navigate = useNavigate()
  const { scopeKey } = useScope()
  const ordering = {
    sort: sort.by === 'active' ? ('active' as const) : ('registered' as const),
    direction: sort.direction,
  }
  const question = JSON.stringify([filter, ordering, scopeKey])
  const pages = usePages(question)
  const [chosen, setChosen] = useState<{ of: string; ids: readonly number[] }>({ of: question, ids: [] })
  const selected = chosen.of === question ? chosen.ids : []
  const [banning, setBanning] = useState(false)
  const input = { filter, ...ordering, pageSize, ...(pages.cursor !== undefined && { cursor: pages.cursor }) }
  const { data, error, isPlaceholderData, refetch } = useEndpoint(riderPeopleEndpoints.searchRiders, input, {
    keepPrevious: true,
    refetchIntervalMs: refreshEveryMs,
  })
  return (
    <>
      <ListCard<Rider>
        label={t('用户信息')}
        question={question}
        pages={pages}
        page={data?.data}
        busy={isPlaceholderData}
        error={error}
        onRetry={() => void refetch()}
        columns={columnsOf()}
        rowKey={(row) => row.id}
        cardHead={headOf}
        empty={
          <Empty
            title={t('没有符合条件的用户', { context: 'rider' })}
            action={<Button onClick={onClear}>{t('清除条件')}</Button>}
          />
        }
        sort={sort}
        onSort={onSort}
        selected={selected}
        onSelect={(ids) => setChosen({ of: question, ids })}
        onOpen={(row) => void navigate(`/user-info-detail?rider=${row.id}`)}
        onExport={async (at, signal) => {
          const answer = await call(riderPeopleEndpoints.exportRiders, { filter, ...ordering, ...at }, { signal })
          return answer.data
        }}
        tools={
          selected.length > 0 && (
            <Permit action="08">
              <Button onClick={() => setBanning(true)}>
                {t('把 {{count}} 位用户加入黑名单', { count: selected.length })}
              </Button>
            </Permit>
          )
        }
      />
      {banning && (
        <Suspense fallback={null}>
          <BanDialog
            riderIds={selected}
            onClose={() => setBanning(false)}
            onDone={() => setChosen({ of: question, ids: [] })}
          />
        </Suspense>
      )}
    </>
  )
}

const headOf = (rider: Rider): ReactNode => (
  <span className="rider-head">
    <Person riderId={rider.id} phone={rider.phone} name={rider.name} />
    <Marks rider={rider} />
  </span>
)

/** What is to be known of a rider at a glance; nothing of who is like most. */
function Marks({ rider }: { rider: Rider }) {
  return (
    <span className="rider-marks">
      {rider.state === 'closed' && <Mark tone="off">{t(riderStateLabels.closed)}</Mark>}
      {rider.banned && <Mark tone="bad">{t('黑名单')}</Mark>}
      {rider.certified ? <Mark tone="good">{t('已实名')}</Mark> : <Mark tone="off">{t('未实名')}</Mark>}
      {rider.certificateKind !== null && <Mark tone="info">{t(certificateKindLabels[rider.certificateKind])}</Mark>}
    </span>
  )
}

function columnsOf(): readonly Column<Rider>[] {
  return [
    { key: 'id', title: t('用户编号'), render: (row) => row.id },
    {
      key: 'person',
      title: t('用户', { context: 'rider' }),
      inHead: true,
      render: (row) => <Person riderId={row.id} phone={row.phone} name={row.name} />,
    },
    { key: 'marks', title: t('状态'), inHead: true, render: (row) => <Marks rider={row} /> },
    { key: 'company', title: t('加盟商'), render: (row) => row.company },
    { key: 'balance', title: t('余额'), unit: t('元'), numeric: true, render: (row) => money(row.balanceCents) },
    { key: 'gift', title: t('赠送余额'), unit: t('元'), numeric: true, render: (row) => money(row.giftCents) },
    { key: 'deposit', title: t('押金'), unit: t('元'), numeric: true, render: (row) => money(row.depositCents) },
    {
      key: 'registered',
      title: t('注册时间'),
      sortable: true,
      render: (row) => <time>{dateTime(row.registeredAt)}</time>,
    },
    { key: 'active', title: t('最近活跃'), sortable: true, render: (row) => <time>{dateTime(row.lastActiveAt)}</time> },
  ]
}
