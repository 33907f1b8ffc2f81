import { useState, type ReactNode } from 'react'
import {
  parkEndpoints,
  parkFilterSchema,
  parkStateLabels,
  parkStates,
  type ParkApplication,
  type ParkFilter,
} from '@saddle/contract/operations/parkApplications.ts'
import { minuteMs } from '@saddle/contract/time.ts'
import { call } from '#kit/api/client.ts'
import { dateTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { changeFilter, useAddressFilter } from '#kit/list/addressFilter.ts'
import { Areas } from '#kit/list/Choices.tsx'
import { DataTable, type Column } from '#kit/list/DataTable.tsx'
import { FilterBar, Keyword } from '#kit/list/FilterBar.tsx'
import { Pager } from '#kit/list/Pager.tsx'
import { useExport } from '#kit/list/useExport.ts'
import { usePages } from '#kit/list/usePages.ts'
import { onDemand } from '#kit/onDemand.tsx'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { useScope } from '#kit/session/scope.ts'
import { Empty } from '#kit/ui/states.tsx'
import { ParkDecide } from './ParkDecide.tsx'
import { ParkPanel } from './ParkPanel.tsx'
import '#kit/list/filter.css'
import '#kit/list/list.css'
import '../parts/work.css'

const ParkForm = onDemand(
  () => import('./ParkForm.tsx'),
  ({ onClose }) => onClose(),
)
const pageSize = 50

/** New parking places that the field asks for: with where people park already, on the map, decided alone or together. */
export default function ParkPage(): ReactNode {
  const [filter, setFilter] = useAddressFilter(parkFilterSchema)
  const { scopeKey } = useScope()
  const question = JSON.stringify([filter, scopeKey])
  const pages = usePages(question)
  const [selected, setSelected] = useState<readonly number[]>([])
  const [shownId, setShownId] = useState<number | null>(null)
  const [asking, setAsking] = useState(false)
  const exporting = useExport()
  const input = { filter, pageSize, ...(pages.cursor !== undefined && { beforeId: Number(pages.cursor) }) }
  const { data, error, isPlaceholderData, refetch } = useEndpoint(parkEndpoints.listParkApplications, input, {
    keepPrevious: true,
    refetchIntervalMs: minuteMs,
  })
  const page = data?.data
  const shown = page?.list.find(({ id }) => id === shownId)
  const waiting =
    page?.list.filter(({ id, state, isOwn }) => selected.includes(id) && state === 'waiting' && !isOwn) ?? []
  const ask = (next: Partial<ParkFilter>) => {
    setFilter(next)
    setSelected([])
  }
  return (
    <div className="page">
      <header className="page-head">
        <h1>{t('停车点申请')}</h1>
        <Button
          busy={exporting.rows !== null}
          onClick={() =>
            void exporting.start(async (_, signal) => {
              const answer = await call(parkEndpoints.exportParkApplications, { filter }, { signal })
              return { ...answer.data, nextCursor: null }
            })
          }
        >
          {t('导出')}
        </Button>
        <Button look="primary" onClick={() => setAsking(true)}>
          {t('申请停车点')}
        </Button>
      </header>
      <FilterBar count={Object.keys(filter).length} onClear={() => ask({})}>
        <Keyword
          label={t('停车点名称')}
          value={filter.keyword ?? ''}
          onChange={(text) => ask(changeFilter(filter, { keyword: text === '' ? undefined : text }))}
        />
        <Areas value={filter.areaIds} onChange={(areaIds) => ask(changeFilter(filter, { areaIds }))} />
        <label className="filter-number">
          <input
            type="checkbox"
            checked={filter.mine === true}
            onChange={(event) => ask(changeFilter(filter, { mine: event.target.checked ? true : undefined }))}
          />
          {t('只看我的')}
        </label>
        <nav className="work-tabs" aria-label={t('状态')}>
          {parkStates.map((state) => {
            const isOn = filter.states?.length === 1 && filter.states[0] === state
            return (
              <button
                key={state}
                type="button"
                aria-current={isOn ? 'page' : undefined}
                onClick={() => ask(changeFilter(filter, { states: isOn ? undefined : [state] }))}
              >
                {t(parkStateLabels[state])}
                <b>{page?.counts[state] ?? ''}</b>
              </button>
            )
          })}
        </nav>
      </FilterBar>
      <div className="work">
        <section className="page-card">
          <ParkDecide parks={waiting} onDone={() => setSelected([])} />
          <DataTable<ParkApplication>
            label={t('停车点申请')}
            columns={columnsOf(setShownId)}
            rows={page?.list}
            rowKey={(row) => row.id}
            loading={isPlaceholderData}
            error={error}
            onRetry={() => void refetch()}
            selected={selected}
            onSelect={(keys) => setSelected(keys.map(Number))}
            onOpen={(row) => setShownId(row.id)}
            cardHead={(row) => nameCell(row, setShownId)}
            empty={<Empty title={t('没有符合条件的申请')} text={t('现场人员可以在这里为常停车的位置申请停车点')} />}
          />
          <Pager
            page={pages.page}
            hasNext={page?.hasMore === true}
            count={null}
            busy={isPlaceholderData}
            onPrevious={pages.previous}
            onNext={() => pages.next(String(page?.list.at(-1)?.id ?? ''))}
          />
        </section>
        {shown !== undefined && <ParkPanel key={shown.id} park={shown} onClose={() => setShownId(null)} />}
      </div>
      {asking && <ParkForm onClose={() => setAsking(false)} />}
    </div>
  )
}

const nameCell = (row: ParkApplication, onShow: (id: number) => void): ReactNode => (
  <button type="button" className="work-inline" onClick={() => onShow(row.id)}>
    {row.name}
  </button>
)

export const parkTones = { waiting: 'warn', approved: 'good', rejected: 'bad', withdrawn: undefined } as const

function columnsOf(onShow: (id: number) => void): readonly Column<ParkApplication>[] {
  return [
    { key: 'name', title: t('名称'), inHead: true, render: (row) => nameCell(row, onShow) },
    {
      key: 'state',
      title: t('状态'),
      render: (row) => (
        <span className="work-chip" data-tone={parkTones[row.state]}>
          {t(parkStateLabels[row.state])}
        </span>
      ),
    },
    { key: 'area', title: t('服务区'), render: (row) => row.areaName },
    { key: 'capacity', title: t('容量'), unit: t('辆'), numeric: true, render: (row) => row.capacity },
    { key: 'returns', title: t('近 30 天还车'), unit: t('次'), numeric: true, render: (row) => row.returns },
    {
      key: 'near',
      title: t('最近的停车点'),
      unit: t('米'),
      numeric: true,
      render: (row) => row.nearestM ?? '--',
    },
    { key: 'reason', title: t('理由'), render: (row) => row.reason },
    { key: 'who', title: t('申请人'), render: (row) => row.applicantName },
    { key: 'at', title: t('申请时间'), render: (row) => <time>{dateTime(row.appliedAt)}</time> },
    { key: 'by', title: t('审批人'), render: (row) => row.decidedBy ?? '--' },
  ]
}
