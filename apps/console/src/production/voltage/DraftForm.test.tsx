import { fireEvent, screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { curvePointsMax } from '@saddle/contract/fleet/batteryCurve.ts'
import { endpoints } from '@saddle/contract/endpoints.ts'
import type { VoltageScheme } from '@saddle/contract/production/voltage.ts'
import { overridePermissions } from '#kit/session/permissions.ts'
import { pageTests } from '#test/page.tsx'
import { DraftForm } from './DraftForm.tsx'
import { draftOf, schemeOf } from './voltage.fixture.ts'

const { on, sent, show } = pageTests()
const scheme: VoltageScheme = schemeOf()

beforeEach(() => {
  overridePermissions(['06', '0601'])
  on(endpoints.saveVoltageDraft, () => ({ suc: true, data: { id: 7 } }))
  show(
    <DraftForm
      scheme={scheme}
      start={draftOf()}
      models={[{ model: 'S1', protocol: 'omni', vehicles: 12 }]}
      onClose={() => {}}
    />,
  )
})

const volts = async (no: number) => screen.findByLabelText<HTMLInputElement>(`第 ${no} 个点的电压`)
const shownPoints = () =>
  screen
    .getAllByLabelText<HTMLInputElement>(/个点的电压$/)
    .map(({ value }, index) => [value, screen.getByLabelText<HTMLInputElement>(`第 ${index + 1} 个点的电量`).value])
const save = () => fireEvent.submit(screen.getByRole('button', { name: '保存草稿' }))
const paste = (field: HTMLElement, text: string) => fireEvent.paste(field, { clipboardData: { getData: () => text } })

test('points are typed, sorted and removed, and what is wrong with them is said before anything is sent', async () => {
  fireEvent.change(await volts(2), { target: { value: '52' } })
  save()
  expect((await screen.findAllByText(/第 3 个点：电压与电量都须逐点升高/)).length).toBeGreaterThan(0)
  expect(sent(endpoints.saveVoltageDraft)).toEqual([])
  fireEvent.click(screen.getByRole('button', { name: '移除第 2 个点' }))
  fireEvent.click(screen.getByRole('button', { name: '添加点' }))
  fireEvent.change(await volts(3), { target: { value: '44.5' } })
  fireEvent.change(screen.getByLabelText('第 3 个点的电量'), { target: { value: '40' } })
  fireEvent.click(screen.getByRole('button', { name: '按电压排序' }))
  expect(shownPoints()).toEqual([
    ['40', '0'],
    ['44.5', '40'],
    ['50', '100'],
  ])
  save()
  await waitFor(() => expect(sent(endpoints.saveVoltageDraft)).toHaveLength(1))
  expect(sent(endpoints.saveVoltageDraft)[0]).toMatchObject({
    schemeId: 1,
    revision: 2,
    points: [
      { voltageV: 40, percent: 0 },
      { voltageV: 44.5, percent: 40 },
      { voltageV: 50, percent: 100 },
    ],
    models: [{ model: 'S1', protocol: 'omni' }],
  })
})

test('a table that is pasted replaces the points, one value goes into its field, and a bad line is named', async () => {
  paste(await volts(1), '电压\t电量\n39\t0\n48\t60\n54.6\t100')
  const pasted = [
    ['39', '0'],
    ['48', '60'],
    ['54.6', '100'],
  ]
  expect(shownPoints()).toEqual(pasted)
  paste(await volts(1), '47,5')
  paste(await volts(1), '39,0\n充满,100')
  expect((await screen.findByRole('alert')).textContent).toBe('第 2 行不是“电压,电量”')
  paste(await volts(1), Array.from({ length: curvePointsMax + 1 }, (_, at) => `${40 + at / 10},${at}`).join('\n'))
  await waitFor(() => expect(screen.getByRole('alert').textContent).toBe('曲线最多 50 个点'))
  expect(shownPoints()).toEqual(pasted)
})

test('a file of points is read as a spreadsheet writes it', async () => {
  await volts(1)
  const file = new File(['\ufeff电压（V）,电量（%）\r\n42.0 V,0%\r\n54.6 V,100%\r\n'], '48V.csv')
  fireEvent.change(screen.getByLabelText('导入点（CSV）', { selector: 'input' }), { target: { files: [file] } })
  await waitFor(() =>
    expect(shownPoints()).toEqual([
      ['42', '0'],
      ['54.6', '100'],
    ]),
  )
})
