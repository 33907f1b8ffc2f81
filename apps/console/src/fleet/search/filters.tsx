import { deviceProtocolLabels } from '@saddle/contract/fleet/protocols.ts'
import { searchEndpoints, type VehicleFilter } from '@saddle/contract/fleet/search.ts'
import { alarmKindLabels, vehicleStateLabels } from '@saddle/contract/fleet/vehicles.ts'
import { taskKindLabels } from '@saddle/contract/operations/taskWords.ts'
import { t } from '#kit/i18n/index.ts'
import type { Choice } from '#kit/list/filters/panels.tsx'
import { areas, keyword, many, numbers, one } from '#kit/list/filters/specs.tsx'
import type { FilterSpec } from '#kit/list/filters/types.ts'
import { useEndpoint } from '#kit/query.ts'

type Spec = FilterSpec<VehicleFilter>

const hourLimits = [0, 24 * 366] as const

/** Every condition that vehicles can be found by. */
export function useVehicleFilters(): readonly Spec[] {
  const { data } = useEndpoint(searchEndpoints.vehicleChoices, {}, { staleMs: 300_000, quiet: true })
  const { models = [], firmwares = [], alarms = [] } = data?.data ?? {}
  const alarmKinds = [...new Set([...Object.keys(alarmKindLabels), ...alarms])]
  return [
    keyword(t('车辆编号或 IMEI'), 'keyword'),
    many('states', t('状态'), vehicleStateLabels),
    areas('areaIds'),
    numbers(t('电量'), { from: 'batteryFrom', to: 'batteryTo', unit: '%', limits: [0, 100] }),
    flag('lowBattery', t('低电量'), [t('低电量'), t('电量正常')]),
    numbers(t('闲置'), { from: 'idleHoursFrom', to: 'idleHoursTo', unit: t('小时'), limits: hourLimits }),
    flag('online', t('在线'), [t('在线'), t('离线')]),
    flag('locked', t('车锁'), [t('已锁'), t('已开')]),
    someOrAny(
      'alarms',
      t('未关闭告警'),
      alarmKinds.map((value) => ({ value, label: t(alarmKindLabels[value] ?? value, { context: 'alarm' }) })),
    ),
    someOrAny('tasks', t('未完成任务'), choices(taskKindLabels)),
    many('models', t('型号'), plain(models)),
    many('protocols', t('协议'), deviceProtocolLabels),
    many('firmwares', t('固件'), plain(firmwares)),
    numbers(t('未上报时长'), { from: 'silentHoursFrom', to: 'silentHoursTo', unit: t('小时'), limits: hourLimits }),
    numbers(t('信号'), { from: 'signalFrom', to: 'signalTo', limits: [-200, 100] }),
  ]
}

const plain = (names: readonly string[]): Choice[] => names.map((name) => ({ value: name, label: name }))
const choices = (labels: Readonly<Record<string, string>>): Choice[] =>
  Object.entries(labels).map(([value, label]) => ({ value, label: t(label) }))

const flag = (name: 'online' | 'locked' | 'lowBattery', title: string, [yes, no]: readonly [string, string]): Spec =>
  one(name, title, [
    { value: true, label: yes },
    { value: false, label: no },
  ])

/** Some kinds, or anything at all: an empty list asks for that. */
function someOrAny(name: 'alarms' | 'tasks', title: string, kinds: readonly Choice[]): Spec {
  const some = many<VehicleFilter>(name, title, kinds)
  const isAny = (filter: Partial<VehicleFilter>): boolean => filter[name]?.length === 0
  return {
    ...some,
    words: (filter) => (isAny(filter) ? t('任意') : some.words(filter)),
    panel: (props) => (
      <>
        <label className="vehicle-any">
          <input
            type="checkbox"
            checked={isAny(props.filter)}
            onChange={({ target }) => props.change({ [name]: target.checked ? [] : undefined })}
          />
          {t('任意')}
        </label>
        {some.panel?.(props)}
      </>
    ),
  }
}
