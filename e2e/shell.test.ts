import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { chooseSetting, openSite, phones, phoneScreen, routeIs, routeOf, settingsButton } from './browser.ts'

const site = openSite()

const menuOf = (page: Page) => page.getByRole('navigation', { name: '主菜单' })
const crumbsOf = (page: Page) => page.getByRole('navigation', { name: '当前位置' })
const tabsOf = (page: Page) => page.getByRole('navigation', { name: '已打开的页面' })
const unfoldedRoots = (page: Page): Promise<string[]> =>
  menuOf(page).locator('button[aria-expanded=true]').allInnerTexts()

async function themeDrawer(page: Page) {
  await chooseSetting(page, '主题设置')
  const drawer = page.getByRole('dialog').filter({ hasText: '主题设置' })
  await drawer.waitFor()
  return {
    drawer,
    close: async () => {
      await page.keyboard.press('Escape')
      await drawer.waitFor({ state: 'hidden' })
    },
  }
}

describe('the menu', () => {
  test('has one root open at a time, remembers it over a collapse, and leads to pages with breadcrumbs', async () => {
    const page = await site.newPage({ as: phones.platform })
    await page.goto('/console/#/log')
    const root = (name: string) => menuOf(page).getByRole('button', { name })
    await root('权限管理').click()
    expect(await unfoldedRoots(page)).toEqual(['权限管理'])
    await root('车辆监控').click()
    await expect.poll(() => unfoldedRoots(page)).toEqual(['车辆监控'])

    await page.getByRole('button', { name: '收起菜单' }).click()
    await expect.poll(() => unfoldedRoots(page)).toEqual([])
    await expect.poll(async () => (await page.locator('.shell-sider').boundingBox())?.width).toBe(80)
    await page.getByRole('button', { name: '展开菜单' }).click()
    await expect.poll(() => unfoldedRoots(page)).toEqual(['车辆监控'])
    await expect.poll(async () => (await page.locator('.shell-sider').boundingBox())?.width).toBe(256)

    await menuOf(page).getByRole('link', { name: '运营地图', exact: true }).click()
    await routeIs(page, '/vehicle/operation-map')
    const crumbs = crumbsOf(page)
    await crumbs.locator('[aria-current=page]').getByText('运营地图').waitFor()
    expect(await crumbs.getByRole('listitem').first().innerText()).toBe('首页')
    expect(await crumbs.getByRole('listitem').count()).toBe(3)
    await crumbs.getByRole('link', { name: '首页' }).click()
    await routeIs(page, '/log')
  })

  test('shows a worker only what he may open', async () => {
    const page = await site.newPage({ as: phones.worker })
    await page.goto('/console/#/log')
    await menuOf(page).waitFor()
    expect(await menuOf(page).getByText('权限管理').count()).toBe(0)
    expect(await menuOf(page).getByRole('button').count()).toBeGreaterThan(1)
  })

  test('is a drawer on a phone', async () => {
    const page = await site.newPage({ as: phones.worker, size: phoneScreen })
    await page.goto('/console/#/log')
    await page.getByRole('button', { name: '打开菜单' }).click()
    const drawer = page.getByRole('dialog', { name: '主菜单' })
    await drawer.waitFor()
    const link = drawer.getByRole('link', { name: '运营地图', exact: true })
    const group = drawer.getByRole('button', { name: '车辆监控' })
    if ((await group.getAttribute('aria-expanded')) === 'false') await group.click()
    await link.click()
    await routeIs(page, '/vehicle/operation-map')
    await drawer.waitFor({ state: 'hidden' })
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(phoneScreen.width)
  })
})

describe('tabs', () => {
  test('keep what their pages were left with, and are closed one by one or by the right-click menu', async () => {
    const page = await site.newPage({ as: phones.platform })
    await page.goto('/console/#/log')
    const { drawer, close } = await themeDrawer(page)
    await drawer.getByRole('switch', { name: '多标签页' }).click()
    await close()
    const tabs = tabsOf(page)
    const tab = (name: string) => tabs.getByRole('link', { name, exact: true })
    const names = (): Promise<string[]> => tabs.getByRole('link').allInnerTexts()
    expect(await names()).toEqual(['首页'])
    // The only tab cannot be closed.
    expect(await tabs.getByRole('button', { name: /^关闭/ }).count()).toBe(0)

    await page.goto('/console/#/vehicle/operation-map')
    await expect.poll(names).toEqual(['首页', '运营地图'])
    const filter = page.getByRole('group', { name: '按状态筛选' }).getByRole('button', { name: /骑行中/ })
    await filter.click()
    await routeIs(page, /show=on_trip/)
    const search = page.getByRole('searchbox', { name: '车辆编号或 IMEI' })
    await search.fill('SD1000')
    const map = page.locator('.maplibregl-canvas').first()
    await map.waitFor()
    const mark = await map.evaluate((element) => (element.dataset['seen'] = 'before'))
    await tab('首页').click()
    await routeIs(page, '/log')
    await expect.poll(() => tabs.locator('[aria-current=page]').innerText()).toBe('首页')
    await tab('运营地图').click()
    await routeIs(page, /^\/vehicle\/operation-map\?.*show=on_trip/)
    expect(await search.inputValue()).toBe('SD1000')
    expect(await filter.getAttribute('aria-pressed')).toBe('true')
    expect(await map.getAttribute('data-seen')).toBe(mark)

    const choose = async (name: string, action: string): Promise<void> => {
      await tab(name).click({ button: 'right' })
      await page.getByRole('menu', { name: '标签操作' }).getByRole('menuitem', { name: action }).click()
    }
    await choose('首页', '关闭左侧')
    await page.getByText('左侧没有标签').waitFor()
    await choose('运营地图', '关闭右侧')
    await page.getByText('右侧没有标签').waitFor()
    expect(await names()).toEqual(['首页', '运营地图'])
    await choose('首页', '关闭右侧')
    await expect.poll(names).toEqual(['首页'])
    await routeIs(page, '/log')
    await page.goto('/console/#/vehicle/operation-map')
    await expect.poll(names).toEqual(['首页', '运营地图'])
    await choose('运营地图', '关闭左侧')
    await expect.poll(names).toEqual(['运营地图'])
    await page.goto('/console/#/log')
    await tabs.getByRole('button', { name: '关闭 运营地图' }).click()
    await expect.poll(names).toEqual(['首页'])
    await page.goto('/console/#/vehicle/operation-map')
    await choose('首页', '全部关闭')
    await expect.poll(names).toEqual(['首页'])
    await routeIs(page, '/log')
  })
})

describe('the theme', () => {
  test('changes colour and background at once, is copied, and stays', async () => {
    const page = await site.newPage({ as: phones.platform })
    await page.goto('/console/#/log')
    const look = (name: string): Promise<string> =>
      page.evaluate((each) => getComputedStyle(document.documentElement).getPropertyValue(each).trim(), name)
    const accent = await look('--accent')
    const { drawer, close } = await themeDrawer(page)
    await drawer.getByTitle('明青').click()
    await page.getByText('正在编译主题！').waitFor()
    await expect.poll(() => look('--accent')).not.toBe(accent)
    const cyan = await look('--accent')

    await drawer.getByRole('button', { name: '复制设置' }).click()
    await page.getByText('复制完毕').waitFor()
    const copied: unknown = JSON.parse(await page.evaluate(() => navigator.clipboard.readText()))
    expect(copied).toMatchObject({ primaryColor: '#08979c', navTheme: 'dark', layout: 'sidemenu', multiTab: false })
    await close()
    await page.reload()
    await settingsButton(page).waitFor()
    expect(await look('--accent')).toBe(cyan)

    const background = (): Promise<string> => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
    const light = await background()
    await chooseSetting(page, '深色界面')
    await expect.poll(background).not.toBe(light)
    await page.reload()
    await settingsButton(page).waitFor()
    expect(await background()).not.toBe(light)
  })
})

describe('English', () => {
  test('leaves no Chinese on login, home, shell and map but what people and places are called', async () => {
    const visitor = await site.newPage()
    for (const path of ['/login-home', '/login', '/register', '/404']) {
      await visitor.goto(`/console/#${path}`)
      await routeIs(visitor, path)
      const english = visitor.getByRole('button', { name: 'English' })
      if (await english.isVisible()) await english.click()
      await expect.poll(() => chineseIn(visitor), { message: path }).toEqual([])
    }
    const page = await site.newPage({ as: phones.platform })
    await page.goto('/console/#/log')
    await chooseSetting(page, 'English')
    for (const path of ['/log', '/vehicle/operation-map?vehicle=SD100001']) {
      await page.goto(`/console/#${path}`)
      await page.getByRole('navigation').first().waitFor()
      await expect.poll(() => chineseIn(page), { message: path }).toEqual([])
    }
    await settingsButton(page).click()
    expect(await chineseIn(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.keyboard.press('?')
    await page.getByRole('dialog').waitFor()
    expect(await chineseIn(page)).toEqual([])
  })
})

test('the palette finds pages by name and vehicles by number', async () => {
  const page = await site.newPage({ as: phones.platform })
  await page.goto('/console/#/log')
  await settingsButton(page).waitFor()
  await page.keyboard.press('Control+k')
  const palette = page.getByRole('dialog', { name: '查找' })
  await palette.getByRole('combobox').fill('运营地图')
  await palette
    .getByRole('option', { name: /运营地图/ })
    .first()
    .waitFor()
  await page.keyboard.press('Escape')
  await palette.waitFor({ state: 'hidden' })
  await page.keyboard.press('/')
  await palette.getByRole('combobox').fill('SD100004')
  await palette
    .getByRole('option', { name: /SD100004/ })
    .first()
    .waitFor()
  await page.keyboard.press('Enter')
  await routeIs(page, /^\/vehicle\/operation-map\?.*vehicle=SD100004/)
  await page.getByRole('region', { name: '车辆面板' }).getByRole('heading', { name: 'SD100004' }).waitFor()
  await page.goto('/console/#/log')
  await page.keyboard.press('g')
  await page.keyboard.press('v')
  await routeIs(page, '/vehicle/operation-map')
  expect(routeOf(page)).not.toBe('/log')
})

/** What the demo's people, companies and places are called; and the other language under its own name. */
const names = [
  '林知远',
  '平台管理员',
  '青骑共享出行科技有限公司',
  '青骑运营平台',
  '青骑共享出行',
  '云麓文旅集团',
  '云麓市',
  '栖霞共享单车服务部',
  '栖霞镇',
  '南浦慢行科技有限公司',
  '南浦市',
  '澄湖市',
  '西城服务区',
  '绿途单车',
  '中文',
]

/** Lines of visible text, labels and titles that have Chinese in them beside names. */
async function chineseIn(page: Page): Promise<string[]> {
  const lines = await page.evaluate(() => {
    const shown = [...document.querySelectorAll('[aria-label],[title],[placeholder]')]
      .filter((element) => element.checkVisibility())
      .flatMap((element) => ['aria-label', 'title', 'placeholder'].map((name) => element.getAttribute(name) ?? ''))
    return [...document.body.innerText.split('\n'), ...shown]
  })
  const withoutNames = (line: string): string => names.reduce((rest, name) => rest.replaceAll(name, ''), line)
  return lines.filter((line) => /\p{Script=Han}/u.test(withoutNames(line)))
}
