import Select from 'antd/es/select'
import { useState, type ReactNode } from 'react'
import {
  suggestedTaskRules,
  taskRuleEndpoints,
  taskRulesMax,
  taskRulesSchema,
  type TaskRule,
} from '@saddle/contract/operations/taskRules.ts'
import {
  taskKindLabels,
  taskKinds,
  taskPriorities,
  taskPriorityLabels,
  taskTriggerLabels,
  taskTriggers,
  type TaskTrigger,
} from '@saddle/contract/operations/taskWords.ts'
import { alarmKindLabels } from '@saddle/contract/fleet/vehicles.ts'
import { useAction } from '#kit/action/useAction.ts'
import { LeaveGuard } from '#kit/form/LeaveGuard.tsx'
import { t } from '#kit/i18n/index.ts'
import { Button } from '#kit/plain/Button.tsx'
import { DryRun } from './DryRun.tsx'

interface Props {
  readonly areas: readonly { readonly areaId: number; readonly areaName: string; readonly version: number }[]
  readonly from: readonly TaskRule[]
  readonly onClose: () => void
  readonly onSaved: () => void
}

const fresh = { enabled: true, priority: 2, dueMinutes: null, atMost: 100 } as const
const usual: Readonly<Record<TaskTrigger, TaskRule>> = {
  low_battery: { ...fresh, trigger: 'low_battery', kind: 'battery_swap', belowPercent: 20 },
  idle: { ...fresh, trigger: 'idle', kind: 'move', hours: 48 },
  alarm: { ...fresh, trigger: 'alarm', kind: 'inspect', alarms: ['fall'] },
  fault: { ...fresh, trigger: 'fault', kind: 'repair', reports: 1 },
  outside_area: { ...fresh, trigger: 'outside_area', kind: 'retrieve', minutes: 15 },
  overfull_place: { ...fresh, trigger: 'overfull_place', kind: 'move', percent: 150 },
  empty_place: { ...fresh, trigger: 'empty_place', kind: 'relocate', below: 2 },
}

/** The rules of some areas as the next version: changed, tried on the past week, published. */
export function RuleEditor({ areas, from, onClose, onSaved }: Props): ReactNode {
  const [rules, setRules] = useState<readonly TaskRule[]>(from)
  const [note, setNote] = useState('')
  const { send, isBusy } = useAction(taskRuleEndpoints.saveTaskRules, {
    stale: [taskRuleEndpoints.listTaskRules],
    done: ({ data }) => t('已为 {{count}} 个服务区发布规则', { count: data.versionIds.length }),
    onDone: onSaved,
  })
  const isChanged = rules !== from || note.trim() !== ''
  const isValid = taskRulesSchema.safeParse(rules).success
  const [first] = areas
  const put = (index: number, rule: TaskRule | null) =>
    setRules(rules.flatMap((one, at) => (at === index ? (rule === null ? [] : [rule]) : [one])))
  return (
    <section className="page-card work-panel" aria-label={t('任务规则')}>
      <LeaveGuard isDirty={isChanged} isKept={false} />
      <header>
        <strong>{t('{{areas}} 的规则', { areas: areas.map(({ areaName }) => areaName).join('、') })}</strong>
        <Button look="quiet" onClick={() => setRules(suggestedTaskRules)}>
          {t('填入常用规则')}
        </Button>
      </header>
      <ul className="work-rules">
        {rules.map((rule, index) => (
          // Rules are told apart by their place alone: two may say the same.
          // oxlint-disable-next-line react/no-array-index-key -- see above
          <RuleRow key={index} rule={rule} onChange={(next) => put(index, next)} />
        ))}
      </ul>
      {rules.length < taskRulesMax && (
        <Select<TaskTrigger>
          className="filter-select"
          aria-label={t('添加规则')}
          placeholder={t('添加规则')}
          value={null}
          options={taskTriggers.map((value) => ({ value, label: t(taskTriggerLabels[value]) }))}
          onChange={(trigger: TaskTrigger) => setRules([...rules, usual[trigger]])}
        />
      )}
      {!isValid && <p role="alert">{t('请填写有效的数字')}</p>}
      {isValid && first !== undefined && <DryRun areaId={first.areaId} areaName={first.areaName} rules={rules} />}
      <input
        className="text-input"
        value={note}
        maxLength={200}
        aria-label={t('修改说明（选填）')}
        placeholder={t('修改说明（选填）')}
        onChange={(event) => setNote(event.target.value)}
      />
      <div className="work-foot">
        <Button onClick={onClose}>{t('取消')}</Button>
        <Button
          look="primary"
          busy={isBusy}
          disabled={!isValid}
          onClick={() =>
            send({
              areas: areas.map(({ areaId, version }) => ({ areaId, version })),
              rules: [...rules],
              note: note.trim(),
            })
          }
        >
          {t('为 {{count}} 个服务区发布', { count: areas.length })}
        </Button>
      </div>
    </section>
  )
}

function RuleRow({ rule, onChange }: { readonly rule: TaskRule; readonly onChange: (rule: TaskRule | null) => void }) {
  return (
    <li className="work-rule" data-off={!rule.enabled}>
      <header>
        <strong>{t(taskTriggerLabels[rule.trigger])}</strong>
        <label className="filter-number">
          <input
            type="checkbox"
            checked={rule.enabled}
            onChange={(event) => onChange({ ...rule, enabled: event.target.checked })}
          />
          {t('启用')}
        </label>
        <Button look="quiet" onClick={() => onChange(null)}>
          {t('移除')}
        </Button>
      </header>
      <div className="work-pair">
        <Condition rule={rule} onChange={onChange} />
        <label>
          {t('创建任务')}
          <Select
            className="filter-select"
            value={rule.kind}
            options={taskKinds.map((value) => ({ value, label: t(taskKindLabels[value]) }))}
            onChange={(kind) => onChange({ ...rule, kind })}
          />
        </label>
        <label>
          {t('优先级')}
          <Select
            className="filter-select"
            value={rule.priority}
            options={taskPriorities.map((value) => ({ value, label: t(taskPriorityLabels[value]) }))}
            onChange={(priority) => onChange({ ...rule, priority })}
          />
        </label>
        <Whole
          label={t('时限（分钟，留空按服务区）')}
          value={rule.dueMinutes}
          onChange={(dueMinutes) => onChange({ ...rule, dueMinutes })}
        />
        <Whole
          label={t('同时最多（个）')}
          value={rule.atMost}
          onChange={(atMost) => onChange({ ...rule, atMost: atMost ?? 0 })}
        />
      </div>
    </li>
  )
}

function Condition({ rule, onChange }: { readonly rule: TaskRule; readonly onChange: (rule: TaskRule) => void }) {
  switch (rule.trigger) {
    case 'low_battery':
      return (
        <Whole
          label={t('电量低于（%）')}
          value={rule.belowPercent}
          onChange={(value) => onChange({ ...rule, belowPercent: value ?? 0 })}
        />
      )
    case 'idle':
      return (
        <Whole
          label={t('无人骑行满（小时）')}
          value={rule.hours}
          onChange={(value) => onChange({ ...rule, hours: value ?? 0 })}
        />
      )
    case 'alarm':
      return (
        <label>
          {t('告警类型')}
          <Select<string[]>
            mode="tags"
            className="filter-select"
            value={rule.alarms}
            options={Object.entries(alarmKindLabels).map(([value, label]) => ({
              value,
              label: t(label, { context: 'alarm' }),
            }))}
            onChange={(alarms) => onChange({ ...rule, alarms })}
          />
        </label>
      )
    case 'fault':
      return (
        <Whole
          label={t('上报满（次）')}
          value={rule.reports}
          onChange={(value) => onChange({ ...rule, reports: value ?? 0 })}
        />
      )
    case 'outside_area':
      return (
        <Whole
          label={t('驶出满（分钟）')}
          value={rule.minutes}
          onChange={(value) => onChange({ ...rule, minutes: value ?? -1 })}
        />
      )
    case 'overfull_place':
      return (
        <Whole
          label={t('达到容量的（%）')}
          value={rule.percent}
          onChange={(value) => onChange({ ...rule, percent: value ?? 0 })}
        />
      )
    case 'empty_place':
      return (
        <Whole
          label={t('少于（辆）')}
          value={rule.below}
          onChange={(value) => onChange({ ...rule, below: value ?? 0 })}
        />
      )
  }
}

interface WholeProps {
  readonly label: string
  readonly value: number | null
  readonly onChange: (value: number | null) => void
}

/** A whole number; nothing typed is no number. */
function Whole({ label, value, onChange }: WholeProps) {
  return (
    <label>
      {label}
      <input
        className="text-input"
        type="number"
        inputMode="numeric"
        value={value ?? ''}
        onChange={(event) => onChange(event.target.value === '' ? null : Math.trunc(Number(event.target.value)))}
      />
    </label>
  )
}
