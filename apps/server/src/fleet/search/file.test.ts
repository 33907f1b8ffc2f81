import { expect, test } from 'vitest'
import type { VehicleRow } from '@saddle/contract/fleet/search.ts'
import { csvRow, csvTitles } from './rules.ts'

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
  signal: null,
  position: null,
  heardAt: null,
  idleSince: null,
  openAlarms: ['low_battery', 'outside_area', 'maker_own'],
  openTasks: ['battery_swap', 'move'],
}

test('a file of vehicles holds plain numbers, and words instead of codes', () => {
  const cells = csvRow(vehicle).trimEnd().split(',')
  const cellOf = (title: string) => cells[csvTitles.indexOf(title)]
  expect(cellOf('IMEI')).toBe('860000000000018')
  expect(cellOf('未关闭告警')).toBe('低电量 驶出服务区 maker_own')
  expect(cellOf('未完成任务')).toBe('换电 挪车')
})
