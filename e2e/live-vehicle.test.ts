import { deviceProtocols } from '@saddle/contract/fleet/protocols.ts'
import { demoVehicles, type DemoVehicle } from '@saddle/contract/demo/city.ts'
import { createSingleDevice, type SingleDevice } from '@saddle/simulator/src/fleet/single.ts'
import type { Page } from 'playwright-core'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openSite, phones } from './browser.ts'

const protocols = deviceProtocols
const firstOf = (protocol: (typeof protocols)[number]): DemoVehicle => {
  const found = demoVehicles(12).find((one) => one.protocol === protocol)
  if (found === undefined) throw new Error(`no demo vehicle speaks ${protocol}`)
  return found
}

const site = openSite()
let device: SingleDevice
let vehicle: DemoVehicle

function connect(protocol: (typeof protocols)[number]): void {
  vehicle = firstOf(protocol)
  const { ports, devicePassword } = site.server
  const line = { host: '127.0.0.1', port: ports[protocol], password: devicePassword(vehicle.imei) }
  device = createSingleDevice({ vehicle, seed: 7, ...line })
}

// One session per device: do not use a vehicle that a later test connects.
afterEach(() => device.stop())

let page: Page

const panel = () => page.getByRole('region', { name: '车辆面板' })
const figure = (name: string) =>
  panel()
    .locator('dl > div')
    .filter({ has: page.getByText(name, { exact: true }) })
    .locator('dd')
const command = () => panel().locator('section[aria-live] [data-command-state]')

async function send(kind: '开锁' | '关锁', reason: string): Promise<void> {
  await panel().getByRole('button', { name: kind, exact: true }).click()
  await panel().getByLabel('原因（写入操作日志）', { exact: true }).fill(reason)
  await panel()
    .getByRole('button', { name: `${kind} ${vehicle.number}` })
    .click()
}

describe('one vehicle over a real line', () => {
  beforeEach(async () => {
    page = await site.newPage({ as: phones.platform })
  })

  test.each(protocols)(
    'by %s shows online, is unlocked, moves, and is locked again, each confirmed by itself',
    async (protocol) => {
      connect(protocol)
      await page.goto(`/console/#/vehicle/operation-map?vehicle=${vehicle.number}`)
      await panel().getByRole('heading', { name: vehicle.number }).waitFor()
      await expect.poll(() => panel().getByRole('banner').or(panel().locator('header')).innerText()).toContain('可用')
      await expect.poll(() => figure('车锁').innerText()).toBe('已锁')
      expect(device.state.locked).toBe(true)

      await send('开锁', '运维检修')
      await command().and(page.locator('[data-command-state=confirmed]')).waitFor()
      expect(device.state.locked).toBe(false)
      const steps = command().getByRole('listitem')
      expect((await steps.allInnerTexts()).map((text) => text.split(/\s/)[0])).toEqual([
        '排队中',
        '已发送',
        '设备已应答',
        '已确认',
      ])
      expect(await steps.filter({ hasText: /\d\d:\d\d:\d\d/ }).count()).toBe(4)
      await command().getByText('运维检修').waitFor()
      await expect.poll(() => figure('车锁').innerText()).toBe('已开')

      const place = panel().locator('.om-spot > span')
      const before = await place.innerText()
      device.move(vehicle.lat + 0.002, vehicle.lng + 0.001, 12)
      await expect.poll(() => place.innerText()).not.toBe(before)
      const [lat = 0, lng = 0] = (await place.innerText()).split(',').map(Number)
      expect(lat).toBeCloseTo(vehicle.lat + 0.002, 4)
      expect(lng).toBeCloseTo(vehicle.lng + 0.001, 4)

      device.move(vehicle.lat + 0.002, vehicle.lng + 0.001, 0)
      device.setBattery(12)
      await expect.poll(() => figure('电量').innerText()).toMatch(/^12/)

      await send('关锁', '运维完成')
      await command().and(page.locator('[data-command-state=confirmed]')).filter({ hasText: '关锁' }).waitFor()
      expect(device.state.locked).toBe(true)
      await expect.poll(() => figure('车锁').innerText()).toBe('已锁')
      const logged = await site.server.query(
        `select kind from vehicle_command c join vehicle v on v.id = c.vehicle_id
       where c.state = 'confirmed' and v.number = '${vehicle.number}' order by c.id`,
      )
      expect(logged.map((row) => row['kind'])).toEqual(['unlock', 'lock'])
    },
  )

  test('says why a lock that is stuck did not open, and does not call it a success', async () => {
    connect('omni')
    await page.goto(`/console/#/vehicle/operation-map?vehicle=${vehicle.number}`)
    device.setStuckBolt(true)
    await send('开锁', '用户求助')
    const failed = command().and(page.locator('[data-command-state=failed]'))
    await failed.waitFor()
    await failed.getByText('失败', { exact: true }).waitFor()
    expect((await failed.getByRole('alert').innerText()).length).toBeGreaterThan(3)
    expect(device.state.locked).toBe(true)
    expect(await failed.getByText('已确认').count()).toBe(0)
    device.setStuckBolt(false)
  })

  test('keeps a command for a vehicle that is away waiting, and says so', async () => {
    connect('omni')
    await page.goto(`/console/#/vehicle/operation-map?vehicle=${vehicle.number}`)
    await panel().getByRole('button', { name: '开锁', exact: true }).waitFor()
    device.stop()
    await expect.poll(() => device.online).toBe(false)
    await send('开锁', '挪车')
    const queued = command().and(page.locator('[data-command-state=queued]'))
    await queued.waitFor()
    // Instead of waiting a minute the test backdates the command.
    await site.server.query(
      "update vehicle_command set queued_at = queued_at - interval '2 minutes', expires_at = expires_at - interval '2 minutes' where state = 'queued'",
    )
    const expired = command().and(page.locator('[data-command-state=expired]'))
    await expired.waitFor()
    await expired.getByText('已过期').waitFor()
    expect(device.state.locked).toBe(true)
  })
})
