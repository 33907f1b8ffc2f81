import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { chooseSetting, openSite, phones, routeIs, settingsButton } from './browser.ts'

const site = openSite()

async function makeLink(page: Page): Promise<string> {
  await chooseSetting(page, '快捷登录')
  const dialog = page.getByRole('dialog', { name: '快捷登录' })
  const link = await dialog.getByLabel('快捷登录链接').inputValue()
  await dialog.getByRole('button', { name: '复制' }).click()
  await page.getByText('复制完毕').waitFor()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(link)
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  return link
}

async function isRefused(link: string): Promise<void> {
  const page = await site.newPage()
  await page.goto(link)
  await page.getByRole('alert').filter({ hasText: '快捷登录链接无效或已过期' }).waitFor()
  await routeIs(page, '/login-home')
  await page.goto('/console/#/log')
  await routeIs(page, '/login-home')
}

test('a link logs another screen in, once, and only as it was made', async () => {
  const page = await site.newPage({ as: phones.manager })
  await page.goto('/console/#/log')
  const link = await makeLink(page)

  const wall = await site.newPage()
  await wall.goto(link)
  await routeIs(wall, '/log')
  await wall.getByRole('heading', { name: /沈一诺/ }).waitFor()
  expect(wall.url()).not.toContain('origin=')
  await wall.reload()
  await settingsButton(wall).waitFor()

  await isRefused(link)

  const another = await makeLink(page)
  const place = another.length - 12
  const altered = another.slice(0, place) + (another[place] === 'A' ? 'B' : 'A') + another.slice(place + 1)
  await isRefused(altered)
  // An attempt with an altered link does not consume the valid one.
  const second = await site.newPage()
  await second.goto(another)
  await second.getByRole('heading', { name: /沈一诺/ }).waitFor()
})

test('the link counts down and ends after 60 seconds', async () => {
  const page = await site.newPage({ as: phones.manager })
  await page.clock.install()
  await page.goto('/console/#/log')
  await chooseSetting(page, '快捷登录')
  const dialog = page.getByRole('dialog', { name: '快捷登录' })
  await dialog.getByText(/剩余 (60|5\d) 秒/).waitFor()
  await page.clock.fastForward(61_000)
  await dialog.getByText('链接已过期。').waitFor()
  expect(await dialog.getByLabel('快捷登录链接').count()).toBe(0)
})
