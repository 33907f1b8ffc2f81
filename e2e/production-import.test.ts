import { expect, test } from 'vitest'
import { openSite, phones } from './browser.ts'
import { filmOf } from './camera.ts'

const site = openSite({ film: filmOf('https://go.example/r?n=PI000003') })

const lines = [
  '车辆编号,IMEI,SN,MAC,ICCID,型号',
  'PI000001,490154203237518,SN-PI-1,A4C138000001,89860012345678901234,PI',
  'PI000002,490154203237519,,,,PI',
]

test('a file of vehicles is checked, its good line imported and undone, and a vehicle put on the street', async () => {
  const page = await site.newPage({ as: phones.platform })
  await page.goto('/console/#/production/import-export')
  await page.getByRole('button', { name: '上传车辆清单' }).first().click()
  const form = page.getByRole('dialog')
  await form.getByRole('combobox', { name: '加盟商与服务区' }).click()
  await page
    .getByTitle(/江南服务区$/)
    .first()
    .click()
  await form
    .getByLabel('车辆清单（xlsx 或 CSV）')
    .last()
    .setInputFiles({ name: 'vehicles.csv', mimeType: 'text/csv', buffer: Buffer.from(lines.join('\n')) })
  await form.getByText('已选择 vehicles.csv').waitFor()
  await form.getByRole('textbox', { name: /^新型号/ }).fill('PI')
  await form.getByRole('button', { name: '上传并检查' }).click()
  await page.getByText('2 行中有 1 行不能导入，请查看原因').waitFor()

  await page.getByText('vehicles.csv').first().click()
  await page.getByText('IMEI 校验位不符').first().waitFor()
  await page.getByRole('button', { name: '只导入无误的 1 辆' }).click()
  await page.getByText('已导入 1 辆车，尚未投放').waitFor()
  await page.getByRole('button', { name: '撤销导入' }).click()
  await page.getByRole('button', { name: '确认撤销' }).click()
  await page.getByText('已撤销，1 辆车不再登记').waitFor()

  await page.getByRole('button', { name: '扫码登记' }).click()
  const single = page.getByRole('dialog')
  await single.getByRole('button', { name: '用相机扫描车辆编号' }).click()
  await expect.poll(() => single.getByLabel('车辆编号', { exact: true }).inputValue()).toBe('PI000003')
  await single.getByLabel('IMEI', { exact: true }).fill('490154203237518')
  await single.getByRole('combobox', { name: '型号' }).fill('PI')
  await single.getByRole('combobox', { name: '加盟商与服务区' }).click()
  await page
    .getByTitle(/江南服务区$/)
    .last()
    .click()
  await single.getByRole('button', { name: '登记', exact: true }).click()
  await page.getByText('已登记 PI000003，尚未投放').waitFor()

  await page.goto('/console/#/production/vehicle-list')
  await page.getByRole('checkbox', { name: /PI000003/ }).check()
  await page.getByRole('button', { name: '投放车辆' }).click()
  await page.getByText('已投放 1 辆').waitFor()
  const [vehicle] = await site.server.query(`select state from vehicle where number = 'PI000003'`)
  expect(vehicle).toEqual({ state: 'available' })
})
