import { useState, type ReactNode } from 'react'
import {
  rebindEndpoints,
  rebindFilterSchema,
  rebindKindLabels,
  rebindKinds,
  rebindStateLabels,
  rebindStates,
  type ListedRebind,
  type RebindFilter,
} from '@saddle/contract/rider/rebinds.ts'
import { minuteMs } from '@saddle/contract/time.ts'
import { call } from '#kit/api/client.ts'
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
import { Person } from '../parts/Person.tsx'
import { reviewedColumns, reviewedHead } from '../parts/reviewed.tsx'
import { useShown } from '../parts/useShown.ts'
import { RiderKeyword } from '../parts/RiderKeyword.tsx'
import { RebindMark } from './RebindMark.tsx'
import { RebindPanel } from './RebindPanel.tsx'

const pageSize = 50
const refreshEveryMs = minuteMs

/** Riders who have another phone, or want the certificate of an older account of theirs. */
export default function RebindsPage(): ReactNode {
  const [filter, setFilter] = useAddressFilter(rebindFilterSchema, { secret: ['phone'] })
  const change = (part: Partial<Record<keyof RebindFilter, unknown>>) => setFilter(changeFilter(filter, part))
  return (
    <div className="page">
      <header className="page-head">
        <h1>{t('实名换绑列表')}</h1>
      </header>
      <FilterBar count={Object.keys(filter).length} onClear={() => setFilter({})}>
        <RiderKeyword filter={filter} onChange={change} />
        <Many
          label={t('状态')}
          value={filter.states ?? ['waiting']}
          options={rebindStates.map((state) => ({ value: state, label: t(rebindStateLabels[state]) }))}
          onChange={(states) => change({ states })}
        />
        <Many
          label={t('换绑类型')}
          value={filter.kinds}
          options={rebindKinds.map((kind) => ({ value: kind, label: t(rebindKindLabels[kind]) }))}
          onChange={(kinds) => change({ kinds })}
        />
        <Days label={t('申请日期')} from={filter.from} to={filter.to} onChange={change} />
      </FilterBar>
      <Rebinds filter={{ states: ['waiting'], ...filter }} onAll={() => setFilter({ states: [...rebindStates] })} />
    </div>
  )
}

function Rebinds({ filter, onAll }: { filter: RebindFilter; onAll: () => void }) {
  const { scopeKey } = useScope()
  const [sort, setSort] = useState<Sort>({ by: 'asked', direction: 'desc' })
  const { direction } = sort
  const question = JSON.stringify([filter, direction, scopeKey])
  const pages = usePages(question)
  const input = { filter, direction, pageSize, ...(pages.cursor !== undefined && { cursor: pages.cursor }) }
  const { data, error, isPlaceholderData, refetch } = useEndpoint(rebindEndpoints.listRebinds, input, {
    keepPrevious: true,
    refetchIntervalMs: refreshEveryMs,
  })
  const rows = data?.data.list ?? []
  const { current, show, close, goOn } = useShown(rows)
  return (
    <div className="rider-split" data-open={current !== null}>
      <ListCard<ListedRebind>
        label={t('实名换绑列表')}
        question={question}
        pages={pages}
        page={data?.data}
        busy={isPlaceholderData}
        error={error}
        onRetry={() => void refetch()}
        columns={columnsOf(show)}
        rowKey={(row) => row.id}
        cardHead={(row) => reviewedHead(row, markOf)}
        empty={<Empty title={t('没有符合条件的换绑申请')} action={<Button onClick={onAll}>{t('查看全部')}</Button>} />}
        sort={sort}
        onSort={setSort}
        onOpen={show}
        onExport={async (at, signal) => {
          const answer = await call(rebindEndpoints.exportRebinds, { filter, direction, ...at }, { signal })
          return answer.data
        }}
      />
      {current !== null && <RebindPanel key={current.id} rebind={current} onClose={close} onDecided={goOn} />}
    </div>
  )
}

const markOf = (row: ListedRebind): ReactNode => <RebindMark state={row.state} />

function columnsOf(onShow: (row: ListedRebind) => void): readonly Column<ListedRebind>[] {
  const own: readonly Column<ListedRebind>[] = [
    { key: 'kind', title: t('换绑类型'), render: (row) => t(rebindKindLabels[row.kind]) },
    { key: 'wanted', title: t('申请换绑'), render: (row) => `${row.wantedName ?? ''} ${row.wanted}`.trim() },
    {
      key: 'holder',
      title: t('原持有人'),
      render: ({ holderId, holderPhone, holderName }) =>
        holderId === null || holderPhone === null ? (
          '--'
        ) : (
          <Person riderId={holderId} phone={holderPhone} name={holderName} />
        ),
    },
    { key: 'claim', title: t('说明'), render: (row) => <span className="rider-text">{row.claim || '--'}</span> },
    { key: 'asked', title: t('申请时间'), sortable: true, render: (row) => <time>{dateTime(row.askedAt)}</time> },
  ]
  return reviewedColumns({ mark: markOf, onShow, own })
}
