import Drawer from 'antd/es/drawer'
import type { ReactNode } from 'react'
import type { AuditFilter, AuditRecord, AuditNames } from '@saddle/contract/audit/records.ts'
import { auditActionTitle } from '@saddle/contract/audit/words.ts'
import { dateTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { Button } from '#kit/plain/Button.tsx'
import { Change, changesOf } from './Changes.tsx'
import { Subject, who } from './parts.tsx'

interface Props {
  readonly line: AuditRecord
  readonly names: AuditNames
  readonly onClose: () => void
  readonly onFilter: (filter: AuditFilter) => void
}

const widthPx = 520

/** One line in full: who, when, from where, on what, and every field before and after. */
export default function RecordDrawer({ line, names, onClose, onFilter }: Props): ReactNode {
  const changes = changesOf(line, names)
  const { operatorId, subjectKind, subjectId } = line
  const facts: readonly (readonly [title: string, value: ReactNode])[] = [
    [t('时间'), dateTime(line.at)],
    [t('人员'), who(line)],
    [t('公司'), line.company],
    [t('对象'), <Subject key="subject" line={line} />],
    [t('来源地址'), line.address ?? '--'],
    [t('请求编号'), line.requestId ?? '--'],
    [t('日志编号'), line.id],
  ]
  return (
    <Drawer
      open
      size={Math.min(widthPx, globalThis.innerWidth)}
      title={t(auditActionTitle(line.action))}
      onClose={onClose}
    >
      <div className="log-line">
        <dl>
          {facts.map(([title, value]) => (
            <div key={title}>
              <dt>{title}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
        <h3>{t('变更')}</h3>
        {changes.length === 0 ? (
          <p>{t('没有记录字段的变化')}</p>
        ) : (
          <dl>
            {changes.map((change) => (
              <div key={change.field}>
                <dt>{change.title}</dt>
                <dd>
                  <Change change={change} />
                </dd>
              </div>
            ))}
          </dl>
        )}
        <footer>
          {operatorId !== null && <Button onClick={() => onFilter({ operatorId })}>{t('此人的全部日志')}</Button>}
          {subjectId !== '' && (
            <Button onClick={() => onFilter({ subjectKind, subjectId })}>{t('此对象的全部日志')}</Button>
          )}
        </footer>
      </div>
    </Drawer>
  )
}
