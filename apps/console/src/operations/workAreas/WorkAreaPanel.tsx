import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { taskKindLabels, taskKinds } from '@saddle/contract/operations/taskWords.ts'
import type { WorkArea } from '@saddle/contract/operations/workAreas.ts'
import { minuteMs } from '@saddle/contract/time.ts'
import { t } from '#kit/i18n/index.ts'
import { DetailPanel } from '#kit/list/DetailPanel.tsx'
import { Button } from '#kit/plain/Button.tsx'
import { Facts } from '#kit/ui/Facts.tsx'
import { spanText } from '../parts/words.ts'

export const tasksOf = (areaId: number, filter: object): string =>
  `/data/operation-tasks?filter=${encodeURIComponent(JSON.stringify({ areaIds: [areaId], ...filter }))}`

/** One area: what is to be done of each kind and by when, and by whom. */
export function WorkAreaPanel({ area, onEdit }: { readonly area: WorkArea; readonly onEdit: () => void }): ReactNode {
  const { areaId, kinds, targets, people } = area
  const unfinished = new Map(kinds.map(({ kind, unfinished: count }) => [kind, count]))
  return (
    <DetailPanel
      label={area.areaName}
      title={area.areaName}
      foot={
        <Button look="primary" onClick={onEdit}>
          {t('设置时限与人员')}
        </Button>
      }
    >
      <h3 className="area-title">{t('未完成的任务与时限')}</h3>
      <Facts
        facts={taskKinds.map((kind) => [
          t(taskKindLabels[kind]),
          <span key={kind}>
            <Link to={tasksOf(areaId, { kinds: [kind] })}>
              {t('{{count}} 个未完成', { count: unfinished.get(kind) ?? 0 })}
            </Link>{' '}
            <small className="area-change">
              {t('时限 {{span}}', { span: spanText((targets[kind] ?? 0) * minuteMs) })}
            </small>
          </span>,
        ])}
      />
      <h3 className="area-title">{t('负责人员')}</h3>
      {people.length === 0 ? (
        <p className="area-change">{t('还没有指定负责人员')}</p>
      ) : (
        <Facts
          facts={people.map((person) => [
            person.name,
            <span key={person.operatorId}>
              {person.kinds.length === taskKinds.length
                ? t('所有类型')
                : person.kinds.map((kind) => t(taskKindLabels[kind])).join('、')}{' '}
              <small className="area-change">{t('在手 {{count}} 个', { count: person.unfinished })}</small>
            </span>,
          ])}
        />
      )}
    </DetailPanel>
  )
}
