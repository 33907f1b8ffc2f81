import type { ReactNode } from 'react'
import { emptyText } from '@saddle/contract/constants.ts'
import type { Task } from '@saddle/contract/operations/tasks.ts'
import { serverNow } from '#kit/clock.ts'
import { t } from '#kit/i18n/index.ts'
import { spanText } from '../parts/words.ts'

/** When it is to be done, and whether it is late. */
export function Due({ task: { dueAt, doneAt } }: { readonly task: Task }): ReactNode {
  if (dueAt === null) return emptyText
  const at = doneAt ?? serverNow()
  if (at <= dueAt) return doneAt === null ? t('剩余 {{span}}', { span: spanText(dueAt - at) }) : t('按时')
  return <span className="work-late">{t('超时 {{span}}', { span: spanText(at - dueAt) })}</span>
}
