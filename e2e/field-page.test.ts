import { demoVehicleCount, demoVehicles, type DemoVehicle } from '@saddle/contract/demo/city.ts'
import { createSingleDevice, type SingleDevice } from '@saddle/simulator/src/fleet/single.ts'
import type { Page } from 'playwright-core'
import { afterEach, expect, test } from 'vitest'
import { openSite, phones, phoneScreen } from './browser.ts'
import { filmOf } from './camera.ts'

/** The one area that the worker sees. */
const areaOfWorker = 1
const ofWorker = demoVehicles(demoVehicleCount).filter((one) => one.areaIndex === areaOfWorker)
const vehicleAt = (index: number): DemoVehicle => {
  const found = ofWorker.filter((one) => one.protocol === 'omni')[index]
  if (found === undefined) throw new Error('the area has no such vehicle')
  return found
}

const site = openSite({ film: filmOf(`https://go.example/r?n=${vehicleAt(0).number}`) })
const running: SingleDevice[] = []
afterEach(() => {
  for (const device of running.splice(0)) device.stop()
})

async function openTask(number: string, kind: string): Promise<number> {
  await site.server.query(
    `insert into task (vehicle_id, agent_id, area_id, kind, state, source, opened_at, due_at)
     select id, agent_id, area_id, $2, 'open', 'manual', now() - interval '5 minutes', now() + interval '1 hour'
     from vehicle where number = $1 on conflict do nothing`,
    [number, kind],
  )
  const [row] = await site.server.query(
    `select t.id from task t join vehicle v on v.id = t.vehicle_id
     where v.number = $1 and t.kind = $2 and t.done_at is null`,
    [number, kind],
  )
  return Number(row?.['id'])
}

const taskNow = async (id: number): Promise<Record<string, unknown>> => {
  const [row] = await site.server.query(
    `select t.state, r.battery_before, r.battery_after, r.scanned_number, r.checks_failed, t.outcome,
       (select array_agg(s.step order by s.id) from task_step s where s.task_id = t.id and s.operator_id is not null) as steps
     from task t left join task_result r on r.task_id = t.id where t.id = $1`,
    [id],
  )
  return row ?? {}
}

/** The vehicle's last report, and whether the platform has an alarm for it. */
const batteryOf = async (number: string): Promise<Record<string, unknown>> => {
  const [row] = await site.server.query(
    `select s.battery_percent, exists (select from vehicle_alarm a
       where a.vehicle_id = v.id and a.kind = 'low_battery' and a.closed_at is null) as is_low
     from vehicle v join vehicle_status s on s.vehicle_id = v.id where v.number = $1`,
    [number],
  )
  return row ?? {}
}

const openField = async (): Promise<Page> => {
  const page = await site.newPage({ as: phones.worker, size: phoneScreen })
  await page.goto('/console/#/field?tab=near')
  return page
}
/** The task rules may have given the vehicle other tasks as well. */
const cardOf = (page: Page, kind: '换电' | '巡检' | '维修', number: string) =>
  page.getByRole('button', { name: new RegExp(`^${kind} ${number}`) })
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

async function typeNumber(page: Page, number: string): Promise<void> {
  await page.getByLabel('车辆编号').fill(number)
  await press(page, '确定')
}

test('a battery is swapped from the phone: compartment, level, state, task and figures', async () => {
  const vehicle = vehicleAt(0)
  const device = createSingleDevice({ vehicle, host: '127.0.0.1', port: site.server.ports.omni, seed: 5 })
  running.push(device)
  await expect.poll(() => device.online).toBe(true)
  device.setBattery(6)
  await expect.poll(() => batteryOf(vehicle.number)).toEqual({ battery_percent: 6, is_low: true })
  const id = await openTask(vehicle.number, 'battery_swap')

  const page = await openField()
  await cardOf(page, '换电', vehicle.number).click()
  await press(page, '领取任务')
  await press(page, '到达现场，开始处理')
  await expect.poll(async () => (await taskNow(id))['state']).toBe('on_site')
  await typeNumber(page, vehicleAt(1).number)
  await page.getByText(`任务车辆是 ${vehicle.number}`).waitFor()
  expect(await page.getByRole('button', { name: `完成 ${vehicle.number}` }).isDisabled()).toBe(true)
  await press(page, '扫描车上的二维码')
  await page.getByText(`车辆一致：${vehicle.number}`).waitFor()
  await press(page, `打开 ${vehicle.number} 的电池仓`)
  await page.locator('[data-command-state=confirmed]').waitFor()

  device.setBattery(98)
  await page.getByText('车辆上报 98%').waitFor()
  await page.getByRole('group', { name: '车灯正常' }).getByRole('button', { name: '否' }).click()
  await press(page, '其余都正常')
  await press(page, `完成 ${vehicle.number}`)
  await expect.poll(async () => (await taskNow(id))['state']).toBe('done')
  const done = await taskNow(id)
  expect(done).toMatchObject({ checks_failed: ['lights_on'] })
  expect(done).toMatchObject({ battery_before: 6, battery_after: 98, scanned_number: vehicle.number })
  expect(done).toMatchObject({ steps: ['claimed', 'started', 'done'] })
  expect(await batteryOf(vehicle.number)).toEqual({ battery_percent: 98, is_low: false })
  await page.getByText(`${vehicle.number} 已完成`).waitFor()

  // The finished task counts at once, and the page returns to the vehicle.
  await page.goto('/console/#/data/power-change-statistics')
  const behind = page.getByRole('region', { name: '任务明细' })
  await behind.getByRole('link', { name: vehicle.number }).waitFor()
  await behind.getByText('1 条', { exact: true }).waitFor()
})

test('a vehicle is rung for, not found, and given back; the desk sees it', async () => {
  const vehicle = vehicleAt(4)
  const device = createSingleDevice({ vehicle, host: '127.0.0.1', port: site.server.ports.omni, seed: 6 })
  running.push(device)
  await expect.poll(() => device.online).toBe(true)
  const id = await openTask(vehicle.number, 'inspect')
  const page = await openField()
  await cardOf(page, '巡检', vehicle.number).click()
  await press(page, '领取任务')
  await press(page, '到达现场，开始处理')
  await press(page, '寻车铃')
  await page.locator('[data-command-state=confirmed]').waitFor()
  await press(page, '没找到车')
  await page.getByLabel('说明（选填）').fill('响铃无声')
  await press(page, '报告“没找到车”')
  await expect.poll(() => taskNow(id)).toMatchObject({ state: 'open', outcome: 'not_found' })
  await page.getByRole('button', { name: '已发送 3 项' }).click()
  await page.getByRole('list', { name: '已发送' }).getByText(`${vehicle.number} · 现场反馈`).waitFor()

  const office = await site.newPage({ as: phones.manager })
  await office.goto(`/console/#/data/operation-tasks?task=${id}`)
  const panel = office.getByRole('dialog', { name: '任务详情' })
  await panel
    .getByText(/没找到车 · /)
    .first()
    .waitFor()
  await panel.getByText('响铃无声').waitFor()
})

test('without a line nothing is lost, nothing is done twice, and a conflict is told', async () => {
  const [own, taken] = [vehicleAt(2), vehicleAt(3)]
  const ids = [await openTask(own.number, 'repair'), await openTask(taken.number, 'inspect')] as const
  const page = await openField()
  await cardOf(page, '维修', own.number).waitFor()
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => null))
  await page.reload()
  await cardOf(page, '维修', own.number).waitFor()

  await page.context().setOffline(true)
  await page.getByText('离线', { exact: true }).waitFor()
  // Reasons and parts also come from the local store.
  await page.reload()
  await cardOf(page, '维修', own.number).click()
  await press(page, '领取任务')
  await press(page, '到达现场，开始处理')
  await typeNumber(page, own.number)
  await page.getByLabel('备注（选填）').fill('已修好')
  await page.getByLabel('故障原因').selectOption({ index: 1 })
  await page.getByLabel('使用的配件（选填）').selectOption({ index: 1 })
  await page.getByRole('button', { name: /加一$/ }).click()
  await press(page, '其余都正常')
  await press(page, `完成 ${own.number}`)
  await page.getByText('3 项待发送').waitFor()
  await page.getByText('已保存在这台设备上，联网后发送').waitFor()
  await cardOf(page, '巡检', taken.number).click()
  await press(page, '领取任务')
  await page.getByText('4 项待发送').waitFor()
  expect(await taskNow(ids[0])).toMatchObject({ state: 'open' })

  // After a tab crash while offline, the page and the queue are still there.
  await page.reload()
  await page.getByText('4 项待发送').waitFor()
  await page.getByText(/当前没有网络，列表截至/).waitFor()
  expect(await cardOf(page, '维修', own.number).count()).toBe(0)
  await site.server.query(
    `update task set state = 'claimed', person_name = '周启航', claimed_at = now(),
       assignee_id = (select id from operator where name = '沈一诺') where id = $1`,
    [ids[1]],
  )

  await page.context().setOffline(false)
  await expect.poll(async () => (await taskNow(ids[0]))['state']).toBe('done')
  await page.getByText('1 项未被接受').click()
  await page.getByText('未被接受：任务已被 周启航 领取').waitFor()
  await press(page, `放弃 ${taken.number} 的操作`)
  await page.getByText('全部已发送').waitFor()
  expect(await taskNow(ids[0])).toMatchObject({ steps: ['claimed', 'started', 'done'], scanned_number: own.number })
  const [counted] = await site.server.query(
    `select (select sum(done)::integer from work_day where kind = 'repair' and person_name = '陆小川') as done,
       (select sum(pieces)::integer from repair_part_movement where task_id = $1) as pieces,
       (select reason is not null from task_result where task_id = $1) as has_reason`,
    [ids[0]],
  )
  expect(counted).toEqual({ done: 1, pieces: -2, has_reason: true })
})
