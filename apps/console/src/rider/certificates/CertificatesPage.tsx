import { useState, type ReactNode } from 'react'
import {
  certificateEndpoints,
  certificateFilterSchema,
  certificateKindLabels,
  certificateKinds,
  certificateStateLabels,
  certificateStates,
  type ListedCertificate,
  type CertificateFilter,
} from '@saddle/contract/rider/certificates.ts'
import { minuteMs } from '@saddle/contract/time.ts'
import { call } from '#kit/api/client.ts'
import { dateOnly, dateTime } from '#kit/format.ts'
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
import { reviewedColumns, reviewedHead } from '../parts/reviewed.tsx'
import { useShown } from '../parts/useShown.ts'
import { RiderKeyword } from '../parts/RiderKeyword.tsx'
import { DecideForm } from './DecideForm.tsx'
import { CertificatePanel } from './CertificatePanel.tsx'
import { CertificateMark } from './CertificateMark.tsx'
import './certificates.css'

const pageSize = 50
const refreshEveryMs = minuteMs

/** Students and professions: what riders show as certificate, looked at one by one or decided together. */
export default function CertificatesPage(): ReactNode {
  const [filter, setFilter] = useAddressFilter(certificateFilterSchema, { secret: ['phone'] })
  const change = (part: Partial<Record<keyof CertificateFilter, unknown>>) => setFilter(changeFilter(filter, part))
  return (
    <div className="page">
      <header className="page-head">
        <h1>{t('专业认证列表')}</h1>
      </header>
      <FilterBar count={Object.keys(filter).length} onClear={() => setFilter({})}>
        <RiderKeyword filter={filter} onChange={change} />
        <Many
          label={t('状态')}
          value={filter.states ?? ['waiting']}
          options={certificateStates.map((state) => ({ value: state, label: t(certificateStateLabels[state]) }))}
          onChange={(states) => change({ states })}
        />
        <Many
          label={t('认证类型')}
          value={filter.kinds}
          options={certificateKinds.map((kind) => ({ value: kind, label: t(certificateKindLabels[kind]) }))}
          onChange={(kinds) => change({ kinds })}
        />
        <Days label={t('提交日期')} from={filter.from} to={filter.to} onChange={change} />
      </FilterBar>
      <Certificates
        filter={{ states: ['waiting'], ...filter }}
        onAll={() => setFilter({ states: [...certificateStates] })}
      />
    </div>
  )
}

function Certificates({ filter, onAll }: { filter: CertificateFilter; onAll: () => void }) {
  const { scopeKey } = useScope()
  const [sort, setSort] = useState<Sort>({ by: 'submitted', direction: 'desc' })
  const { direction } = sort
  const question = JSON.stringify([filter, direction, scopeKey])
  const pages = usePages(question)
  const [chosen, setChosen] = useState<{ of: string; ids: readonly number[] }>({ of: question, ids: [] })
  const input = { filter, direction, pageSize, ...(pages.cursor !== undefined && { cursor: pages.cursor }) }
  const { data, error, isPlaceholderData, refetch } = useEndpoint(certificateEndpoints.listCertificates, input, {
    keepPrevious: true,
    refetchIntervalMs: refreshEveryMs,
  })
  const rows = data?.data.list ?? []
  const waiting = new Set(rows.filter(({ state }) => state === 'waiting').map(({ id }) => id))
  const selected = (chosen.of === question ? chosen.ids : []).filter((id) => waiting.has(id))
  const { current, show, close, goOn } = useShown(rows)
  return (
    <div className="rider-split" data-open={current !== null}>
      <ListCard<ListedCertificate>
        label={t('专业认证列表')}
        question={question}
        pages={pages}
        page={data?.data}
        busy={isPlaceholderData}
        error={error}
        onRetry={() => void refetch()}
        columns={columnsOf(show)}
        rowKey={(row) => row.id}
        cardHead={(row) => reviewedHead(row, markOf)}
        empty={<Empty title={t('没有符合条件的认证')} action={<Button onClick={onAll}>{t('查看全部')}</Button>} />}
        sort={sort}
        onSort={setSort}
        selected={selected}
        onSelect={(ids) => setChosen({ of: question, ids })}
        onOpen={show}
        onExport={async (at, signal) => {
          const answer = await call(certificateEndpoints.exportCertificates, { filter, direction, ...at }, { signal })
          return answer.data
        }}
        tools={selected.length > 0 && <DecideForm ids={selected} onDone={() => setChosen({ of: question, ids: [] })} />}
      />
      {current !== null && <CertificatePanel key={current.id} certificate={current} onClose={close} onDecided={goOn} />}
    </div>
  )
}

const markOf = (row: ListedCertificate): ReactNode => <CertificateMark state={row.state} />

function columnsOf(onShow: (row: ListedCertificate) => void): readonly Column<ListedCertificate>[] {
  const own: readonly Column<ListedCertificate>[] = [
    { key: 'kind', title: t('认证类型'), render: (row) => t(certificateKindLabels[row.kind]) },
    {
      key: 'organisation',
      title: t('学校或单位'),
      render: (row) => <span className="rider-text">{row.organisation}</span>,
    },
    {
      key: 'certified',
      title: t('实名'),
      render: (row) => (row.certified ? <Mark tone="good">{t('已实名')}</Mark> : <Mark tone="off">{t('未实名')}</Mark>),
    },
    {
      key: 'submitted',
      title: t('提交时间'),
      sortable: true,
      render: (row) => <time>{dateTime(row.submittedAt)}</time>,
    },
    { key: 'expires', title: t('有效期至'), render: (row) => dateOnly(row.expiresAt) },
  ]
  return reviewedColumns({ mark: markOf, onShow, own })
}
