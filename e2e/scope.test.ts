import { demoAreas, demoVehicleCount, demoVehicles, type DemoVehicle } from '@saddle/contract/demo/city.ts'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openSite, phones } from './browser.ts'

const site = openSite()

/** The demo's vehicles stand in six areas, two of each franchisee. */
const fleet = demoVehicles(demoVehicleCount)
const countWhere = (matches: (vehicle: DemoVehicle) => boolean): string => String(fleet.filter(matches).length)
const areaIndexOf = (name: string): number => demoAreas.findIndex((area) => area.name === name)
const everything = String(fleet.length)
const ofOneFranchisee = countWhere((vehicle) => vehicle.agentKey === 'qinghe')
const ofOneArea = countWhere((vehicle) => vehicle.areaIndex === areaIndexOf('老城服务区'))

const plainText = async (page: Page, id: string): Promise<string> =>
  (await page.getByTestId(id).innerText()).replaceAll(',', '')
const totalOf = (page: Page): Promise<string> => plainText(page, 'fleet-total')
const inViewOf = (page: Page): Promise<string> => plainText(page, 'in-view')
const map = '/console/#/vehicle/operation-map'

async function narrow(page: Page, selector: '加盟商' | '服务区', titles: readonly string[]): Promise<void> {
  await page.getByRole('button', { name: new RegExp(`^${selector} `) }).click()
  const dialog = page.getByRole('dialog')
  const clear = dialog.getByRole('button', { name: '取消全选' })
  if (await clear.isVisible()) await clear.click()
  for (const title of titles) await dialog.getByRole('checkbox', { name: new RegExp(title) }).check()
  await dialog.getByRole('button', { name: '确定' }).click()
  await dialog.waitFor({ state: 'hidden' })
}

test('the platform narrows franchisee and service area, and map, counters and list follow', async () => {
  const page = await site.newPage({ as: phones.platform })
  await page.goto(map)
  await expect.poll(() => totalOf(page)).toBe(everything)
  await expect.poll(() => inViewOf(page)).toBe(`${everything} 辆`)
  const franchisees = page.getByRole('button', { name: /^加盟商 / })
  const areas = page.getByRole('button', { name: /^服务区 / })
  expect(await franchisees.getAttribute('aria-label')).toBe('加盟商 全选')
  expect(await areas.getAttribute('aria-label')).toBe('服务区 全选')

  await franchisees.click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('青禾出行').waitFor()
  await dialog.getByText('(3)').waitFor()
  await dialog.getByRole('button', { name: '取消全选' }).click()
  await dialog.getByRole('button', { name: '确定' }).click()
  await page.getByText('请至少选择一项').waitFor()
  expect(await dialog.isVisible()).toBe(true)
  await dialog.getByRole('checkbox', { name: /青禾出行/ }).check()
  await dialog.getByRole('button', { name: '确定' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await expect.poll(() => franchisees.getAttribute('aria-label')).toBe('加盟商 1个')
  await expect.poll(() => totalOf(page)).toBe(ofOneFranchisee)
  await expect.poll(() => inViewOf(page)).toBe(`${ofOneFranchisee} 辆`)

  await narrow(page, '服务区', ['老城服务区'])
  await expect.poll(() => areas.getAttribute('aria-label')).toBe('服务区 1个')
  await expect.poll(() => totalOf(page)).toBe(ofOneArea)
  await expect.poll(() => inViewOf(page)).toBe(`${ofOneArea} 辆`)

  // Kept over a new load of the page.
  await page.reload()
  await expect.poll(() => totalOf(page)).toBe(ofOneArea)

  // Selecting every item means "all", including items that are added later.
  await narrow(page, '服务区', ['老城服务区', '江南服务区'])
  await expect.poll(() => areas.getAttribute('aria-label')).toBe('服务区 全选')
  await expect.poll(() => totalOf(page)).toBe(ofOneFranchisee)
  await franchisees.click()
  await dialog.getByRole('button', { name: '全选', exact: true }).click()
  await dialog.getByRole('button', { name: '确定' }).click()
  await expect.poll(() => franchisees.getAttribute('aria-label')).toBe('加盟商 全选')
  await expect.poll(() => totalOf(page)).toBe(everything)
  await expect.poll(() => inViewOf(page)).toBe(`${everything} 辆`)
})

test('a worker sees the one area that is his, and nothing else by any way', async () => {
  const page = await site.newPage({ as: phones.worker })
  await page.goto(map)
  await expect.poll(() => totalOf(page)).toBe(ofOneArea)
  await expect.poll(() => inViewOf(page)).toBe(`${ofOneArea} 辆`)
  expect(await page.getByRole('button', { name: /^加盟商 / }).count()).toBe(0)
  await page.getByRole('button', { name: /^服务区 / }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('checkbox').first().waitFor()
  expect(await dialog.getByRole('listitem').allInnerTexts()).toEqual([expect.stringContaining('老城服务区')])
  await dialog.getByRole('button', { name: '取消', exact: true }).click()

  // SD100001 stands in another franchisee's area, SD100002 in his own.
  const foreign = await site.newPage({ as: phones.worker })
  await foreign.goto(`${map}?vehicle=SD100001`)
  const panel = foreign.getByRole('region', { name: '车辆面板' })
  await panel.getByText('没有找到这辆车').waitFor()
  expect(await panel.getByText('西城服务区').count()).toBe(0)
  await foreign.getByRole('searchbox', { name: '车辆编号或 IMEI' }).fill('SD100001')
  await foreign.keyboard.press('Enter')
  await foreign.getByRole('search').getByText('没有找到这辆车').waitFor()
  await foreign.getByRole('searchbox', { name: '车辆编号或 IMEI' }).fill('SD100002')
  await foreign.keyboard.press('Enter')
  await panel.getByRole('heading', { name: 'SD100002' }).waitFor()
})
