import { demoVehicles } from '@saddle/contract/demo/city.ts'
import { testArtefactKey, testArtefactKeys, signArtefact, testImage, testVoice } from '@saddle/server/test/upgrades.ts'
import { createSingleDevice, type SingleDevice } from '@saddle/simulator/src/fleet/single.ts'
import { afterEach, expect, test } from 'vitest'
import { openSite, phones } from './browser.ts'

const site = openSite({ env: testArtefactKeys })
const devices: SingleDevice[] = []
afterEach(() => {
  for (const device of devices.splice(0)) device.stop()
})

test.each(['mqtt', 'jt808'] as const)(
  'firmware is uploaded, brought to a device over %s by a campaign, and seen on its vehicle',
  async (protocol) => {
    const vehicle = demoVehicles(12).find((one) => one.protocol === protocol)
    if (vehicle === undefined) throw new Error('no such demo vehicle')
    const { ports, devicePassword } = site.server
    const device = createSingleDevice({
      vehicle,
      seed: 11,
      host: '127.0.0.1',
      port: ports[protocol],
      password: devicePassword(vehicle.imei),
      firmware: '1.0',
      artefactKey: testArtefactKey,
    })
    devices.push(device)
    const firmware = async () =>
      (await site.server.query(`select firmware from device where imei = '${vehicle.imei}'`))[0] as { firmware: string }
    await expect.poll(async () => (await firmware()).firmware).toBe('1.0')

    const page = await site.newPage({ as: phones.platform })
    await page.goto('/console/#/production/device-upgrade?view=artefacts')
    await page.getByRole('button', { name: '上传固件' }).first().click()
    const form = page.getByRole('dialog')
    const image = testImage({ version: '2.0', protocol, bytes: 30_000 })
    await form.getByLabel('名称', { exact: true }).fill(`中控 ${protocol}`)
    await form.getByLabel('版本', { exact: true }).fill('2.0')
    await form.getByRole('radio', { name: protocol === 'mqtt' ? 'MQTT' : 'JT/T 808' }).check()
    await form.getByRole('textbox', { name: /^可从哪些版本升级/ }).fill('1.0')
    await form
      .getByLabel('固件文件')
      .last()
      .setInputFiles({ name: 'image.sdfw', mimeType: 'application/octet-stream', buffer: image })
    const signature = form.getByRole('textbox', { name: /^签名/ })
    await signature.fill(Buffer.alloc(64, 9).toString('base64'))
    await form.getByRole('button', { name: '上传固件' }).click()
    await form.getByText('签名未通过：文件没有由平台信任的密钥签名').waitFor()
    await signature.fill(signArtefact(image).toString('base64'))
    await form.getByRole('button', { name: '上传固件' }).click()
    await page.getByText('已保存，签名与格式验证通过').waitFor()

    await page.getByText(`中控 ${protocol}`).first().click()
    await page.getByRole('button', { name: '新建升级活动' }).click()
    const campaign = page.getByRole('dialog')
    await campaign.getByRole('checkbox', { name: '只在夜间（23 点至 5 点）开始' }).uncheck()
    await campaign.getByRole('textbox', { name: /^每批观察/ }).fill('0')
    await campaign.getByRole('button', { name: '新建活动' }).click()
    await page.getByText('已新建，共 1 辆车，确认后开始').waitFor()

    await page.goto('/console/#/production/device-upgrade')
    await page.getByText(`中控 ${protocol} 2.0`).first().click()
    await page.getByRole('button', { name: '开始首批' }).click()
    await page.getByText('活动已开始').waitFor()
    await expect.poll(() => device.version, { timeout: 60_000 }).toBe('2.0')
    await expect.poll(async () => (await firmware()).firmware, { timeout: 60_000 }).toBe('2.0')
    await page.getByText('已完成', { exact: true }).first().waitFor()

    await page.goto(`/console/#/vehicle-info?vehicle=${vehicle.number}`)
    await page.getByRole('region', { name: '设备升级' }).getByText('1.0 → 2.0').waitFor()
  },
)

test('a voice pack is uploaded, listened to and disabled again', async () => {
  const page = await site.newPage({ as: phones.platform })
  await page.goto('/console/#/production/voice-customization')
  await page.getByRole('button', { name: '上传语音包' }).first().click()
  const form = page.getByRole('dialog')
  const voice = testVoice()
  await form.getByLabel('名称', { exact: true }).fill('春节提示音')
  await form.getByLabel('版本', { exact: true }).fill('1')
  await form.getByLabel('语音文件').last().setInputFiles({ name: 'voice.wav', mimeType: 'audio/wav', buffer: voice })
  await form.getByRole('textbox', { name: /^签名/ }).fill(signArtefact(voice).toString('base64'))
  await form.getByRole('button', { name: '上传语音包' }).click()
  await page.getByText('已保存，签名与格式验证通过').waitFor()
  await page.getByText('春节提示音').first().click()
  await page.getByRole('button', { name: '试听' }).click()
  await page.getByRole('button', { name: '试听', exact: true }).waitFor()
  await expect.poll(() => page.getByText('文件无法播放').count()).toBe(0)
  await page.getByRole('button', { name: '停用' }).click()
  await page.getByText('已停用').first().waitFor()
})
