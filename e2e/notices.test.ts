import { expect, test } from 'vitest'
import { openSite, phones } from './browser.ts'

const site = openSite()

test('a withdrawal that failed rings the bell, leads to its page, and is told by rule, text and channel', async () => {
  const { server } = site
  const page = await site.newPage({ as: phones.manager })
  await page.goto('/console/#/backend/message-config')
  await page.getByRole('heading', { name: '消息配置' }).waitFor()

  await page.getByRole('button', { name: '登记邮箱' }).click()
  await page.getByLabel('邮箱', { exact: true }).fill('wang@example.com')
  await page.getByRole('button', { name: '发送验证码' }).click()
  await page.getByLabel('验证码', { exact: true }).waitFor()
  await page.getByLabel('验证码', { exact: true }).fill(await codeOf())
  await page.getByRole('button', { name: '确认邮箱' }).click()
  await page.getByText('wa***@example.com', { exact: true }).waitFor()

  await page.getByRole('button', { name: '通知规则', exact: true }).click()
  const rule = page.getByRole('listitem').filter({ hasText: '提现失败' })
  await rule.getByText('邮件').waitFor()
  await rule.getByRole('button', { name: '修改' }).click()
  await page.getByRole('checkbox', { name: 'App 推送' }).check()
  await page.getByRole('button', { name: '保存规则' }).click()
  await rule.getByText('本公司设置').waitFor()

  await page.goto('/console/#/backend/notice-template')
  await page.getByRole('button', { name: '提现失败' }).click()
  await page.getByRole('textbox', { name: '标题' }).fill('请留意：提现 {{cents}} 失败')
  await page.getByRole('figure', { name: '预览' }).getByText('请留意：提现 ¥123.45 失败').waitFor()
  await page.getByRole('button', { name: '测试发送给我' }).click()
  await page.getByText('已发送给您，请查收').waitFor()
  await page.getByRole('button', { name: '保存新版本' }).click()
  await page.getByText('本公司设置').first().waitFor()

  await server.query(`insert into notice (agent_id, event, subject, key, "values", path, at)
    values (3, 'withdrawal_failed', 'e2e', 'e2e', '{"cents": 88800, "number": "7"}', '/account', now())`)
  await page.getByRole('button', { name: /^消息，\d+ 条未读$/ }).click()
  await page.getByRole('link', { name: /请留意：提现 ¥888.00 失败/ }).click()
  await page.waitForURL(/#\/account/)
  await expect
    .poll(() =>
      server.query(`select d.channel, d.state from notice_delivery d join operator o on o.id = d.operator_id
        where d.subject = 'e2e' and (d.channel <> 'in_app' or d.read_at is not null) and d.channel <> 'push'
          and (d.channel = 'in_app' or d.reason is null) order by d.channel`),
    )
    .toEqual([
      { channel: 'email', state: 'sent' },
      { channel: 'in_app', state: 'sent' },
    ])

  await page.goto('/console/#/backend/message-config')
  await page.getByRole('button', { name: '发送记录' }).click()
  await page.getByText('请留意：提现 ¥888.00 失败').first().waitFor()
  await page.getByText('已送达').first().waitFor()
})

/** The code that the latest letter carries. */
async function codeOf(): Promise<string> {
  let code: string | undefined
  await expect
    .poll(
      () =>
        (code = site.server
          .letters()
          .flatMap((title) => /\d{6}/.exec(title) ?? [])
          .at(-1)),
    )
    .toBeDefined()
  return code ?? ''
}
