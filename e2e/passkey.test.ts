import type { CDPSession, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import {
  chooseSetting,
  forgetSentCodes,
  logIn,
  openSite,
  phones,
  phoneScreen,
  routeIs,
  settingsButton,
} from './browser.ts'

const site = openSite()

/** A device with a fingerprint reader, emulated by Chromium. */
async function withAuthenticator(page: Page): Promise<CDPSession> {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return session
}

test('a person adds a passkey, logs in with it without any code, renames and removes it', async () => {
  await forgetSentCodes(site.server)
  const page = await site.newPage({ size: phoneScreen })
  await withAuthenticator(page)
  // A passkey belongs to a name, which an IP address is not.
  const home = site.server.url.replace('127.0.0.1', 'localhost')
  await page.goto(`${home}/console/#/login`)
  await logIn({ page, server: site.server, phone: phones.worker })

  await page.goto(`${home}/console/#/account`)
  const card = page.getByRole('region', { name: '通行密钥' })
  await card.getByText('未添加').waitFor()
  await card.getByRole('button', { name: '添加通行密钥' }).click()
  await card.getByLabel('通行密钥名称').fill('我的手机')
  await card.getByRole('button', { name: '在此设备上创建' }).click()
  await page.getByText('通行密钥已添加').waitFor()
  await card.getByText('我的手机').waitFor()
  // The same device is not added twice.
  await card.getByRole('button', { name: '添加通行密钥' }).click()
  await card.getByLabel('通行密钥名称').fill('再来一次')
  await card.getByRole('button', { name: '在此设备上创建' }).click()
  await card.getByText('该设备上已有您的通行密钥').waitFor()
  await card.getByRole('button', { name: '取消' }).click()

  await chooseSetting(page, '注销登录')
  await page.getByRole('dialog').getByRole('button', { name: '注销登录' }).click()
  await routeIs(page, '/login')
  // Other users have exhausted the SMS limits.
  await site.server.query(
    'update sms_guess set total = 100, failures = 5, failures_since = now(), last_failed_at = now()',
  )
  await page.getByRole('button', { name: '通行密钥登录' }).click()
  await settingsButton(page).waitFor()

  await page.goto(`${home}/console/#/account`)
  await card.getByText(/上次使用/).waitFor()
  await page.getByRole('region', { name: '登录会话' }).getByText('通行密钥登录').waitFor()
  await card.getByRole('button', { name: '重命名通行密钥“我的手机”' }).click()
  await card.getByLabel('通行密钥名称').fill('工作手机')
  await card.getByRole('button', { name: '保存名称' }).click()
  await card.getByText('工作手机').waitFor()
  await card.getByRole('button', { name: '删除通行密钥“工作手机”' }).click()
  await page.getByRole('dialog').getByRole('button', { name: '删除' }).click()
  await card.getByText('未添加').waitFor()

  await chooseSetting(page, '注销登录')
  await page.getByRole('dialog').getByRole('button', { name: '注销登录' }).click()
  await routeIs(page, '/login')
  await page.getByRole('button', { name: '通行密钥登录' }).click()
  await page.getByRole('alert').filter({ hasText: '通行密钥验证失败' }).waitFor()
  expect(page.url()).toContain('/login')
})
