import { demoFranchiseeId } from '@saddle/contract/demo/riders.ts'
import { expect, test } from 'vitest'
import { openSite, phones } from './browser.ts'
import { sendAsApp } from './riderApp.ts'

const site = openSite()
const agentId = demoFranchiseeId('qinghe')

interface DepositAnswer {
  readonly payment: { readonly number: string; readonly cents: number } | null
}

/** What a new rider is asked to deposit in the area. */
async function askedOf(phone: string, areaId: number) {
  const { body } = await sendAsApp<DepositAnswer>(
    site.server,
    { method: 'POST', path: '/rider/v1/deposit' },
    { phone, agentId, areaId },
  )
  return body
}

test('a deposit is set for an area, tried, asked of a rider, changed, and its history is read and exported', async () => {
  const page = await site.newPage({ as: phones.manager, size: { width: 1440, height: 900 } })
  const [area] = await site.server.query('select id, name from service_area where agent_id = $1 order by id limit 1', [
    agentId,
  ])
  const [areaId, areaName] = [Number(area?.['id']), String(area?.['name'])]
  await page.goto('/console/#/marketing/deposit-config')
  const row = page.getByRole('row').filter({ hasText: areaName })
  await row.click()
  const panel = page.getByRole('complementary', { name: '押金设置' })
  const dialog = page.getByRole('dialog')
  const set = async (yuan: string) => {
    await panel.getByRole('button', { name: '修改' }).click()
    await dialog.getByLabel('押金', { exact: true }).fill(yuan)
    await dialog.getByText(`押金 ${yuan}.00 元`).waitFor()
    await dialog.getByRole('button', { name: '看看影响多少人' }).click()
    await dialog.getByRole('columnheader', { name: '设置后' }).waitFor()
    await dialog.getByRole('button', { name: '保存到 1 个服务区' }).click()
    await panel.getByText(`押金 ${yuan}.00 元`).first().waitFor()
  }

  await set('50')
  await row.getByText('单独设置').waitFor()
  expect((await askedOf('17000327701', areaId)).data.payment?.cents).toBe(5_000)
  await set('30')
  expect((await askedOf('17000327702', areaId)).data.payment?.cents).toBe(3_000)
  const history = panel.getByText(/^本服务区 · 押金/)
  await expect.poll(() => history.allInnerTexts()).toHaveLength(2)
  expect(await history.first().innerText()).toContain('押金 30.00 元')

  await page.getByRole('button', { name: '导出', exact: true }).click()
  await page.getByText(/^已导出 \d+ 行$/).waitFor()
  await panel.getByRole('button', { name: '改为跟随加盟商' }).click()
  await row.getByText('单独设置').waitFor({ state: 'detached' })
  await panel.getByText('改为跟随加盟商', { exact: false }).first().waitFor()
})
