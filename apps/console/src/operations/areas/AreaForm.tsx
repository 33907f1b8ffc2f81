import Modal from 'antd/es/modal'
import Select from 'antd/es/select'
import { useState, type ReactNode } from 'react'
import { taskEndpoints } from '@saddle/contract/operations/tasks.ts'
import { taskKindLabels, taskKinds, type TaskKind } from '@saddle/contract/operations/taskWords.ts'
import { targetMinutesMax } from '@saddle/contract/operations/taskTargets.ts'
import { workAreaEndpoints, type WorkArea } from '@saddle/contract/operations/workAreas.ts'
import { t } from '#kit/i18n/index.ts'
import { notify } from '#kit/notify.ts'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { useSend } from '../parts/useSend.ts'

const targetMin = 5

/** Within which time work is to be done in an area, and by whom. */
export default function AreaForm({
  area,
  onClose,
}: {
  readonly area: WorkArea
  readonly onClose: () => void
}): ReactNode {
  const { areaId } = area
  const [targets, setTargets] = useState(area.targets)
  const [people, setPeople] = useState(() =>
    area.people.map(({ operatorId, kinds }) => ({ operatorId, kinds: [...kinds] })),
  )
  const { data } = useEndpoint(taskEndpoints.taskWorkers, { areaIds: [areaId] })
  const workers = data?.data.list ?? []
  const nameOf = (operatorId: number): string =>
    workers.find((one) => one.operatorId === operatorId)?.name ??
    area.people.find((one) => one.operatorId === operatorId)?.name ??
    ''
  const { send, isPending } = useSend(workAreaEndpoints.saveWorkArea, {
    invalidates: [workAreaEndpoints.listWorkAreas],
    onSuccess: () => {
      notify.success({ text: t('已保存 {{area}} 的设置', { area: area.areaName }) })
      onClose()
    },
  })
  const isValid = taskKinds.every((kind) => {
    const minutes = targets[kind] ?? 0
    return Number.isInteger(minutes) && minutes >= targetMin && minutes <= targetMinutesMax
  })
  return (
    <Modal open title={t('{{area}}：时限与人员', { area: area.areaName })} width={560} footer={null} onCancel={onClose}>
      <form
        className="work-form"
        onSubmit={(event) => {
          event.preventDefault()
          if (isValid) send({ areaId, version: area.version, targets, people })
        }}
      >
        <h3>{t('完成时限（分钟）')}</h3>
        <div className="work-pair">
          {taskKinds.map((kind) => (
            <label key={kind}>
              {t(taskKindLabels[kind])}
              <input
                className="filter-keyword"
                type="number"
                inputMode="numeric"
                value={targets[kind] ?? ''}
                onChange={(event) => setTargets({ ...targets, [kind]: Number(event.target.value) })}
              />
            </label>
          ))}
        </div>
        {!isValid && (
          <p role="alert">{t('时限须在 {{min}} 到 {{max}} 分钟之间', { min: targetMin, max: targetMinutesMax })}</p>
        )}
        <h3>{t('负责人员')}</h3>
        <p className="work-note">{t('指定后，这些类型的任务只由指定人员领取；派发不受此限。')}</p>
        {people.map((person) => (
          <div key={person.operatorId} className="work-bar">
            <strong>{nameOf(person.operatorId)}</strong>
            <Select<TaskKind[]>
              mode="multiple"
              className="filter-select"
              aria-label={t('{{name}} 负责的任务', { name: nameOf(person.operatorId) })}
              value={person.kinds}
              options={taskKinds.map((value) => ({ value, label: t(taskKindLabels[value]) }))}
              onChange={(kinds) =>
                setPeople(
                  kinds.length === 0
                    ? people.filter((one) => one !== person)
                    : people.map((one) => (one === person ? { ...one, kinds } : one)),
                )
              }
            />
            <Button look="quiet" onClick={() => setPeople(people.filter((one) => one !== person))}>
              {t('移除')}
            </Button>
          </div>
        ))}
        <Select<number>
          className="filter-select"
          aria-label={t('添加人员')}
          placeholder={t('添加人员')}
          showSearch={{ optionFilterProp: 'label' }}
          value={null}
          options={workers
            .filter(({ operatorId }) => people.every((one) => one.operatorId !== operatorId))
            .map(({ operatorId, name }) => ({ value: operatorId, label: name }))}
          onChange={(operatorId: number) => setPeople([...people, { operatorId, kinds: [...taskKinds] }])}
        />
        <div className="work-foot">
          <Button onClick={onClose}>{t('取消')}</Button>
          <Button type="submit" look="primary" busy={isPending} disabled={!isValid}>
            {t('保存 {{area}} 的设置', { area: area.areaName })}
          </Button>
        </div>
      </form>
    </Modal>
  )
}
