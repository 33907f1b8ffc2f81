import { useState, type ReactNode } from 'react'
import { Link } from 'react-router'
import { taskRuleEndpoints, type TaskRule } from '@saddle/contract/operations/taskRules.ts'
import { taskKindLabels, taskTriggerLabels } from '@saddle/contract/operations/taskWords.ts'
import { useAction } from '#kit/action/useAction.ts'
import type { AnswerOf } from '#kit/api/client.ts'
import { dateTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { Button } from '#kit/plain/Button.tsx'

interface Props {
  readonly areaId: number
  readonly areaName: string
  readonly rules: readonly TaskRule[]
}

/** What the rules would have done in the past week, held against what was really done. */
export function DryRun({ areaId, areaName, rules }: Props): ReactNode {
  const asked = JSON.stringify([areaId, rules])
  const [of, setOf] = useState('')
  const [tried, setTried] = useState<AnswerOf<typeof taskRuleEndpoints.dryRunTaskRules>['data']>()
  const { send, isBusy } = useAction(taskRuleEndpoints.dryRunTaskRules, { onDone: ({ data }) => setTried(data) })
  const found = of === asked ? tried : undefined
  return (
    <div className="work-try">
      <Button
        busy={isBusy}
        onClick={() => {
          setOf(asked)
          setTried(undefined)
          send({ areaId, rules: [...rules] })
        }}
      >
        {t('用过去一周试算 {{area}}', { area: areaName })}
      </Button>
      {found !== undefined && (
        <output className="work-form">
          <p>
            {t(
              '{{vehicles}} 辆车，会产生 {{tasks}} 个任务：其中 {{done}} 个与实际完成的工作重合，{{vanished}} 个原因自行消失；同期实际完成 {{real}} 个。',
              {
                vehicles: found.vehicles,
                tasks: found.tasks,
                done: found.done,
                vanished: found.vanished,
                real: found.real,
              },
            )}
          </p>
          <div className="work-figures">
            {found.kinds.map((one) => (
              <span key={`${one.trigger} ${one.kind}`}>
                {t(taskTriggerLabels[one.trigger])} → {t(taskKindLabels[one.kind])} <b>{one.tasks}</b>
              </span>
            ))}
          </div>
          <div className="work-figures">
            {found.days.map(({ day, tasks }) => (
              <span key={day}>
                {day} <b>{tasks}</b>
              </span>
            ))}
          </div>
          {found.examples.length > 0 && (
            <ul className="work-people">
              {found.examples.slice(0, 10).map((one) => (
                <li key={`${one.vehicleId} ${one.kind} ${one.openedAt}`} className="work-chip">
                  <Link to={`/vehicle-info?vehicle=${one.number}`}>{one.number}</Link> {t(taskKindLabels[one.kind])}{' '}
                  <time>{dateTime(one.openedAt)}</time>
                </li>
              ))}
            </ul>
          )}
          <small className="work-note">
            {t('按小时回放这一周的电量、骑行、告警、上报与停放，规则每半分钟查看一次，实际会略早。')}
          </small>
        </output>
      )}
    </div>
  )
}
