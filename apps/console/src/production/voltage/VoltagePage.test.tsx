import { fireEvent, screen } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { endpoints } from '@saddle/contract/endpoints.ts'
import { overridePermissions } from '#kit/session/permissions.ts'
import { pageTests } from '#test/page.tsx'
import { draftOf, schemeOf } from './voltage.fixture.ts'
import VoltagePage from './VoltagePage.tsx'

const { on, show } = pageTests()
let maySet: boolean

beforeEach(() => {
  overridePermissions(['06', '0601'])
  maySet = true
  const shown = () => schemeOf({ maySet })
  on(endpoints.listVoltageSchemes, () => ({
    suc: true,
    data: { list: [shown()], nextCursor: null, count: 1, isCountCut: false },
  }))
  on(endpoints.voltageSchemeDetail, () => ({
    suc: true,
    data: { scheme: shown(), versions: [draftOf()], models: [{ model: 'S1', protocol: 'omni', vehicles: 12 }] },
  }))
})

async function open(): Promise<void> {
  show(<VoltagePage />)
  fireEvent.click(await screen.findByText('48V 13S'))
  await screen.findByRole('region', { name: 'V1' })
}

test('lets a draft come into force only after its replay', async () => {
  await open()
  expect(screen.getByRole<HTMLButtonElement>('button', { name: '生效' }).disabled).toBe(true)
  expect(screen.getByText('当前草稿回放完成后才能生效')).toBeTruthy()
})

test('offers nothing to the people of a company', async () => {
  maySet = false
  await open()
  expect(screen.queryByRole('button', { name: '修改草稿' })).toBeNull()
  expect(screen.queryByRole('button', { name: '回放最近一周' })).toBeNull()
})
