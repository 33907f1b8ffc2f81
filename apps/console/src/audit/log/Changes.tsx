import type { ReactNode } from 'react'
import { auditDifferences, type AuditDifference } from '@saddle/contract/audit/differences.ts'
import { auditReferences } from '@saddle/contract/audit/fields.ts'
import type { AuditRecord } from '@saddle/contract/audit/records.ts'
import { dateTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'

export const changesOf = ({ before, after, names }: AuditRecord): readonly AuditDifference[] =>
  auditDifferences({ before, after, names, say: (words) => t(words), time: dateTime })

const shown = 2

/** The first changes of a record in a row of a table, without the subject itself: it has a column of its own. */
export function Changes({ record }: { readonly record: AuditRecord }): ReactNode {
  const changes = changesOf(record).filter(({ field }) => !isSubject(record, field))
  if (changes.length === 0) return '--'
  return (
    <span className="log-changes">
      {changes.slice(0, shown).map((change) => (
        <span key={change.field}>
          <small>{change.title}</small> <Change change={change} />
        </span>
      ))}
      {changes.length > shown && <small>{t('另有 {{count}} 项', { count: changes.length - shown })}</small>}
    </span>
  )
}

const isSubject = ({ after, subjectKind, subjectId }: AuditRecord, field: string): boolean =>
  auditReferences[field] === subjectKind && String(after?.[field]) === subjectId

/** From what to what; of a list, what left and what came. */
export function Change({ change }: { readonly change: AuditDifference }): ReactNode {
  const { before, after, isList } = change
  if (isList) {
    return (
      <>
        {before !== null && <del>{t('移除：{{what}}', { what: before })}</del>}
        {before !== null && after !== null && ' '}
        {after !== null && <ins>{t('新增：{{what}}', { what: after })}</ins>}
      </>
    )
  }
  if (before === null) return after
  return (
    <>
      <del>{before}</del>
      {after !== null && (
        <>
          <span aria-hidden="true"> → </span>
          <ins>{after}</ins>
        </>
      )}
    </>
  )
}
