import type { ReactNode } from 'react'
import { auditActionTitle } from '@saddle/contract/audit/actions.ts'
import { auditEndpoints, type AuditFilter, type AuditRecord } from '@saddle/contract/audit/records.ts'
import type { LogCategory } from '@saddle/contract/audit/subjects.ts'
import { t } from '#kit/i18n/index.ts'
import { ListPage } from '#kit/list/ListPage.tsx'
import type { ColumnSpec } from '#kit/list/table/columns.tsx'
import { useList } from '#kit/list/useList.ts'
import { useEndpoint } from '#kit/query.ts'
import { Changes } from './Changes.tsx'
import { logFilters, useCompanies } from './filters.tsx'
import { logs } from './logs.ts'
import { RecordPanel } from './RecordPanel.tsx'
import { Subject, who } from './parts.tsx'
import './log.css'

const refreshEveryMs = 30_000

interface Props {
  readonly category: LogCategory
  readonly title: string
  readonly actions?: ReactNode
}

/** One log: who did what to what. */
export function LogPage({ category, title, actions }: Props): ReactNode {
  const list = useList(logs[category], { refreshEveryMs })
  const companies = useCompanies()
  const narrow = (filter: AuditFilter) => list.ask(new URLSearchParams({ filter: JSON.stringify(filter) }).toString())
  return (
    <ListPage
      list={list}
      title={title}
      actions={actions}
      above={<SubjectNote category={category} subject={list.filter.subject ?? ''} />}
      filters={logFilters({ category, companies, rows: list.rows ?? [] })}
      columns={columns}
      rowName={({ action }) => t(auditActionTitle(action))}
      empty={t('还没有日志')}
      renderPanel={(record, { close }) => (
        <RecordPanel
          key={record.id}
          record={record}
          onNarrow={(filter) => {
            close()
            narrow(filter)
          }}
        />
      )}
    />
  )
}

/** Said when the text stands for more things than are searched for. */
function SubjectNote({ category, subject }: { readonly category: LogCategory; readonly subject: string }) {
  const { data } = useEndpoint(
    auditEndpoints.logSubjects,
    { category, subject },
    { enabled: subject !== '', quiet: true },
  )
  if (subject === '' || data?.data.isCut !== true) return null
  return <p className="log-note">{t('符合的对象很多，只显示其中一部分的日志，请输入更完整的名称')}</p>
}

const columns = (): readonly ColumnSpec<AuditRecord>[] => [
  { key: 'at', card: 'head' },
  { key: 'operatorName', render: who },
  { key: 'action', card: 'head' },
  { key: 'subjectKind', render: (record) => <Subject record={record} /> },
  { key: 'changes', title: t('变更'), card: 'wide', render: (record) => <Changes record={record} /> },
  { key: 'company', card: 'none' },
  { key: 'address', card: 'none' },
  { key: 'requestId', isOptional: true },
]
