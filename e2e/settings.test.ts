import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { openSite, phones } from './browser.ts'

const site = openSite({ env: { NOTICE_LOCAL_WEBHOOKS: 'true' } })

test('a company chooses a level for itself, an area another, and both take it back', async () => {
  const page = await site.newPage({ as: phones.manager })
  await page.goto('/console/#/backend/system-config')
  const row = page.getByRole('article').filter({ hasText: '停止租用的电量' })
  await row.getByText('平台默认').waitFor()

  const change = async (value: string) => {
    await row.getByRole('button', { name: '修改' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel(/停止租用的电量/).fill(value)
    await dialog.getByRole('button', { name: '保存' }).click()
  }
  await change('12')
  await row.getByText('公司设置').waitFor()
  await row.getByText('12 %').waitFor()

  await page.getByRole('combobox', { name: '服务区（默认整个公司）' }).click()
  await page.getByRole('option').first().waitFor({ state: 'attached' })
  await page.keyboard.press('Enter')
  await row.getByText('12 %').waitFor()
  await change('5')
  await row.getByText('本服务区设置').waitFor()
  await page.getByRole('button', { name: '撤销' }).last().click()
  await row.getByText('12 %').waitFor()

  await row.getByRole('button', { name: '变更记录' }).click()
  const earlier = page.getByRole('dialog').getByRole('listitem').filter({ hasText: '5 %' })
  await earlier.getByRole('button', { name: '恢复为此值' }).click()
  await row.getByText('5 %').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: '撤销' }).last().click()
  await row.getByText('12 %').waitFor()
  const rows = await site.server.query(
    `select area_id is null as company, value from setting_change where code = 'battery_out_percent' order by id`,
  )
  expect(rows).toEqual([
    { company: true, value: 12 },
    { company: false, value: 5 },
    { company: false, value: null },
    { company: false, value: 5 },
    { company: false, value: null },
  ])
})

test('a company makes a webhook, gets a signed message, and sends it again from the log', async () => {
  const heard: { readonly signature: string; readonly text: string }[] = []
  const receiver = createServer((request, response) => {
    let text = ''
    request.on('data', (part: Buffer) => (text += part.toString()))
    request.on('end', () => {
      heard.push({ signature: String(request.headers['saddle-signature']), text })
      response.writeHead(200).end('thanks')
    })
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  afterAll(() => {
    receiver.closeAllConnections()
    receiver.close()
  })
  const page = await site.newPage({ as: phones.manager })
  await page.goto('/console/#/agent/open-interfaces')
  const part = page.getByRole('region', { name: 'Webhook', exact: true })
  await part.getByRole('button', { name: '新建 Webhook' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('名称').fill('订单同步')
  await dialog.getByLabel('接收地址').fill(`http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`)
  await dialog.getByLabel('结算对账单').check()
  await dialog.getByRole('button', { name: '新建' }).click()
  const secret = (await part.locator('output code').first().textContent()) ?? ''
  await part.getByRole('button', { name: '我已保存' }).click()

  await part.getByRole('button', { name: '测试“订单同步”' }).click()
  await expect.poll(() => site.server.query('select state from webhook_delivery')).toEqual([{ state: 'sent' }])
  await page.reload()
  const log = page.getByRole('region', { name: '推送记录', exact: true }).first()
  await log
    .getByText('thanks')
    .or(log.getByRole('button', { name: /^查看消息/ }))
    .first()
    .click()
  await page.getByText('thanks').waitFor()
  await page.keyboard.press('Escape')
  await log.getByRole('button', { name: /^重新推送消息/ }).click()
  await expect.poll(() => heard.length).toBe(2)
  for (const { signature, text } of heard) {
    const seconds = /^t=(\d+)/.exec(signature)?.[1] ?? ''
    const expected = createHmac('sha256', secret).update(`${seconds}.${text}`).digest('hex')
    expect(signature).toContain(`v1=${expected}`)
  }
  expect(heard[0]?.text).toBe(heard[1]?.text)
})
