import { Blob as StreamedBlob } from 'node:buffer'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { endpoints } from '@saddle/contract/endpoints.ts'
import type { VehicleImport } from '@saddle/contract/production/importWords.ts'
import { overridePermissions } from '#kit/session/permissions.ts'
import { pageTests } from '#test/page.tsx'
import ImportPage from './ImportPage.tsx'

const { on, sent, show } = pageTests()
const batch: VehicleImport = {
  id: 8,
  agentId: 3,
  company: '江城出行',
  areaId: 31,
  areaName: '城北',
  state: 'committed',
  name: '旧批次.xlsx',
  protocol: 'mqtt',
  total: 40,
  bad: 0,
  made: 40,
  createdAt: 1_795_000_000_000,
  createdBy: '周可',
  committedAt: 1_795_000_100_000,
  committedBy: '周可',
  endedAt: null,
  endedBy: null,
}
const uploaded: VehicleImport = {
  ...batch,
  id: 9,
  name: '新批次.xlsx',
  state: 'checked',
  total: 2,
  bad: 1,
  made: 0,
  committedAt: null,
  committedBy: null,
}

interface Asked {
  readonly filter?: { readonly text?: string; readonly states?: readonly string[] }
}

test('a file that was uploaded opens as its batch, also when the conditions of the list would hide it', async () => {
  overridePermissions(['06', '0601'])
  let batches = [batch]
  on(endpoints.listVehicleImports, (input) => {
    const { text, states } = (input as Asked).filter ?? {}
    const list = batches.filter(
      ({ name, state }) => (text === undefined || name.includes(text)) && (states?.includes(state) ?? true),
    )
    return { suc: true, data: { list, nextCursor: null, count: list.length, isCountCut: false } }
  })
  on(endpoints.listServiceAreas, () => ({
    suc: true,
    data: { list: [{ id: 31, name: '城北', agentId: 3, centre: { lon: 114, lat: 30 } }], count: 1 },
  }))
  on(endpoints.listAgentAccounts, () => ({ suc: true, data: { rows: [{ agentId: 3, company: '江城出行' }] } }))
  on(endpoints.uploadCarIdExcel, () => {
    batches = [uploaded, batch]
    return { suc: true, data: { id: 9, total: 2, bad: 1 } }
  })
  on(endpoints.uploadCarIdAmount, () => ({
    suc: true,
    data: { states: [], reasons: [{ problem: 'imei_digit', rows: 1 }], heard: 0 },
  }))
  on(endpoints.listVehicleImportRows, () => ({
    suc: true,
    data: { list: [], nextCursor: null, count: 0, isCountCut: false },
  }))

  show(<ImportPage />, `/?filter=${encodeURIComponent(JSON.stringify({ text: '旧' }))}`)
  await screen.findByText('旧批次.xlsx')
  expect(screen.queryByLabelText('车辆批次详情')).toBeNull()

  fireEvent.click(screen.getByRole('button', { name: '上传车辆清单' }))
  const form = within(await screen.findByRole('dialog'))
  fireEvent.mouseDown(form.getByRole('combobox', { name: '加盟商与服务区' }))
  fireEvent.click(await screen.findByTitle('江城出行 · 城北'))
  const sheet = { name: uploaded.name, stream: () => new StreamedBlob(['PK']).stream() }
  fireEvent.change(form.getByLabelText('车辆清单（xlsx 或 CSV）', { selector: 'input' }), {
    target: { files: [sheet] },
  })
  await form.findByText('已选择 新批次.xlsx')
  fireEvent.submit(form.getByRole('button', { name: '上传并检查' }))

  const panel = within(await screen.findByLabelText('车辆批次详情'))
  expect(panel.getByText('新批次.xlsx')).toBeTruthy()
  expect(await panel.findByText('IMEI 校验位不符')).toBeTruthy()
  expect(panel.getByRole('button', { name: '只导入无误的 1 辆' })).toBeTruthy()
  await waitFor(() => expect(screen.queryByRole('dialog', { name: '上传车辆清单' })).toBeNull())
  expect(sent(endpoints.uploadCarIdExcel)).toMatchObject([{ areaId: 31, name: '新批次.xlsx', base64: 'UEs=' }])
})
