import type { ReactNode } from 'react'
import { auditDifferences, type AuditDifference } from '@saddle/contract/audit/differences.ts'
import type { AuditRecord, AuditNames } from '@saddle/contract/audit/records.ts'
import { dateTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'

export const changesOf = (line: AuditRecord, names: AuditNames): readonly AuditDifference[] =>
  auditDifferences({ before: line.before, after: line.after, names, say: (words) => t(words), time: dateTime })

const shown = 2

/** The first changes of a line in a row of a table. */
export function Changes({ changes }: { readonly changes: readonly AuditDifference[] }): ReactNode {
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
