import { demoVehicleCount, demoVehicles } from '@saddle/contract/demo/city.ts'
import { createSingleDevice, type SingleDevice } from '@saddle/simulator/src/fleet/single.ts'
import type { Page } from 'playwright-core'
import { afterEach, expect, test } from 'vitest'
import { hourMs } from '@saddle/contract/time.ts'
import { openSite, phones } from './browser.ts'

/** With a day of the city's past, so that there is something to travel back to. */
const site = openSite({ historyDays: 1 })
const running: SingleDevice[] = []
const fleet = demoVehicleCount.toLocaleString('en-US')

afterEach(() => {
  for (const device of running.splice(0)) device.stop()
})

const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 })
const resultCount = (page: Page) => page.getByTestId('list-count')

test('a condition is saved, found again, deleted and brought back', async () => {
  const page = await site.newPage({ as: phones.manager })
  await page.goto('/console/#/vehicle/vehicle-screening')
  await heading(page, '车辆筛查').waitFor()
  const kept = page.getByRole('complementary', { name: '保存的条件' })
  // The demo's saved filters already exist.
  await kept.getByText('有未关闭告警').waitFor()
  await page.getByRole('button', { name: '电量', exact: true }).click()
  await page.getByLabel('电量不高于').fill('40')
  await page.getByRole('button', { name: '确定' }).click()
  await kept.getByRole('button', { name: '保存条件' }).click()
  const dialog = page.getByRole('dialog', { name: '保存条件' })
  await dialog.getByLabel('条件名称').fill('电量告急')
  await dialog.getByRole('button', { name: '保存', exact: true }).click()
  await kept.getByText('电量告急').waitFor()

  // Another person of the company does not see unshared filters.
  const other = await site.newPage({ as: phones.platform })
  await other.goto('/console/#/vehicle/vehicle-screening')
  const others = other.getByRole('complementary', { name: '保存的条件' })
  await others.getByText('24 小时无人骑行').waitFor()
  expect(await others.getByText('电量告急').count()).toBe(0)

  await page.goto('/console/#/vehicle/vehicle-screening')
  await kept
    .getByRole('button', { name: /电量告急/ })
    .first()
    .click()
  await page.getByRole('button', { name: '电量： ≤ 40%' }).waitFor()
  await page.getByRole('button', { name: '电量： ≤ 40%' }).click()
  expect(await page.getByLabel('电量不高于').inputValue()).toBe('40')
  await page.keyboard.press('Escape')
  await kept.getByRole('button', { name: '删除条件“电量告急”' }).click()
  await kept.getByText('电量告急').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: '撤销' }).click()
  await kept.getByText('电量告急').waitFor()
})

test('many vehicles are commanded at once: what will happen stands there before, and what happened after', async () => {
  const page = await site.newPage({ as: phones.manager })
  const first = demoVehicles(demoVehicleCount).find((one) => one.agentKey === 'qinghe' && one.protocol === 'omni')
  if (first === undefined) throw new Error('the franchisee has no vehicle with this protocol')
  const device = createSingleDevice({ vehicle: first, host: '127.0.0.1', port: site.server.ports.omni, seed: 3 })
  running.push(device)
  await expect.poll(() => device.online).toBe(true)

  await page.goto('/console/#/vehicle/vehicle-query')
  await page.getByRole('searchbox', { name: '车辆编号或 IMEI' }).fill(first.number)
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: first.number }).waitFor()
  await page.getByRole('button', { name: '选中全部结果' }).click()
  await page.getByText('已选 1 条').waitFor()
  await page.getByRole('button', { name: '批量指令' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('radio', { name: '寻车铃', exact: true }).check()
  await dialog.getByRole('list', { name: '逐辆预览' }).getByText(first.number).waitFor()
  await dialog.getByLabel('原因（写入操作日志）').fill('找车')
  await dialog.getByRole('button', { name: '寻车铃 1 辆车' }).click()
  await dialog.locator('[data-command-state=confirmed]').waitFor()
  const [command] = await site.server.query(
    `select c.kind, c.state, c.reason, v.number from vehicle_command c join vehicle v on v.id = c.vehicle_id
     order by c.id desc limit 1`,
  )
  expect(command).toEqual({ kind: 'ring', state: 'confirmed', reason: '找车', number: first.number })
})

// Links carry any moment. Regression: the two halves of a second were once treated differently.
test.each([0, 499, 500, 999])(
  'the map goes back to a moment %i ms after a second, and shows the whole fleet',
  async (milliseconds) => {
    const page = await site.newPage({ as: phones.platform })
    const at = Math.floor(Date.now() / 1000) * 1000 - 5 * hourMs + milliseconds
    await page.goto(`/console/#/vehicle/operation-map?at=${at}`)
    const past = page.getByRole('region', { name: '时间回溯' })
    await expect.poll(() => past.innerText()).toMatch(new RegExp(`${fleet} 辆车，\\d+ 辆骑行中`))
  },
)

test('the map plays on from a moment of the past, and comes back to now', async () => {
  const page = await site.newPage({ as: phones.platform })
  const at = Date.now() - 5 * hourMs
  await page.goto(`/console/#/vehicle/operation-map?at=${at}`)
  const past = page.getByRole('region', { name: '时间回溯' })
  await past.getByText(new RegExp(`^${fleet} 辆车，\\d+ 辆骑行中$`)).waitFor()
  const clock = past.locator('time')
  const begin = await clock.innerText()
  await past.getByRole('button', { name: '播放' }).click()
  await expect.poll(() => clock.innerText()).not.toBe(begin)
  await past.getByRole('button', { name: '暂停' }).click()
  // Rides of the moment by the database, beside those on the map: the clock has moved on a little.
  const [ridden] = await site.server.query(
    `select count(*)::int as rides from trip where started_at <= to_timestamp(${at / 1000}) + interval '1 hour'
     and ended_at >= to_timestamp(${at / 1000}) - interval '1 hour'`,
  )
  expect(Number(ridden?.['rides'])).toBeGreaterThan(0)
  await past.getByRole('button', { name: '回到现在' }).click()
  await past.waitFor({ state: 'hidden' })
  expect(page.url()).not.toContain('at=')
})

test('one vehicle shows its whole life, and its list leads there', async () => {
  const [busy] = await site.server.query(
    `select v.number, count(*)::int as rides from trip t join vehicle v on v.id = t.vehicle_id
     group by v.number order by 2 desc, 1 limit 1`,
  )
  const number = String(busy?.['number'])
  const page = await site.newPage({ as: phones.platform })
  await page.goto(`/console/#/vehicle/vehicle-query`)
  await page.getByRole('searchbox', { name: '车辆编号或 IMEI' }).fill(number)
  await page.keyboard.press('Enter')
  await expect.poll(() => resultCount(page).innerText()).toBe('1 条')
  await page.getByRole('link', { name: number }).click()
  await heading(page, number).waitFor()
  expect(page.url()).toContain(`vehicle=${number}`)
})

test('a regulator sees figures and fences, and no vehicle by number on any way', async () => {
  const page = await site.newPage({ as: phones.regulator })
  await page.goto('/console/#/vehicle/government-operation-map')
  await heading(page, '政府监管地图').waitFor()
  await page.getByText('车辆总数').waitFor()
  // The city's and those that are still in the factory.
  const [vehicles] = await site.server.query('select count(*)::int as count from vehicle')
  const figure = page.locator('.figure', { hasText: '车辆总数' }).locator('b')
  await expect.poll(() => figure.innerText()).toBe(Number(vehicles?.['count']).toLocaleString('en-US'))
  expect(await page.content()).not.toMatch(/SD1\d{5}/)
  for (const path of ['vehicle-query', 'vehicle-screening', 'operation-map']) {
    await page.goto(`/console/#/vehicle/${path}`)
    await expect.poll(() => page.getByText('页面不存在，或者您的账号没有查看它的权限。').count()).toBe(1)
    expect(await page.content()).not.toMatch(/SD1\d{5}/)
  }
})

test('work is asked for at a desk, handed out, taken back and brought back, and found again behind its figures', async () => {
  const page = await site.newPage({ as: phones.manager })
  const vehicle = demoVehicles(demoVehicleCount).findLast((one) => one.areaIndex === 1)
  if (vehicle === undefined) throw new Error('the area has no vehicle')
  const { number } = vehicle
  const stateOf = async () => {
    const [row] = await site.server.query(
      `select t.state, t.person_name from task t join vehicle v on v.id = t.vehicle_id
       where v.number = $1 and t.kind = 'inspect' order by t.id desc limit 1`,
      [number],
    )
    return row
  }
  await page.goto('/console/#/data/operation-tasks')
  await heading(page, '运维任务').waitFor()
  await page.getByRole('button', { name: '新建任务' }).click()
  const dialog = page.getByRole('dialog', { name: '新建任务' })
  await dialog.getByLabel('车辆编号，每行一个').fill(number.toLowerCase())
  await dialog.getByRole('button', { name: '为 1 辆车创建任务' }).click()
  await page.getByText('已创建 1 个任务').waitFor()
  await page
    .getByRole('row')
    .filter({ hasText: number })
    .getByRole('cell', { name: '巡检', exact: true })
    .first()
    .click()
  const panel = page.getByRole('complementary', { name: '任务详情' })
  await panel.getByText(`巡检 ${number}`).waitFor()
  await panel.getByRole('combobox', { name: '派给' }).click()
  await page.getByTitle(/^陆小川/).click()
  await panel.getByRole('button', { name: '派发 1 个任务' }).click()
  await expect.poll(stateOf).toEqual({ state: 'claimed', person_name: '陆小川' })
  await panel.getByLabel('说明（取消与不通过时必填）').fill('重复')
  await panel.getByRole('button', { name: '取消 1 个任务' }).click()
  await expect.poll(stateOf).toMatchObject({ state: 'cancelled' })
  // The message that the task was made offers to undo that as well.
  await page.locator('.toast', { hasText: '已取消 1 个任务' }).getByRole('button', { name: '撤销' }).click()
  await expect.poll(stateOf).toEqual({ state: 'open', person_name: null })

  // A day of the past has finished swaps: the figure leads to the tasks that it counts.
  await page.goto('/console/#/data/power-change-statistics')
  await heading(page, '换电统计').waitFor()
  const done = page.getByRole('link', { name: /^完成/ })
  const count = Number((await done.locator('b').innerText()).replaceAll(/\D/g, ''))
  expect(count).toBeGreaterThan(0)
  await done.click()
  await expect.poll(() => page.getByTestId('list-count').last().innerText()).toBe(`${count.toLocaleString('en-US')} 条`)
})
