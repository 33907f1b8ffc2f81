import { lazy, Suspense, useState, type ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import { auditEndpoints, type AuditFilter, type AuditRecord, type AuditNames } from '@saddle/contract/audit/records.ts'
import { auditActionTitle, type LogCategory } from '@saddle/contract/audit/words.ts'
import { call } from '#kit/api/client.ts'
import { loadChunk } from '#kit/chunk.tsx'
import { dateTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { DataTable, type Column } from '#kit/list/DataTable.tsx'
import { ExportButton } from '#kit/list/ExportButton.tsx'
import { Pager } from '#kit/list/Pager.tsx'
import { usePages } from '#kit/list/usePages.ts'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { useScope } from '#kit/session/scope.ts'
import { Empty } from '#kit/ui/states.tsx'
import { changesOf, Changes } from './Changes.tsx'
import { readFilter, writeFilter } from './link.ts'
import { LogFilter } from './LogFilter.tsx'
import { Subject, who } from './parts.tsx'
import './log.css'

const RecordDrawer = lazy(() => loadChunk(() => import('./RecordDrawer.tsx')))

const calls = {
  operator: auditEndpoints.userLogs,
  vehicle: auditEndpoints.vehicleLogs,
  device: auditEndpoints.deviceLogs,
} as const
const pageSize = 50
const refreshEveryMs = 30_000

interface Props {
  readonly category: LogCategory
  readonly title: string
  readonly actions?: ReactNode
  readonly children?: ReactNode
}

/** One log: who did what to what, newest first. The address holds what is asked for. */
export function LogPage({ category, title, actions, children }: Props): ReactNode {
  const [params, setParams] = useSearchParams()
  const text = params.get('filter')
  const filter = readFilter(text)
  const { scopeKey } = useScope()
  const pages = usePages(`${text ?? ''} ${scopeKey}`)
  const [open, setOpen] = useState<AuditRecord | null>(null)
  const input = { filter, pageSize, ...(pages.cursor !== undefined && { cursor: pages.cursor }) }
  const reading = useEndpoint(calls[category], input, {
    keepPrevious: true,
    // A page further back stays as it is while somebody reads it.
    ...(pages.cursor === undefined && { refetchIntervalMs: refreshEveryMs }),
  })
  const page = reading.data?.data
  const names = page?.names ?? {}
  const setFilter = (next: AuditFilter) => {
    const written = writeFilter(next)
    setParams(written === null ? {} : { filter: written })
  }
  return (
    <div className="page">
      <header className="page-head">
        <h1>{title}</h1>
        {actions}
        <ExportButton
          onExport={async (at, signal) =>
            (await call(auditEndpoints.exportLogs, { category, filter, ...at }, { signal })).data
          }
        />
      </header>
      <LogFilter category={category} filter={filter} names={names} onFilter={setFilter} />
      <section className="page-card">
        {page?.isSubjectCut === true && (
          <p className="log-note">{t('符合的对象很多，只显示其中一部分的日志，请输入更完整的名称')}</p>
        )}
        <DataTable<AuditRecord>
          label={title}
          columns={columnsOf({ names, onOpen: setOpen })}
          rows={page?.list}
          rowKey={(line) => line.id}
          loading={reading.isPlaceholderData}
          error={reading.error}
          onRetry={() => void reading.refetch()}
          onOpen={setOpen}
          cardHead={headOf}
          empty={
            <Empty
              title={t('没有符合条件的日志')}
              action={<Button onClick={() => setFilter({})}>{t('清除条件')}</Button>}
            />
          }
        />
        <Pager
          page={pages.page}
          hasNext={page !== undefined && page.nextCursor !== null}
          count={null}
          busy={reading.isPlaceholderData}
          onPrevious={pages.previous}
          onNext={() => pages.next(page?.nextCursor ?? null)}
        />
      </section>
      {open !== null && (
        <Suspense fallback={null}>
          <RecordDrawer
            line={open}
            names={names}
            onClose={() => setOpen(null)}
            onFilter={(next) => {
              setOpen(null)
              setFilter(next)
            }}
          />
        </Suspense>
      )}
      {children}
    </div>
  )
}

function columnsOf(options: {
  names: AuditNames
  onOpen: (line: AuditRecord) => void
}): readonly Column<AuditRecord>[] {
  const { names, onOpen } = options
  return [
    { key: 'at', title: t('时间'), inHead: true, render: (line) => dateTime(line.at) },
    { key: 'who', title: t('人员'), render: who },
    { key: 'action', title: t('动作'), inHead: true, render: (line) => t(auditActionTitle(line.action)) },
    { key: 'subject', title: t('对象'), render: (line) => <Subject line={line} /> },
    { key: 'changes', title: t('变更'), render: (line) => <Changes changes={changesOf(line, names)} /> },
    { key: 'company', title: t('公司'), render: (line) => line.company },
    { key: 'address', title: t('来源地址'), render: (line) => line.address ?? '--' },
    {
      key: 'open',
      title: t('操作'),
      render: (line) => (
        <Button look="quiet" onClick={() => onOpen(line)}>
          {t('详情')}
        </Button>
      ),
    },
  ]
}

const headOf = (line: AuditRecord): ReactNode => (
  <span className="log-head">
    <strong>{t(auditActionTitle(line.action))}</strong>
    <time>{dateTime(line.at)}</time>
  </span>
)
