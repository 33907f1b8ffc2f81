import { expect, test } from 'vitest'
import { openSite, phones, routeOf, settingsButton } from './browser.ts'

const site = openSite()
/** Longer than the pause after which the address names a new view. */
const settledMs = 600

test('a server that is killed and comes back costs nobody the session, and the map comes back by itself', async () => {
  const page = await site.newPage({ as: phones.manager })
  await page.goto('/console/#/vehicle/operation-map?vehicle=SD100002')
  const inView = page.getByTestId('in-view')
  await expect.poll(() => inView.innerText()).toMatch(/^[1-9]\d* 辆$/)
  // The list has vehicles before the map is there and has gone to the vehicle of the link: both readings are of the same view.
  await page.locator('[data-map-ready]').waitFor()
  let last = ''
  const isSettled = async (): Promise<boolean> => {
    const before = last
    last = `${routeOf(page)} ${await inView.innerText()}`
    return last === before && last.includes('view=')
  }
  await expect.poll(isSettled, { interval: settledMs }).toBe(true)
  const before = await inView.innerText()
  const loadedAt = await page.evaluate(() => performance.timeOrigin)

  await site.server.stop('SIGKILL')
  const note = page.getByText(/实时连接已断开.*正在重连/)
  await note.waitFor()
  // Known vehicles stay on the map.
  expect(await inView.innerText()).toBe(before)

  await site.server.restart()
  await note.waitFor({ state: 'hidden' })
  await expect.poll(() => inView.innerText()).toBe(before)
  expect(await page.evaluate(() => performance.timeOrigin)).toBe(loadedAt)
  expect(routeOf(page)).toMatch(/^\/vehicle\/operation-map/)
  // The session is still valid: a mutating call is accepted.
  await page.getByRole('button', { name: '在线客服' }).click()
  const chat = page.getByRole('region', { name: '在线客服' })
  await chat.getByLabel('输入消息').fill('重启之后')
  await chat.getByRole('button', { name: '发送' }).click()
  await chat.getByRole('log').getByText('重启之后').waitFor()
  await page.reload()
  await settingsButton(page).waitFor()
})
