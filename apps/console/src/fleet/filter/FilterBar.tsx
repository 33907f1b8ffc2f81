import InputNumber from 'antd/es/input-number'
import { useState, type ReactNode } from 'react'
import { searchEndpoints, type VehicleFilter } from '@saddle/contract/fleet/search.ts'
import { deviceProtocolLabels, deviceProtocols } from '@saddle/contract/fleet/protocols.ts'
import { alarmKindLabels, vehicleStateLabels, vehicleStates } from '@saddle/contract/fleet/vehicles.ts'
import { taskKindLabels, taskKinds } from '@saddle/contract/operations/taskWords.ts'
import { t } from '#kit/i18n/index.ts'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { Areas, Many, One } from '#kit/list/Choices.tsx'
import { conditionCount } from './link.ts'

interface Props {
  readonly filter: VehicleFilter
  readonly onFilter: (filter: VehicleFilter) => void
  /** All conditions at once instead of one row with the rest folded. */
  readonly unfolded?: boolean
  readonly children?: ReactNode
}

/** Which vehicles: one row of the usual conditions, the rest unfolds. */
export function FilterBar({ filter, onFilter, unfolded, children }: Props): ReactNode {
  const [open, setOpen] = useState(unfolded === true)
  const change = (part: Partial<Record<keyof VehicleFilter, unknown>>) => {
    onFilter(Object.fromEntries(Object.entries({ ...filter, ...part }).filter(([, value]) => value !== undefined)))
  }
  const count = conditionCount(filter)
  return (
    <search className="filter-bar" aria-label={t('筛选条件')}>
      <div className="filter-row">
        <Keyword value={filter.keyword ?? ''} onChange={(keyword) => change({ keyword: keyword || undefined })} />
        <Many
          label={t('状态')}
          value={filter.states}
          options={vehicleStates.map((state) => ({ value: state, label: t(vehicleStateLabels[state]) }))}
          onChange={(states) => change({ states })}
        />
        <Areas value={filter.areaIds} onChange={(areaIds) => change({ areaIds })} />
        <Range
          label={t('电量')}
          unit="%"
          max={100}
          value={[filter.batteryFrom, filter.batteryTo]}
          onChange={([batteryFrom, batteryTo]) => change({ batteryFrom, batteryTo })}
        />
        {unfolded !== true && (
          <Button look="quiet" aria-expanded={open} onClick={() => setOpen(!open)}>
            {open ? t('收起') : t('更多条件')}
          </Button>
        )}
        {count > 0 && (
          <Button look="quiet" onClick={() => onFilter({})}>
            {t('清除 {{count}} 个条件', { count })}
          </Button>
        )}
        {children}
      </div>
      {open && <More filter={filter} change={change} />}
    </search>
  )
}

interface MoreProps {
  readonly filter: VehicleFilter
  readonly change: (part: Partial<Record<keyof VehicleFilter, unknown>>) => void
}

function More({ filter, change }: MoreProps) {
  const { data } = useEndpoint(searchEndpoints.vehicleChoices, {}, { staleMs: 300_000, quiet: true })
  const choices = data?.data
  const plain = (names: readonly string[] | undefined) => (names ?? []).map((name) => ({ value: name, label: name }))
  const alarmNames = [...new Set([...Object.keys(alarmKindLabels), ...(choices?.alarms ?? [])])]
  return (
    <div className="filter-row">
      <Range
        label={t('闲置')}
        unit={t('小时')}
        max={8784}
        value={[filter.idleHoursFrom, filter.idleHoursTo]}
        onChange={([idleHoursFrom, idleHoursTo]) => change({ idleHoursFrom, idleHoursTo })}
      />
      <One
        label={t('在线')}
        value={filter.online}
        options={[
          { value: true, label: t('在线') },
          { value: false, label: t('离线') },
        ]}
        onChange={(online) => change({ online })}
      />
      <One
        label={t('车锁')}
        value={filter.locked}
        options={[
          { value: true, label: t('已锁') },
          { value: false, label: t('已开') },
        ]}
        onChange={(locked) => change({ locked })}
      />
      <Many
        label={t('未关闭告警')}
        value={filter.alarms}
        options={alarmNames.map((kind) => ({
          value: kind,
          label: t(alarmKindLabels[kind] ?? kind, { context: 'alarm' }),
        }))}
        onChange={(alarms) => change({ alarms })}
      />
      <Many
        label={t('未完成任务')}
        value={filter.tasks}
        options={taskKinds.map((kind) => ({ value: kind, label: t(taskKindLabels[kind]) }))}
        onChange={(tasks) => change({ tasks })}
      />
      <Many
        label={t('型号')}
        value={filter.models}
        options={plain(choices?.models)}
        onChange={(models) => change({ models })}
      />
      <Many
        label={t('协议')}
        value={filter.protocols}
        options={deviceProtocols.map((protocol) => ({ value: protocol, label: deviceProtocolLabels[protocol] }))}
        onChange={(protocols) => change({ protocols })}
      />
      <Many
        label={t('固件')}
        value={filter.firmwares}
        options={plain(choices?.firmwares)}
        onChange={(firmwares) => change({ firmwares })}
      />
      <label className="filter-number">
        <span>{t('未上报超过')}</span>
        <InputNumber
          min={0}
          max={8784}
          value={filter.silentHoursFrom ?? null}
          onChange={(value) => change({ silentHoursFrom: value ?? undefined })}
        />
        <span>{t('小时')}</span>
      </label>
      <label className="filter-number">
        <span>{t('信号不高于')}</span>
        <InputNumber
          min={-200}
          max={100}
          precision={0}
          value={filter.signalTo ?? null}
          onChange={(value) => change({ signalTo: value ?? undefined })}
        />
      </label>
    </div>
  )
}

/** Asked for when Enter is pressed or the field is left, not with every letter. */
function Keyword({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const [draft, setDraft] = useState({ of: value, text: value })
  const text = draft.of === value ? draft.text : value
  const put = () => {
    if (text.trim() !== value) onChange(text.trim())
  }
  return (
    <input
      type="search"
      className="filter-keyword"
      value={text}
      maxLength={40}
      aria-label={t('车辆编号或 IMEI')}
      placeholder={t('车辆编号或 IMEI')}
      onChange={(event) => setDraft({ of: value, text: event.target.value })}
      onBlur={put}
      onKeyDown={(event) => {
        if (event.key === 'Enter') put()
      }}
    />
  )
}

type Ends = readonly [number | undefined, number | undefined]

interface RangeProps {
  readonly label: string
  readonly unit: string
  readonly max: number
  readonly value: Ends
  readonly onChange: (value: Ends) => void
}

function Range({ label, unit, max, value: [from, to], onChange }: RangeProps) {
  return (
    <fieldset className="filter-number">
      <legend className="visually-hidden">{label}</legend>
      <span>{label}</span>
      <InputNumber
        min={0}
        max={max}
        value={from ?? null}
        aria-label={t('{{label}}不低于', { label })}
        onChange={(next) => onChange([next ?? undefined, to])}
      />
      <span>–</span>
      <InputNumber
        min={0}
        max={max}
        value={to ?? null}
        aria-label={t('{{label}}不高于', { label })}
        onChange={(next) => onChange([from, next ?? undefined])}
      />
      <span>{unit}</span>
    </fieldset>
  )
}
