import { riderContentEndpoints } from '@saddle/contract/marketing/riderContent.ts'
import { expect, test } from 'vitest'
import { chooseOption, openSite, phones } from './browser.ts'
import { askAsApp } from './riderApp.ts'

const site = openSite()
const phone = '17000312399'

/** A call of the rider app. */
const ask = <T>(name: keyof typeof riderContentEndpoints, input: Record<string, unknown>): Promise<T> =>
  askAsApp<T>(site.server, riderContentEndpoints[name], input)

test('an article is written, previewed, published, read and withdrawn; an ad runs, is seen, tapped and ended', async () => {
  const page = await site.newPage({ as: phones.manager })
  await page.goto('/console/#/marketing/help-config')
  await page.getByRole('button', { name: '新增文章' }).click()
  const [area] = await site.server.query('select id, agent_id from service_area where agent_id = 3 order by id limit 1')
  const { id: areaId, agent_id: agentId } = area as { id: string; agent_id: string }
  const app = { agentId: Number(agentId) }
  await page.getByLabel('中文标题').fill('雨天怎么骑')
  await page.getByLabel('中文正文', { exact: true }).fill('请**慢行**，雨衣见车筐')
  await page.getByRole('figure', { name: '中文预览' }).getByText('慢行').waitFor()
  await page.getByText('缺少英文，英文用户会看到中文。').waitFor()
  await page.getByRole('button', { name: '保存为草稿' }).click()
  await page.getByText('已保存为草稿，发布后骑行者可见').waitFor()
  await page.getByText('雨天怎么骑').first().click()
  await page.getByRole('button', { name: '发布', exact: true }).click()
  await page.getByText('已发布', { exact: true }).first().waitFor()
  const { list } = await ask<{ list: { id: number }[] }>('riderHelp', { ...app, areaId, text: '雨衣见车筐' })
  expect(list).toHaveLength(1)
  const read = { ...app, phone, id: list[0]?.id }
  await ask('riderReadHelp', read)
  await ask('riderJudgeHelp', { ...read, isUseful: true })
  await page.reload()
  await page.getByText('雨天怎么骑').first().click()
  await page.getByRole('button', { name: '有用 1' }).click()
  await page.getByText('170****2399').first().waitFor()
  await page.getByRole('button', { name: '撤下', exact: true }).click()
  await page.getByText('已撤下，骑行者看不到').waitFor()
  expect((await ask<{ list: unknown[] }>('riderHelp', { ...app, areaId, text: '雨衣见车筐' })).list).toEqual([])

  await page.goto('/console/#/marketing/ad-config')
  await page.getByRole('button', { name: '新增广告' }).click()
  await chooseOption(page.getByRole('combobox', { name: '广告位' }).last(), '扫码页')
  await page.getByLabel('名称').last().fill('雨天提醒')
  await page.getByRole('textbox', { name: '文字选填', exact: true }).fill('雨天路滑请慢行')
  await page.getByRole('figure', { name: '广告预览' }).getByText('雨天路滑请慢行').waitFor()
  await page.getByRole('button', { name: '保存为草稿' }).click()
  await page.getByText('已保存为草稿，投放后骑行者可见').waitFor()
  await page.getByText('雨天提醒').first().click()
  await page.getByRole('button', { name: '投放', exact: true }).click()
  await page.getByText('已投放', { exact: true }).waitFor()
  const [ad] = await site.server.query(`select id from ad_placement where name = '雨天提醒'`)
  const placementId = Number((ad as { id: string }).id)
  const event = (kind: string) => ({ id: `e2e-event-${kind}`, placementId, kind, at: Date.now() })
  const shown = () =>
    ask<{ list: { id: number; text: string }[] }>('riderPlacements', { ...app, phone, areaId, slot: 'scan' })
  expect((await shown()).list.find(({ id }) => id === placementId)?.text).toBe('雨天路滑请慢行')
  const report = { ...app, phone, areaId: Number(areaId), events: [event('impression'), event('tap')] }
  expect(await ask('riderReportPlacements', report)).toEqual({ counted: 2, repeated: 0, refused: [] })
  expect(await ask('riderReportPlacements', report)).toEqual({ counted: 0, repeated: 2, refused: [] })
  await page.reload()
  await page.getByText('雨天提醒').first().click()
  await page.getByRole('button', { name: '展示 1，点击 1' }).click()
  await page.getByRole('figure', { name: /每日展示/ }).waitFor()
  await page.getByRole('button', { name: '结束', exact: true }).click()
  await page.getByRole('button', { name: '结束广告' }).click()
  await page.getByText('已结束', { exact: true }).first().waitFor()
  expect((await shown()).list.map(({ id }) => id)).not.toContain(placementId)
})

test('a telephone line is added, read by riders of its area, changed and switched off', async () => {
  const page = await site.newPage({ as: phones.manager })
  const [area] = await site.server.query('select id, agent_id from service_area where agent_id = 3 order by id limit 1')
  const app = { agentId: Number(area?.['agent_id']), areaId: Number(area?.['id']) }
  const dialled = async () =>
    (await ask<{ lines: { number: string }[] }>('riderTelephones', app)).lines.map(({ number }) => number)
  await page.goto('/console/#/marketing/help-config')
  await page.getByRole('button', { name: '客服电话' }).click()
  await page.getByRole('button', { name: '新增电话' }).click()
  const form = page.getByRole('dialog')
  await form.getByLabel('名称', { exact: true }).fill('端到端热线')
  await form.getByLabel('电话号码').fill('400-888-2399')
  await form.getByLabel('第 1 段开始').fill('00:00')
  await form.getByLabel('第 1 段结束').fill('24:00')
  await form.getByRole('button', { name: '保存，立即生效' }).click()
  await page.getByText('已新增电话').waitFor()
  expect(await dialled()).toContain('400-888-2399')

  const row = page.getByRole('row').filter({ hasText: '端到端热线' })
  await row.click()
  await form.getByLabel('电话号码').fill('400-888-2400')
  await form.getByRole('button', { name: '保存，立即生效' }).click()
  await row.getByText('400-888-2400').waitFor()
  expect(await dialled()).toContain('400-888-2400')
  await row.getByRole('button', { name: '停用' }).click()
  await page.getByText('已停用，骑行者看不到').waitFor()
  expect(await dialled()).not.toContain('400-888-2400')
})
