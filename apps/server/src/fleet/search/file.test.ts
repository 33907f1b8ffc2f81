import { expect, test } from 'vitest'
import { vehicleFields, type VehicleRow } from '@saddle/contract/fleet/search.ts'
import { fileColumns } from '#kit/list/fileCells.ts'

const vehicle: VehicleRow = {
  id: 1,
  number: 'SD000001',
  imei: '860000000000018',
  model: 'M1',
  protocol: 'omni',
  firmware: null,
  agentId: 3,
  company: '甲',
  areaId: 31,
  areaName: '城区',
  state: 'available',
  online: true,
  locked: true,
  batteryPercent: 12,
  lowBattery: true,
  signal: null,
  position: null,
  heardAt: null,
  idleSince: null,
  openAlarms: ['low_battery', 'power_cut', 'maker_own'],
  openTasks: ['battery_swap', 'move'],
}

test.each([
  ['zh', { imei: 'IMEI', alarms: '未关闭告警', tasks: '未完成任务' }, '低电量、断电、maker_own', '换电、挪车'],
  [
    'en',
    { imei: 'IMEI', alarms: 'Open alarms', tasks: 'Open tasks' },
    'Low battery, Power lost, maker_own',
    'Battery swap, Relocation',
  ],
] as const)(
  'a file of vehicles in %s holds plain numbers, and words instead of codes',
  (language, title, alarms, tasks) => {
    const { columns, cellsOf } = fileColumns(vehicleFields, { language })
    const titles = columns.map((column) => column.title)
    const cells = cellsOf(vehicle)
    const cellOf = (name: string) => cells[titles.indexOf(name)]
    expect(cellOf(title.imei)).toBe('860000000000018')
    expect(cellOf(title.alarms)).toBe(alarms)
    expect(cellOf(title.tasks)).toBe(tasks)
  },
)
