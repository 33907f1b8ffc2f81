import { expect, test } from 'vitest'
import { openSite, phones } from './browser.ts'

const site = openSite()

test('a visitor is told to log in', async () => {
  const page = await site.newPage()
  await page.goto('/console/#/login-home')
  await page.getByRole('button', { name: '在线客服' }).click()
  const chat = page.getByRole('region', { name: '在线客服' })
  await chat.getByText('尊敬的用户，您好，登录后才可以和我聊天哦！').waitFor()
  expect(await chat.getByRole('textbox').count()).toBe(0)
})

test('operator and support talk live', async () => {
  const worker = await site.newPage({ as: phones.worker })
  const support = await site.newPage({ as: phones.platform })
  const question = '老城服务区 3 号站点的车桩松动，请安排处理'
  const answer = '收到，已经派单给维修组'
  const chatOf = (page: typeof worker) => page.getByRole('region', { name: '在线客服' })

  await support.goto('/console/#/log')
  await support.getByRole('button', { name: '在线客服' }).click()
  await chatOf(support).getByRole('button', { name: '收件箱' }).click()
  await chatOf(support)
    .getByRole('button', { name: /陆小川/ })
    .waitFor()

  await worker.goto('/console/#/log')
  await worker.getByRole('button', { name: '在线客服' }).click()
  // Only support users have the inbox.
  expect(await chatOf(worker).getByRole('button', { name: '收件箱' }).count()).toBe(0)
  const words = chatOf(worker).getByLabel('输入消息')
  await words.fill(question)
  await words.press('Enter')
  await chatOf(worker).getByRole('log').getByText(question).waitFor()
  await expect.poll(() => words.inputValue()).toBe('')

  const row = chatOf(support).getByRole('button', { name: new RegExp(`陆小川.*${question}`) })
  await row.waitFor()
  await row.click()
  await chatOf(support).getByRole('log').getByText(question).waitFor()
  await chatOf(support).getByLabel('输入消息').fill(answer)
  await chatOf(support).getByRole('button', { name: '发送' }).click()

  const reply = chatOf(worker).getByRole('log').locator('[data-mine=false]').filter({ hasText: answer })
  await reply.waitFor()
  // A message is shown once, however often it is delivered.
  expect(await reply.count()).toBe(1)
  const stored = await site.server.query('select count(*)::int as count from chat_message where text = $1', [question])
  expect(stored).toEqual([{ count: 1 }])
})
