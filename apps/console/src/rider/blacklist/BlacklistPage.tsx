import { lazy, Suspense, useState, type ReactNode } from 'react'
import {
  banEndpoints,
  banFilterSchema,
  banStateLabels,
  banStates,
  type BanFilter,
  type ListedBan,
} from '@saddle/contract/rider/bans.ts'
import { minuteMs } from '@saddle/contract/time.ts'
import { call } from '#kit/api/client.ts'
import { loadChunk } from '#kit/chunk.tsx'
import { dateTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { changeFilter, useAddressFilter } from '#kit/list/addressFilter.ts'
import { Many } from '#kit/list/Choices.tsx'
import type { Column, Sort } from '#kit/list/DataTable.tsx'
import { Days, FilterBar } from '#kit/list/FilterBar.tsx'
import { usePages } from '#kit/list/usePages.ts'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { useScope } from '#kit/session/scope.ts'
import { Empty } from '#kit/ui/states.tsx'
import { ListCard } from '../parts/ListCard.tsx'
import { Mark } from '#kit/ui/Mark.tsx'
import { Person } from '../parts/Person.tsx'
import { RiderKeyword } from '../parts/RiderKeyword.tsx'
import { useLift } from './useLift.ts'

const BanDialog = lazy(() => loadChunk(() => import('./BanDialog.tsx')))

const pageSize = 50
const refreshEveryMs = minuteMs

/** Who may not ride, since when, until when, and why. */
export default function BlacklistPage(): ReactNode {
  const [filter, setFilter] = useAddressFilter(banFilterSchema, { secret: ['phone'] })
  const [adding, setAdding] = useState(false)
  const change = (part: Partial<Record<keyof BanFilter, unknown>>) => setFilter(changeFilter(filter, part))
  return (
    <div className="page">
      <header className="page-head">
        <h1>{t('黑名单')}</h1>
        <Button look="primary" onClick={() => setAdding(true)}>
          {t('加入黑名单')}
        </Button>
      </header>
      <FilterBar count={Object.keys(filter).length} onClear={() => setFilter({})}>
        <RiderKeyword filter={filter} onChange={change} />
        <Many
          label={t('状态')}
          value={filter.states ?? ['active']}
          options={banStates.map((state) => ({ value: state, label: t(banStateLabels[state]) }))}
          onChange={(states) => change({ states })}
        />
        <Days label={t('加入日期')} from={filter.from} to={filter.to} onChange={change} />
      </FilterBar>
      <BanTable filter={{ states: ['active'], ...filter }} />
      {adding && (
        <Suspense fallback={null}>
          <BanDialog onClose={() => setAdding(false)} />
        </Suspense>
      )}
    </div>
  )
}

function BanTable({ filter }: { filter: BanFilter }) {
  const { scopeKey } = useScope()
  const [sort, setSort] = useState<Sort>({ by: 'begun', direction: 'desc' })
  const { direction } = sort
  const question = JSON.stringify([filter, direction, scopeKey])
  const pages = usePages(question)
  const [chosen, setChosen] = useState<{ of: string; ids: readonly number[] }>({ of: question, ids: [] })
  const input = { filter, direction, pageSize, ...(pages.cursor !== undefined && { cursor: pages.cursor }) }
  const { data, error, isPlaceholderData, refetch } = useEndpoint(banEndpoints.listBans, input, {
    keepPrevious: true,
    refetchIntervalMs: refreshEveryMs,
  })
  const { lift, busy } = useLift()
  const rows = data?.data.list ?? []
  const inForce = new Map(rows.filter(({ state }) => state === 'active').map((row) => [row.id, row.riderId]))
  const selected = (chosen.of === question ? chosen.ids : []).filter((id) => inForce.has(id))
  return (
    <ListCard<ListedBan>
      label={t('黑名单')}
      question={question}
      pages={pages}
      page={data?.data}
      busy={isPlaceholderData}
      error={error}
      onRetry={() => void refetch()}
      columns={columnsOf((row) => lift([row.riderId]))}
      rowKey={(row) => row.id}
      cardHead={headOf}
      empty={<Empty title={t('没有符合条件的记录')} />}
      sort={sort}
      onSort={setSort}
      selected={selected}
      onSelect={(ids) => setChosen({ of: question, ids })}
      onExport={async (at, signal) => {
        const answer = await call(banEndpoints.exportBans, { filter, direction, ...at }, { signal })
        return answer.data
      }}
      tools={
        selected.length > 0 && (
          <Button busy={busy} onClick={() => lift(selected.flatMap((id) => inForce.get(id) ?? []))}>
            {t('移出 {{count}} 位用户', { count: selected.length })}
          </Button>
        )
      }
    />
  )
}

function BanMark({ ban }: { ban: ListedBan }) {
  return <Mark tone={ban.state === 'active' ? 'bad' : 'off'}>{t(banStateLabels[ban.state])}</Mark>
}

const headOf = (row: ListedBan): ReactNode => (
  <span className="rider-head">
    <Person riderId={row.riderId} phone={row.phone} name={row.name} />
    <BanMark ban={row} />
  </span>
)

function columnsOf(onLift: (row: ListedBan) => void): readonly Column<ListedBan>[] {
  return [
    {
      key: 'person',
      title: t('用户', { context: 'rider' }),
      inHead: true,
      render: (row) => <Person riderId={row.riderId} phone={row.phone} name={row.name} />,
    },
    { key: 'state', title: t('状态'), inHead: true, render: (row) => <BanMark ban={row} /> },
    { key: 'reason', title: t('原因'), render: (row) => <span className="rider-text">{row.reason}</span> },
    { key: 'begun', title: t('加入时间'), sortable: true, render: (row) => <time>{dateTime(row.begunAt)}</time> },
    { key: 'until', title: t('到期时间'), render: (row) => (row.until === null ? t('永久') : dateTime(row.until)) },
    { key: 'by', title: t('操作人'), render: (row) => row.by },
    { key: 'company', title: t('加盟商'), render: (row) => row.company },
    {
      key: 'lifted',
      title: t('解除'),
      render: (row) =>
        row.state === 'active' ? (
          <Button look="quiet" onClick={() => onLift(row)}>
            {t('移出黑名单')}
          </Button>
        ) : (
          <span className="rider-text">
            {[row.liftedBy ?? t('到期自动解除'), dateTime(row.liftedAt), row.liftReason].filter(Boolean).join(' · ')}
          </span>
        ),
    },
  ]
}
