import Select from 'antd/es/select'
import type { ReactNode } from 'react'
import { taskEndpoints } from '@saddle/contract/operations/tasks.ts'
import { taskKindLabels, taskKinds, type TaskKind } from '@saddle/contract/operations/taskWords.ts'
import { workAreaEndpoints, workAreaPeopleMax, type WorkArea } from '@saddle/contract/operations/workAreas.ts'
import type { Field } from '#kit/form/field.ts'
import { FormDialog } from '#kit/form/FormDialog.tsx'
import { number } from '#kit/form/textFields.tsx'
import { t } from '#kit/i18n/index.ts'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'

interface Props {
  readonly area: WorkArea
  readonly onClose: () => void
}

interface Assigned {
  readonly operatorId: number
  readonly kinds: readonly TaskKind[]
}
interface Worker {
  readonly operatorId: number
  readonly name: string
}

type TargetName = `${TaskKind}Minutes`
const targetName = (kind: TaskKind): TargetName => `${kind}Minutes`

/** Within which time work is to be done in an area, and by whom. */
export default function WorkAreaForm({ area, onClose }: Props): ReactNode {
  const { areaId, areaName, version } = area
  const { data } = useEndpoint(taskEndpoints.taskWorkers, { areaIds: [areaId] })
  const workers: readonly Worker[] = [...(data?.data.list ?? []), ...area.people]
  const targets = Object.fromEntries(
    taskKinds.map((kind) => [
      targetName(kind),
      number({
        label: t('{{kind}}时限', { kind: t(taskKindLabels[kind]) }),
        unit: t('分钟'),
        initial: area.targets[kind] ?? 0,
        at: `targets.${kind}`,
      }),
    ]),
  ) as Record<TargetName, ReturnType<typeof number>>
  return (
    <FormDialog
      title={t('{{area}}：时限与人员', { area: areaName })}
      widthPx={560}
      call={workAreaEndpoints.saveWorkArea}
      about={areaId}
      fields={{ ...targets, people: assigned(area, workers) }}
      input={({ people, ...minutes }) => ({
        areaId,
        version,
        targets: Object.fromEntries(taskKinds.map((kind) => [kind, minutes[targetName(kind)]])) as Record<
          TaskKind,
          number
        >,
        people,
      })}
      stale={[workAreaEndpoints.listWorkAreas]}
      done={() => t('已保存 {{area}} 的设置', { area: areaName })}
      submit={t('保存 {{area}} 的设置', { area: areaName })}
      onClose={onClose}
    />
  )
}

type People = { operatorId: number; kinds: TaskKind[] }[]

/** Who does which kinds of work; people who do none are omitted. */
function assigned(area: WorkArea, workers: readonly Worker[]): Field<readonly Assigned[], People> {
  return {
    label: t('负责人员'),
    hint: t('指定后，这些类型的任务只由指定人员领取；派发不受此限。'),
    isGroup: true,
    initial: area.people.map(({ operatorId, kinds }) => ({ operatorId, kinds })),
    read: (people) => ({
      value: people
        .filter(({ kinds }) => kinds.length > 0)
        .map(({ operatorId, kinds }) => ({ operatorId, kinds: [...kinds] })),
    }),
    control: ({ value, onChange }) => <Assignment value={value} workers={workers} onChange={onChange} />,
  }
}

interface AssignmentProps {
  readonly value: readonly Assigned[]
  readonly workers: readonly Worker[]
  readonly onChange: (value: readonly Assigned[]) => void
}

function Assignment({ value, workers, onChange }: AssignmentProps) {
  const nameOf = (id: number): string => workers.find(({ operatorId }) => operatorId === id)?.name ?? `#${id}`
  const others = workers.filter(({ operatorId }) => value.every((one) => one.operatorId !== operatorId))
  return (
    <div className="area-people">
      {value.map((person) => {
        const name = nameOf(person.operatorId)
        return (
          <div key={person.operatorId} className="area-person">
            <strong>{name}</strong>
            <Select<TaskKind[]>
              mode="multiple"
              className="form-select"
              aria-label={t('{{name}} 负责的任务', { name })}
              value={[...person.kinds]}
              options={taskKinds.map((kind) => ({ value: kind, label: t(taskKindLabels[kind]) }))}
              onChange={(kinds) => onChange(value.map((one) => (one === person ? { ...one, kinds } : one)))}
            />
            <Button look="quiet" onClick={() => onChange(value.filter((one) => one !== person))}>
              {t('移除')}
            </Button>
          </div>
        )
      })}
      {value.length < workAreaPeopleMax && (
        <Select<number>
          className="form-select"
          aria-label={t('添加人员')}
          placeholder={t('添加人员')}
          showSearch={{ optionFilterProp: 'label' }}
          value={null}
          options={others.map(({ operatorId, name }) => ({ value: operatorId, label: name }))}
          onChange={(operatorId: number) => onChange([...value, { operatorId, kinds: [...taskKinds] }])}
        />
      )}
    </div>
  )
}
