import { lazy, Suspense, useState, type ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import {
  agentEndpoints,
  applicationStateLabels,
  applicationStates,
  type ApplicationRow,
  type ApplicationState,
} from '@saddle/contract/organisation/agents.ts'
import { loadChunk } from '#kit/chunk.tsx'
import { dateTime, maskPhone } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { DataTable, type Column } from '#kit/list/DataTable.tsx'
import { Pager } from '#kit/list/Pager.tsx'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { Empty } from '#kit/ui/states.tsx'
import '#organisation/parts/parts.css'
import './applications.css'

const ReviewDrawer = lazy(() => loadChunk(() => import('./ReviewDrawer.tsx')))
const pageSize = 20
const tones: Readonly<Record<ApplicationState, string | undefined>> = {
  submitted: undefined,
  accepted: 'good',
  refused: 'bad',
}

/** Companies that ask to join; those that wait come first to mind, so they are what the list opens with. */
export default function Applications(): ReactNode {
  const [query, setQuery] = useSearchParams()
  const state = applicationStates.find((one) => one === query.get('state')) ?? 'submitted'
  const [at, setAt] = useState<{ of: ApplicationState; page: number }>({ of: state, page: 1 })
  const page = at.of === state ? at.page : 1
  const reading = useEndpoint(agentEndpoints.listApplications, { state, page, pageSize }, { keepPrevious: true })
  const found = reading.data?.data
  const [open, setOpen] = useState<ApplicationRow | null>(null)
  return (
    <section className="page-card">
      <div className="org-bar">
        <fieldset className="org-switch" aria-label={t('状态')}>
          {applicationStates.map((one) => (
            <Button
              key={one}
              aria-pressed={one === state}
              onClick={() => setQuery({ tab: 'applications', state: one }, { replace: true })}
            >
              {t(applicationStateLabels[one])}
            </Button>
          ))}
        </fieldset>
      </div>
      <DataTable<ApplicationRow>
        label={t('加盟申请')}
        columns={columnsOf(setOpen)}
        rows={found?.list}
        rowKey={(row) => row.applicationNumber}
        loading={reading.isPlaceholderData}
        error={reading.error}
        onRetry={() => void reading.refetch()}
        onOpen={setOpen}
        cardHead={(row) => row.company}
        empty={<Empty title={state === 'submitted' ? t('没有待审核的申请') : t('没有符合条件的申请')} />}
      />
      <Pager
        page={page - 1}
        hasNext={found !== undefined && page * pageSize < found.count}
        count={found?.count ?? null}
        busy={reading.isPlaceholderData}
        onPrevious={() => setAt({ of: state, page: page - 1 })}
        onNext={() => setAt({ of: state, page: page + 1 })}
      />
      {open !== null && (
        <Suspense fallback={null}>
          <ReviewDrawer application={open} onClose={() => setOpen(null)} />
        </Suspense>
      )}
    </section>
  )
}

function columnsOf(onOpen: (row: ApplicationRow) => void): readonly Column<ApplicationRow>[] {
  return [
    { key: 'company', title: t('公司'), inHead: true, render: (row) => row.company },
    { key: 'city', title: t('城市'), render: (row) => row.city },
    { key: 'vehicles', title: t('计划车辆'), numeric: true, render: (row) => row.plannedVehicles },
    { key: 'contact', title: t('联系人'), render: (row) => `${row.contact} ${maskPhone(row.phone)}` },
    { key: 'created', title: t('申请时间'), render: (row) => dateTime(row.createdAt) },
    {
      key: 'state',
      title: t('状态'),
      render: (row) => (
        <span className="org-chip" data-tone={tones[row.state]}>
          {t(applicationStateLabels[row.state])}
        </span>
      ),
    },
    {
      key: 'acts',
      title: t('操作'),
      render: (row) => (
        <span className="org-acts">
          <button type="button" onClick={() => onOpen(row)}>
            {row.state === 'submitted' ? t('审核') : t('查看')}
          </button>
        </span>
      ),
    },
  ]
}
