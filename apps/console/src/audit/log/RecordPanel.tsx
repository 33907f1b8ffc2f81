import type { ReactNode } from 'react'
import { auditActionTitle } from '@saddle/contract/audit/actions.ts'
import type { AuditFilter, AuditRecord } from '@saddle/contract/audit/records.ts'
import { dateTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { DetailPanel } from '#kit/list/DetailPanel.tsx'
import { Button } from '#kit/plain/Button.tsx'
import { Facts } from '#kit/ui/Facts.tsx'
import { Change, changesOf } from './Changes.tsx'
import { Subject, who } from './parts.tsx'

interface Props {
  readonly record: AuditRecord
  /** Shows the records of one person or one thing. */
  readonly onNarrow: (filter: AuditFilter) => void
}

/** One record in full: who, when, from where, on what, and every field before and after. */
export function RecordPanel({ record, onNarrow }: Props): ReactNode {
  const changes = changesOf(record)
  const { operatorId, subjectKind, subjectId } = record
  return (
    <DetailPanel
      label={t('日志明细')}
      title={t(auditActionTitle(record.action))}
      foot={
        <>
          {operatorId !== null && <Button onClick={() => onNarrow({ operatorId })}>{t('此人的全部日志')}</Button>}
          {subjectId !== '' && (
            <Button onClick={() => onNarrow({ subjectKind, subjectId })}>{t('此对象的全部日志')}</Button>
          )}
        </>
      }
    >
      <Facts
        facts={[
          [t('时间'), dateTime(record.at)],
          [t('人员'), who(record)],
          [t('公司'), record.company],
          [t('对象'), <Subject key="subject" record={record} />],
          [t('来源地址'), record.address ?? '--'],
          [t('请求编号'), record.requestId ?? '--'],
          // A command is no record of the chain and has a number of its own.
          ...(record.id > 0 ? [[t('日志编号'), record.id] as const] : []),
        ]}
      />
      <h3 className="log-title">{t('变更')}</h3>
      {changes.length === 0 ? (
        <p>{t('没有记录字段的变化')}</p>
      ) : (
        <Facts facts={changes.map((change) => [change.title, <Change key={change.field} change={change} />])} />
      )}
    </DetailPanel>
  )
}
