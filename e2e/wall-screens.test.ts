import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openSite, phones, routeIs } from './browser.ts'

const site = openSite({ env: { SCREEN_CACHE_SECONDS: '0' } })
const wallSize = { width: 1920, height: 1080 } as const

/** A browser on a wall, and the code that it shows. */
async function openWall(): Promise<{ readonly wall: Page; readonly code: string }> {
  const wall = await site.newPage({ size: wallSize })
  await wall.goto('/console/#/screen-login')
  const shown = wall.getByLabel('配对码', { exact: true })
  await shown.waitFor()
  return { wall, code: ((await shown.textContent()) ?? '').replaceAll(/\s/g, '') }
}

interface Entered {
  readonly staff: Page
  readonly code: string
  readonly name: string
  readonly areas?: readonly string[]
}

/** Staff enter the code beside the screen that they see themselves. */
async function enter({ staff, code, name, areas = [] }: Entered): Promise<void> {
  await staff.getByRole('button', { name: '大屏终端' }).click()
  await staff.getByRole('button', { name: '配对大屏' }).click()
  const dialog = staff.getByRole('dialog', { name: '配对大屏' })
  await dialog.getByLabel('配对码').fill(code)
  await dialog.getByLabel('大屏名称').fill(name)
  if (areas.length > 0) {
    await dialog.getByRole('combobox', { name: '服务区' }).click()
    for (const area of areas) await staff.getByTitle(area, { exact: true }).click()
    await staff.keyboard.press('Escape')
  }
  await dialog.getByRole('button', { name: '配对', exact: true }).click()
  await staff.getByText('大屏已配对，几秒后开始显示').waitFor()
}
const openScreen = async (as: (typeof phones)[keyof typeof phones]): Promise<Page> => {
  const page = await site.newPage({ as, size: { width: 1440, height: 900 } })
  await page.goto('/console/#/screenHome')
  await page.getByRole('heading', { name: '今日骑行' }).waitFor()
  return page
}

test('a wall shows a code, then the screens of its company, and a code again when it is removed', async () => {
  const staff = await openScreen(phones.manager)
  const { wall, code } = await openWall()
  await enter({ staff, code, name: '大厅' })
  await wall.getByRole('heading', { name: '运营大屏' }).waitFor()
  await wall.getByText('2 个服务区').waitFor()
  await wall.getByText('青禾出行').first().waitFor()
  // A wall has no other page: whatever is opened in its browser leads back to it.
  await wall.goto('/console/#/user-info')
  await routeIs(wall, '/screen-login')
  await wall.reload()
  await wall.getByRole('heading', { name: '今日骑行' }).waitFor()

  await staff.getByRole('button', { name: '移除大屏“大厅”' }).click()
  await staff.getByRole('dialog', { name: '移除大屏“大厅”' }).getByRole('button', { name: '移除大屏“大厅”' }).click()
  await staff.getByText('大屏已移除').waitFor()
  const next = wall.getByLabel('配对码', { exact: true })
  await next.waitFor()
  expect(await next.textContent()).not.toContain(code.slice(0, 4))
})

test('a wall with one area shows that one, and a person narrows the own screen', async () => {
  const staff = await openScreen(phones.manager)
  const { wall, code } = await openWall()
  await enter({ staff, code, name: '老城', areas: ['老城服务区'] })
  await wall.getByText('1 个服务区').waitFor()
  const ranked = wall.getByRole('list').filter({ hasText: '老城服务区' })
  await ranked.first().waitFor()
  expect(await wall.getByText('江南服务区').count()).toBe(0)
  const drawer = staff.getByRole('dialog', { name: '大屏终端' })
  await drawer.getByRole('button', { name: '关闭' }).click()
  await drawer.waitFor({ state: 'hidden' })

  await staff.getByText('2 个服务区').waitFor()
  await staff.getByRole('combobox', { name: '大屏服务区' }).click()
  await staff.getByTitle('江南服务区', { exact: true }).click()
  await staff.getByText('1 个服务区', { exact: true }).waitFor()
  await staff.reload()
  await staff.getByText('1 个服务区', { exact: true }).waitFor()
})

test('a screen keeps its last figures with a mark while the line is lost', async () => {
  const staff = await openScreen(phones.manager)
  const { wall, code } = await openWall()
  await enter({ staff, code, name: '断线' })
  const figure = wall.locator('.wall-figure strong').first()
  await figure.waitFor()
  await wall.context().setOffline(true)
  await wall.getByText(/^连接中断，显示 \d\d:\d\d:\d\d 的数据$/).waitFor()
  expect(await figure.textContent()).toMatch(/\d/)
  await wall.context().setOffline(false)
  await wall.getByText(/^数据更新于/).waitFor()
})

test('a worker without the permission has no screen', async () => {
  const page = await site.newPage({ as: phones.regulator })
  await page.goto('/console/#/screenHome1')
  await routeIs(page, '/404')
  expect(await page.locator('.wall').count()).toBe(0)
})
