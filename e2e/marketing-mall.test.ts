import { expect, test } from 'vitest'
import { openSite, phones } from './browser.ts'
import { sendAsApp } from './riderApp.ts'

const site = openSite()
const rider = '17000345678'

interface MallAnswer {
  readonly offered?: readonly { readonly id: number; readonly name: string; readonly left: number | null }[]
  readonly payment?: { readonly number: string } | null
}

/** A call of the rider app. */
async function ask(method: 'GET' | 'POST', path: string, input: Record<string, string | number>) {
  const { body } = await sendAsApp<MallAnswer>(site.server, { method, path: `/rider/v1/${path}` }, input)
  return body
}

test('a card of three rides is made, tried, sold until it is sold out, given back and withdrawn', async () => {
  const page = await site.newPage({ as: phones.manager })
  await page.goto('/console/#/marketing/mall-config?view=new')
  const field = (label: string) => page.getByLabel(label, { exact: false }).first()
  await field('名称').fill('三次测试卡')
  await field('售价').fill('6.00')
  await page.getByText('按次').click()
  await field('总次数').fill('3')
  await field('有效天数').fill('7')
  await field('每次免费分钟').fill('30')
  await field('总库存').fill('1')
  const phone = page.getByRole('complementary', { name: '预览' })
  await phone.getByText('3 次，7 天内有效').waitFor()
  await phone.getByRole('button', { name: '试算' }).click()
  await phone.getByText(/买卡划算的人|这段时间没有骑行/).waitFor()
  await page.getByRole('button', { name: '新增并上架' }).click()
  await page.getByText('已新增卡').first().waitFor()

  const [made] = await site.server.query('select agent_id from card_product where name = $1', ['三次测试卡'])
  const agentId = Number(made?.['agent_id'])
  const { data: mall } = await ask('GET', 'cards', { phone: rider, agentId })
  const card = mall.offered?.find(({ name }) => name === '三次测试卡')
  expect(card).toMatchObject({ left: 1 })
  const purchase = { phone: rider, agentId, productId: card?.id ?? 0, payBy: 'channel', requestId: 'mall-e2e-1' }
  const { data: bought } = await ask('POST', 'cards', purchase)
  const late = await ask('POST', 'cards', { ...purchase, phone: '17000345679', requestId: 'mall-e2e-2' })
  expect(late.error?.code).toBe('card_sold_out')
  const paid = await fetch(`${site.server.url}/pay/sandbox/${bought.payment?.number}`, { method: 'POST' })
  expect(paid.status).toBe(204)

  await page.goto('/console/#/marketing/mall-config')
  const row = page.getByRole('row').filter({ hasText: '三次测试卡' })
  await expect
    .poll(async () => {
      await page.reload()
      await row.waitFor()
      return row.innerText()
    })
    .toContain('已售罄')
  await row.click()
  await page.getByRole('button', { name: '生效中 1' }).click()
  await page.getByRole('button', { name: '退卡', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: /^原因/ }).fill('买错了')
  await dialog.getByRole('button', { name: /退/ }).last().click()
  await page.getByRole('button', { name: '已退卡 1' }).waitFor()
  await page.getByRole('button', { name: '下架', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: '下架，不再恢复' }).click()
  await row.getByText('已下架').waitFor()
})
