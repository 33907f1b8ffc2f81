import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { auditSubjectName, type AuditRecord } from '@saddle/contract/audit/records.ts'
import { auditSubjectTitle } from '@saddle/contract/audit/subjects.ts'
import { t } from '#kit/i18n/index.ts'
import { usePermissions } from '#kit/session/permissions.ts'
import { subjectLink } from './link.ts'

/** The person; the system where nobody acted. */
export function who(record: AuditRecord): string {
  if (record.operatorId === null) return record.operatorName === null ? t('系统') : t(record.operatorName)
  return record.operatorName ?? `#${record.operatorId}`
}

/** What the record is about, leading to its page where the reader may open it. */
export function Subject({ record }: { readonly record: AuditRecord }): ReactNode {
  const { held } = usePermissions()
  const to = subjectLink(record, held)
  // Codes of batches, exports and calls say nothing to a person.
  const name = auditSubjectName(record) ?? (/^\d+$/.test(record.subjectId) ? `#${record.subjectId}` : '')
  return (
    <span className="log-subject">
      <small>{t(auditSubjectTitle(record.subjectKind))}</small> {to === null ? name : <Link to={to}>{name}</Link>}
    </span>
  )
}
