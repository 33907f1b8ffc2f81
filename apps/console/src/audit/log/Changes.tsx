import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { auditDifferences, type AuditDifference } from '@saddle/contract/audit/differences.ts'
import { auditReferences } from '@saddle/contract/audit/fields.ts'
import type { AuditRecord } from '@saddle/contract/audit/records.ts'
import { dateTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { wordsOfReason } from '#kit/i18n/reason.ts'
import { usePermissions } from '#kit/session/permissions.ts'
import { valueLink } from './link.ts'

export const changesOf = ({ before, after, names }: AuditRecord): readonly AuditDifference[] =>
  auditDifferences({ before, after, names, say: (words) => t(words), time: dateTime })

const shown = 3

/** The first changes of a record in a row of a table, without what its other columns say. */
export function Changes({ record }: { readonly record: AuditRecord }): ReactNode {
  const changes = changesOf(record).filter((change) => !isSaid(record, change))
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

function isSaid({ after, subjectKind, subjectId, subjectName }: AuditRecord, change: AuditDifference): boolean {
  const { field } = change
  // Its number says nothing beside what the command did; the panel has it.
  if (field === 'commandId') return true
  if (auditReferences[field] === subjectKind && String(after?.[field]) === subjectId) return true
  return subjectName !== null && change.before === null && change.after === subjectName
}

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
  if (before === null) return after === null ? null : <Value field={change.field} text={after} />
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

/** What a field was set to; a vehicle and the ride of a command lead to their pages. */
function Value({ field, text }: { readonly field: string; readonly text: string }) {
  const { held } = usePermissions()
  const words = field === 'reason' ? wordsOfReason(text) : text
  const to = valueLink(field, text, held)
  return to === null ? words : <Link to={to}>{words}</Link>
}
