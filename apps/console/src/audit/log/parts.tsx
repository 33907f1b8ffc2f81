import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { AuditRecord } from '@saddle/contract/audit/records.ts'
import { auditSubjectTitle } from '@saddle/contract/audit/words.ts'
import { t } from '#kit/i18n/index.ts'
import { usePermissions } from '#kit/session/permissions.ts'
import { placeOf } from './link.ts'

/** The person; the system where nobody acted. */
export function who(line: AuditRecord): string {
  if (line.operatorId === null) return line.operatorName === null ? t('系统') : t(line.operatorName)
  return line.operatorName ?? `#${line.operatorId}`
}

/** What the line is about, leading to its page where the reader may open it. */
export function Subject({ line }: { readonly line: AuditRecord }): ReactNode {
  const { held } = usePermissions()
  const to = placeOf(line, held)
  // Codes of batches, exports and calls say nothing to a person.
  const name = line.subjectName ?? (/^\d+$/.test(line.subjectId) ? `#${line.subjectId}` : '')
  return (
    <span className="log-subject">
      <small>{t(auditSubjectTitle(line.subjectKind))}</small> {to === null ? name : <Link to={to}>{name}</Link>}
    </span>
  )
}
