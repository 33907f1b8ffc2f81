import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import {
  catchKeys,
  chooseSetting,
  forgetSentCodes,
  logIn,
  openSite,
  phones,
  routeIs,
  routeOf,
  settingsButton,
} from './browser.ts'

const site = openSite()

const storedKeys = (page: Page): Promise<string[]> =>
  page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('xc__')))

describe('a visitor', () => {
  test('is led to the welcome page, which keeps where he wanted to go, and finds both ways in', async () => {
    const page = await site.newPage()
    await page.goto('/')
    await routeIs(page, '/login-home')
    await page.goto('/console/#/vehicle/operation-map?vehicle=SD100001')
    await routeIs(page, `/login-home`)
    const wanted = new URLSearchParams(routeOf(page).split('?')[1])
    expect(wanted.get('redirect')).toBe('/vehicle/operation-map?vehicle=SD100001')
    const ways = page.getByRole('navigation', { name: '进入平台' })
    await ways.getByRole('link', { name: '申请加盟' }).click()
    await routeIs(page, '/register')
    await page.goBack()
    await ways.getByRole('link', { name: '登录' }).click()
    await routeIs(page, '/login')
    expect(new URLSearchParams(routeOf(page).split('?')[1]).get('redirect')).toBe(wanted.get('redirect'))
    await page.goto('/console/#/no-such-page')
    await routeIs(page, '/404')
    const mark = page.locator('[data-watermark]')
    for (const path of ['/404', '/login-home', '/register', '/register-result']) {
      await page.goto(`/console/#${path}`)
      await expect.poll(() => mark.getAttribute('data-watermark'), { message: path }).toBe('请勿外传 共享出行运营平台')
    }
    await page.goto('/console/#/login')
    await page.getByLabel('手机号').waitFor()
    expect(await mark.count()).toBe(0)
  })

  test('is told what is wrong with phone and code, in the words of the specification', async () => {
    const page = await site.newPage()
    await page.goto('/console/#/login')
    const phone = page.getByLabel('手机号')
    const code = page.getByLabel('验证码', { exact: true })
    const send = page.getByRole('button', { name: '发送验证码' })
    const enter = page.getByRole('button', { name: '登录', exact: true })
    const told = (text: string) => page.getByRole('alert').filter({ hasText: text }).waitFor()

    await send.click()
    await told('无效手机号')
    await phone.fill('1380013')
    await enter.click()
    await told('手机号码格式不正确')
    await told('无效验证码')
    await phone.fill('12800138000')
    await code.focus()
    await told('手机号码格式不正确')
    await phone.fill('138001380001234')
    expect(await phone.inputValue()).toHaveLength(11)
    await code.pressSequentially('12a')
    await told('请输入数字')
    expect(await code.inputValue()).toBe('')
    await code.fill('12345')
    await enter.click()
    await told('无效验证码')
    expect(await phone.getAttribute('maxlength')).toBe('11')
    expect(routeOf(page)).toBe('/login')
  })

  test('waits 60 seconds for another code before a grey button', async () => {
    const page = await site.newPage()
    await page.clock.install()
    await page.goto('/console/#/login')
    await page.getByLabel('手机号').fill('13900139000')
    await page.getByRole('button', { name: '发送验证码' }).click()
    await page.getByText('短信发送成功').waitFor()
    const waiting = page.getByRole('button', { name: /^重新发送/ })
    await waiting.waitFor()
    expect(await waiting.isDisabled()).toBe(true)
    expect(Number(/\d+/.exec((await waiting.textContent()) ?? '')?.[0])).toBeGreaterThan(50)
    await expect.poll(() => waiting.evaluate(colourfulness)).toBeLessThan(40)
    await page.clock.fastForward(40_000)
    await expect.poll(async () => Number(/\d+/.exec((await waiting.textContent()) ?? '')?.[0])).toBeLessThanOrEqual(20)
    await page.clock.fastForward(20_000)
    const again = page.getByRole('button', { name: '发送验证码' })
    await again.waitFor()
    expect(await again.isEnabled()).toBe(true)
    // The server's own clock has not moved: it holds the limit whatever the browser says.
    await again.click()
    await page.getByRole('alert').filter({ hasText: '短信发送次数超量' }).waitFor()
  })

  test('logs in with Enter, after a wrong code too, and stands in the shell with a watermark', async () => {
    await forgetSentCodes(site.server)
    const page = await site.newPage()
    await page.goto('/console/#/login')
    await page.getByLabel('手机号').fill(phones.manager)
    await page.getByRole('button', { name: '发送验证码' }).click()
    await page.getByText('短信发送成功').waitFor()
    const right = await site.server.readCode(phones.manager)
    const code = page.getByLabel('验证码', { exact: true })
    await code.fill(String((Number(right) + 1) % 1_000_000).padStart(6, '0'))
    await code.press('Enter')
    await page.getByRole('alert').filter({ hasText: '无效验证码' }).waitFor()
    expect(routeOf(page)).toBe('/login')

    let loads = 0
    page.on('load', () => loads++)
    await code.fill(right)
    // The message is shown for a few seconds only, so the test watches for it from the beginning.
    const greeting = Promise.all([
      page.getByText('登陆成功').waitFor(),
      page.getByText('欢迎', { exact: true }).waitFor(),
    ])
    await code.press('Enter')
    await routeIs(page, '/log')
    await page.getByRole('heading', { name: /沈一诺/ }).waitFor()
    expect(loads).toBe(1)
    await greeting

    const mark = page.locator('[data-watermark]')
    await expect.poll(() => mark.count()).toBe(1)
    const text = await mark.getAttribute('data-watermark')
    expect(text).toContain('请勿外传')
    expect(text).toMatch(new RegExp(`${phones.manager.slice(5)}$`))
    expect(await mark.evaluate((element) => getComputedStyle(element).zIndex)).toBe('10000000')
    await mark.evaluate((element) => element.remove())
    await expect.poll(() => mark.count()).toBe(1)
  })
})

describe('somebody who is logged in', () => {
  test('has no business on the login page, nor on a page without its permission', async () => {
    const page = await site.newPage({ as: phones.worker })
    await page.goto('/console/#/login')
    await routeIs(page, '/log')
    await page.goto('/console/#/agent/account-management')
    await routeIs(page, '/404')
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('这条路走不通')
  })

  test('logs out after being asked, loses every key, and comes back to where he was', async () => {
    await forgetSentCodes(site.server)
    const page = await site.newPage()
    await page.goto('/console/#/login')
    await logIn({ page, server: site.server, phone: phones.worker })
    expect(await storedKeys(page)).toContain('xc__session')
    await page.goto('/console/#/vehicle/operation-map')
    await page.getByRole('heading', { name: '运营地图' }).waitFor({ state: 'attached' })
    await chooseSetting(page, '注销登录')
    const dialog = page.getByRole('dialog')
    await dialog.getByText('真的要注销登录吗 ?').waitFor()
    await dialog.getByText('提示').filter({ visible: true }).waitFor()
    await dialog.getByRole('button', { name: '取消' }).click()
    await dialog.waitFor({ state: 'hidden' })
    await routeIs(page, '/vehicle/operation-map')
    await chooseSetting(page, '注销登录')
    await dialog.getByRole('button', { name: '注销登录' }).click()
    await routeIs(page, '/login')
    const wanted = new URLSearchParams(routeOf(page).split('?')[1]).get('redirect')
    expect(wanted).toMatch(/^\/vehicle\/operation-map/)
    // What belongs to the browser rather than to the person may stay.
    const kept = new Set(['xc__language', 'xc__theme', 'xc__device', 'xc__clientConfig'])
    expect((await storedKeys(page)).filter((key) => !kept.has(key))).toEqual([])
    const cookies = (await page.context().cookies()).map((cookie) => cookie.name)
    expect(cookies).not.toContain('_t')
    await page.goBack().catch(() => null)
    await page.goto('/console/#/log')
    await routeIs(page, '/login-home')

    await forgetSentCodes(site.server)
    await page.goto(`/console/#/login?redirect=${encodeURIComponent(wanted ?? '')}`)
    await logIn({ page, server: site.server, phone: phones.worker })
    await routeIs(page, '/vehicle/operation-map')
  })

  test('keeps keys that no request carries and no script can read, for every tab, until the logout', async () => {
    await forgetSentCodes(site.server)
    const page = await site.newPage()
    const sent: string[] = []
    const watch = (watched: Page): void => {
      watched.on('request', (request) => {
        void request.allHeaders().then(
          (headers) => sent.push(`${request.url()} ${headers['cookie'] ?? ''}`),
          () => null,
        )
      })
    }
    watch(page)
    const keys = await catchKeys(page)
    await page.goto('/console/#/login')
    await logIn({ page, server: site.server, phone: phones.worker })
    await page.reload()
    await settingsButton(page).waitFor()
    const other = await page.context().newPage()
    watch(other)
    await other.goto('/console/#/log')
    await settingsButton(other).waitFor()
    expect(sent.some((line) => line.includes('/console/') && line.includes('sid='))).toBe(true)
    const caught = [keys().encryption, keys().signing].map((bytes) => Buffer.from(bytes).toString('base64url'))
    for (const key of caught) expect(sent.filter((line) => line.includes(key))).toEqual([])
    expect(sent.filter((line) => line.includes('xc__'))).toEqual([])
    expect(await keptKeys(page)).toEqual([{ encryption: false, signing: false }])

    await chooseSetting(other, '注销登录')
    await other.getByRole('dialog').getByRole('button', { name: '注销登录' }).click()
    await routeIs(other, '/login')
    await expect.poll(() => keptKeys(page)).toEqual([])
    await expect.poll(() => routeOf(page)).toMatch(/^\/login/)
  })

  // Other external targets are rejected by the same function, which has its own tests.
  test('is not led away by a redirect to another site', async () => {
    await forgetSentCodes(site.server)
    const page = await site.newPage()
    await page.goto(`/console/#/login?redirect=${encodeURIComponent('//evil.example')}`)
    await logIn({ page, server: site.server, phone: phones.regulator })
    await routeIs(page, '/log')
    expect(new URL(page.url()).origin).toBe(site.server.url)
  })

  test('is sent to the login page when the server ended the session', async () => {
    await forgetSentCodes(site.server)
    const page = await site.newPage()
    await page.goto('/console/#/login')
    await logIn({ page, server: site.server, phone: phones.manager })
    await page.goto('/console/#/vehicle/operation-map?vehicle=SD100002')
    await page.getByRole('heading', { name: 'SD100002' }).waitFor()
    await site.server.query('update session set revoked_at = now(), keys_sealed = null where revoked_at is null')
    // No click is needed: the open vehicle is reloaded automatically, and that call is refused.
    await routeIs(page, '/login')
    const told = page.getByRole('alert').filter({ hasText: '授权验证失败' })
    await told.waitFor()
    await told.getByText('未授权').waitFor()
    expect(await storedKeys(page)).not.toContain('xc__session')
  })

  test('hears of a network that is away, before the login and after it', async () => {
    await forgetSentCodes(site.server)
    const visitor = await site.newPage()
    await visitor.goto('/console/#/login')
    await visitor.getByLabel('手机号').fill(phones.manager)
    await visitor.context().setOffline(true)
    await visitor.getByRole('button', { name: '发送验证码' }).click()
    const told = visitor.getByRole('alert').filter({ hasText: '网络出现问题，请稍后再试' })
    await told.getByText('错误').waitFor()
    // Nothing was sent, so there is no wait before the next attempt.
    await visitor.context().setOffline(false)
    await logIn({ page: visitor, server: site.server, phone: phones.manager })

    await chooseSetting(visitor, '快捷登录')
    const dialog = visitor.getByRole('dialog', { name: '快捷登录' })
    await dialog.getByLabel('快捷登录链接').waitFor()
    await visitor.keyboard.press('Escape')
    await visitor.context().setOffline(true)
    await chooseSetting(visitor, '快捷登录')
    await dialog.getByText('网络出现问题，请稍后再试').waitFor()
    await visitor.context().setOffline(false)
    await dialog.getByRole('button', { name: '重新生成' }).click()
    expect(await dialog.getByLabel('快捷登录链接').inputValue()).toContain('origin=')
  })
})

/** How far a text's colour is from grey: 0 to 255. */
function colourfulness(element: Element): number {
  const [red = 0, green = 0, blue = 0] = (getComputedStyle(element).color.match(/[\d.]+/g) ?? []).map(Number)
  return Math.max(red, green, blue) - Math.min(red, green, blue)
}

/** The session keys in the browser, and whether their bytes can be read. */
function keptKeys(page: Page): Promise<{ encryption: boolean; signing: boolean }[]> {
  return page.evaluate(
    () =>
      new Promise((resolve, reject) => {
        const request = indexedDB.open('xc__keys', 1)
        request.addEventListener('error', () => reject(request.error ?? new Error('no storage')))
        request.addEventListener('success', () => {
          const all = request.result.transaction('keys').objectStore('keys').getAll()
          all.addEventListener('success', () => {
            request.result.close()
            const found = all.result as { keys: { encryption: CryptoKey; signing: CryptoKey } }[]
            resolve(
              found.map(({ keys }) => ({ encryption: keys.encryption.extractable, signing: keys.signing.extractable })),
            )
          })
        })
      }),
  )
}
