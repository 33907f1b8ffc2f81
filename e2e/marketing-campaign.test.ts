import { expect, test } from 'vitest'
import { openSite, phones, routeIs } from './browser.ts'

const site = openSite()

/** Makes a rider of the manager's company, as the riders' app does. */
async function addRider(phone: string): Promise<void> {
  const response = await fetch(`${site.server.url}/rider/v1/recharge`, {
    method: 'POST',
    headers: { 'x-api-key': site.server.riderKey(), 'content-type': 'application/json' },
    body: JSON.stringify({ phone, agentId: 3, cents: 1_000 }),
  })
  expect(response.status).toBe(200)
}

test('a segment is made, a message goes to it but for those held out, and its results are read', async () => {
  for (let n = 0; n < 12; n += 1) await addRider(`170003166${String(n).padStart(2, '0')}`)
  const page = await site.newPage({ as: phones.manager })
  await page.goto('/console/#/marketing/segment-edit')
  await page.getByText(/^符合条件 [\d,]+ 人/).waitFor()
  await page.getByLabel('名称', { exact: true }).fill('端到端人群')
  await page.getByRole('button', { name: '新增人群' }).click()
  await routeIs(page, '/marketing/segment')
  await page.getByRole('row').filter({ hasText: '端到端人群' }).first().click()
  const segment = page.getByRole('complementary', { name: '人群详情' })
  await segment.getByRole('link', { name: '推送给这些用户' }).click()

  await routeIs(page, '/marketing/campaign-edit')
  await page.getByLabel('名称', { exact: true }).fill('端到端推送')
  await page.getByLabel('应用内消息').check()
  await page.getByLabel(/^标题/).fill('周末来骑车')
  await page.getByLabel(/^内容/).fill('附近车辆充足')
  await page.getByRole('figure', { name: '预览' }).getByText('周末来骑车').waitFor()
  for (const name of ['免打扰开始', '免打扰结束']) {
    const field = page.locator('.ant-select').filter({ has: page.getByRole('combobox', { name }) })
    await field.hover()
    await field.locator('.ant-select-clear').click()
  }
  await page.getByLabel(/^发送上限/).fill('5')
  await page.getByRole('button', { name: '保存为草稿' }).click()

  await routeIs(page, '/marketing/campaign')
  await page.getByRole('row').filter({ hasText: '端到端推送' }).first().click()
  const campaign = page.getByRole('complementary', { name: '推送详情' })
  await campaign.getByRole('button', { name: '启动' }).click()
  await page.getByRole('dialog').getByRole('button', { name: '启动' }).click()
  await page.getByText('已启动推送').waitFor()
  await expect
    .poll(
      async () => {
        await page.reload()
        const row = page.getByRole('row').filter({ hasText: '端到端推送' }).first()
        await row.waitFor()
        return row.innerText()
      },
      { timeout: 60_000, interval: 2_000 },
    )
    .toContain('已达发送上限')
  await page.getByRole('row').filter({ hasText: '端到端推送' }).first().click()
  await campaign.getByRole('button', { name: '发送结果' }).click()
  await campaign.getByText('已发送').first().waitFor()
  await campaign.getByRole('button', { name: '效果' }).click()
  await campaign.getByText('对照用户').waitFor()
  await campaign.getByRole('button', { name: '内容与进度' }).click()
  await campaign.getByRole('link', { name: '端到端人群' }).waitFor()
  await campaign.getByRole('button', { name: '5', exact: true }).click()
  await expect.poll(() => campaign.getByText('已发送').count()).toBeGreaterThan(1)

  // Its riders are in a file, which the export centre keeps.
  await campaign.getByRole('button', { name: '导出', exact: true }).click()
  await page.getByRole('status').getByRole('button', { name: '导出中心' }).click()
  await routeIs(page, '/exports')
  const file = page.getByRole('row').filter({ hasText: '推送' }).first()
  await file.getByText('可下载').waitFor()
  const download = page.waitForEvent('download')
  await file.getByRole('button', { name: '下载' }).click()
  expect((await download).suggestedFilename()).toMatch(/\.csv$|\.xlsx$/)
  await page.goBack()
  await page.getByRole('row').filter({ hasText: '端到端推送' }).first().click()

  // A copy is ended before it starts.
  await campaign.getByRole('link', { name: '复制' }).click()
  await routeIs(page, '/marketing/campaign-edit')
  await page.getByLabel('名称', { exact: true }).fill('端到端推送二')
  await page.getByRole('button', { name: '保存为草稿' }).click()
  await routeIs(page, '/marketing/campaign')
  const copy = page.getByRole('row').filter({ hasText: '端到端推送二' }).first()
  await copy.click()
  await campaign.getByRole('button', { name: '取消推送' }).click()
  await page.getByRole('dialog').getByRole('button', { name: '取消推送' }).click()
  await page.getByText('已取消推送').waitFor()
  await copy.getByText('已取消').waitFor()
})
