import { readFileSync } from 'node:fs'
import { demoVehicles } from '@saddle/contract/demo/city.ts'
import { createSingleDevice, type SingleDevice } from '@saddle/simulator/src/fleet/single.ts'
import { afterEach, expect, test } from 'vitest'
import { openSite, phones, phoneScreen } from './browser.ts'

const site = openSite()
const devices: SingleDevice[] = []
afterEach(() => {
  for (const device of devices.splice(0)) device.stop()
})

const number = 'PF000001'
const imei = '490154203237518'
const lines = ['车辆编号,IMEI,SN,MAC,ICCID,型号', `${number},${imei},SN-PF-1,,,PF`]

test('a vehicle is imported, fails its test, is mended, passes, gets its label and is delivered', async () => {
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
    .setInputFiles({ name: 'factory.csv', mimeType: 'text/csv', buffer: Buffer.from(lines.join('\n')) })
  await form.getByText('已选择 factory.csv').waitFor()
  await form.getByRole('radio', { name: 'Omni' }).check()
  await form.getByRole('textbox', { name: /^新型号/ }).fill('PF')
  await form.getByRole('button', { name: '上传并检查' }).click()
  await page.getByText('1 行全部无误，确认后导入').waitFor()
  await page.getByText('factory.csv').first().click()
  await page.getByRole('button', { name: '导入全部 1 辆' }).click()
  await page.getByText('已导入 1 辆车，尚未投放').waitFor()

  const [pattern] = demoVehicles(1)
  if (pattern === undefined) throw new Error('no demo vehicle')
  const device = createSingleDevice({
    vehicle: { ...pattern, number, imei, protocol: 'omni' },
    seed: 17,
    host: '127.0.0.1',
    port: site.server.ports.omni,
  })
  devices.push(device)
  await expect.poll(() => device.online).toBe(true)
  device.setStuckBolt(true)

  const bench = await site.newPage({ as: phones.platform, size: phoneScreen })
  await bench.goto('/console/#/production/test-bench')
  await bench.getByLabel('车辆编号').fill(number)
  await bench.getByRole('button', { name: '确定', exact: true }).click()
  await bench.getByRole('button', { name: '开始检测' }).click()
  await bench.getByText('请推动或晃动车辆').waitFor()
  device.alarm('illegal_movement')
  await bench.getByRole('button', { name: '返修完成' }).waitFor()
  await bench.getByText('指令没有得到确认').first().waitFor()

  device.setStuckBolt(false)
  await bench.getByRole('button', { name: '返修完成' }).click()
  const finish = bench.getByRole('dialog')
  await finish.getByRole('textbox', { name: '处理说明' }).fill('更换车锁')
  await finish.getByRole('button', { name: '返修完成' }).click()
  await bench.getByText('已返修，车辆回到待检测').waitFor()
  await bench.getByRole('button', { name: '开始检测' }).click()
  await bench.getByText('请推动或晃动车辆').waitFor()
  device.alarm('illegal_movement')
  await bench.getByRole('button', { name: '重新检测' }).waitFor()

  await bench.getByRole('button', { name: '打印标签' }).click()
  const saved = bench.waitForEvent('download')
  await bench.getByRole('button', { name: '生成 PDF' }).click()
  const path = await (await saved).path()
  expect(readFileSync(path).subarray(0, 5).toString()).toBe('%PDF-')
  await bench.getByText('已生成 1 张标签').waitFor()

  await page.goto('/console/#/production/vehicle-list')
  await page.getByRole('checkbox', { name: new RegExp(number) }).check()
  await page.getByRole('button', { name: '交付车辆' }).click()
  const deliver = page.getByRole('dialog')
  await deliver.getByRole('combobox', { name: '加盟商与服务区' }).click()
  await page
    .getByTitle(/江南服务区$/)
    .last()
    .click()
  await deliver.getByRole('button', { name: '交付 1 辆' }).click()
  await page.getByText('已交付 1 辆').waitFor()
  const [unit] = await site.server.query(
    `select u.stage, u.tested_at is not null as tested from production_unit u
     join vehicle v on v.id = u.vehicle_id where v.number = '${number}'`,
  )
  expect(unit).toEqual({ stage: 'delivered', tested: true })

  await page.goto(`/console/#/vehicle-info?vehicle=${number}`)
  await page.getByRole('button', { name: '生产与部件' }).click()
  for (const event of ['生产登记', '出厂检测不通过', '返修完成', '出厂检测通过', '交付']) {
    await page
      .getByText(new RegExp(`^${event}`))
      .first()
      .waitFor()
  }
})

test('a voltage scheme is drawn, replayed on the last week, and put in force', async () => {
  const page = await site.newPage({ as: phones.platform })
  await page.goto('/console/#/production/voltage-scheme')
  await page.getByRole('button', { name: '新增电池组' }).first().click()
  const pack = page.getByRole('dialog')
  await pack.getByRole('textbox', { name: /^电池组/ }).fill('48V 检测')
  await pack.getByRole('button', { name: '保存' }).click()
  await page.getByText('48V 检测').first().click()
  await page.getByRole('button', { name: '新建草稿' }).click()
  const draft = page.getByRole('dialog')
  await draft.getByRole('combobox', { name: '车型' }).click()
  await page
    .getByTitle(/^SD-E2 /)
    .first()
    .click()
  // The list of choices stays open and may cover the button.
  await draft.getByText('48V 检测 的草稿').click()
  await draft.getByRole('button', { name: '保存草稿' }).click()
  const version = page.getByRole('region', { name: 'V1' })
  await version.getByRole('button', { name: '回放最近一周' }).click()
  await version.getByRole('button', { name: '生效', disabled: false }).click()
  const decision = page.getByRole('dialog')
  await decision.getByRole('textbox', { name: /^原因/ }).fill('回放无异常')
  await decision.getByRole('button', { name: '生效' }).click()
  await version.getByText('待生效', { exact: true }).waitFor()
  const [stored] = await site.server.query(
    `select count(*)::integer as count from voltage_version v join voltage_scheme s on s.id = v.scheme_id
      where s.name = '48V 检测' and v.in_force_from > now()`,
  )
  expect(stored).toEqual({ count: 1 })
})
