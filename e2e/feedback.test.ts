import { expect, test } from 'vitest'
import { blankPng } from '@saddle/server/test/blankPng.ts'
import { openSite, phones } from './browser.ts'

const site = openSite()

test('a rider’s ticket becomes a question to the platform, which asks back, resolves it and is rated', async () => {
  const { server } = site
  const asker = await site.newPage({ as: phones.manager })
  const platform = await site.newPage({ as: phones.platform })

  await server.query(`insert into ticket (agent_id, area_id, kind, source, text, opened_at, due_at, changed_at)
    select a.agent_id, a.id, 'other', 'staff', '发票抬头写错了', t.at, t.at, t.at
    from service_area a cross join (select date_trunc('milliseconds', now()) as at) t where a.agent_id = 3 order by a.id limit 1`)
  const [ticket] = await server.query(`select id from ticket where text = '发票抬头写错了'`)
  await asker.goto(`/console/#/user-worksheet-detail?ticket=${String(ticket?.['id'])}`)
  await asker.getByRole('link', { name: '转为反馈工单' }).click()
  await asker.getByLabel('标题', { exact: true }).fill('发票抬头如何修改')
  await asker.getByRole('radio', { name: /较高/ }).check()
  await asker
    .locator('input[type=file]')
    .last()
    .setInputFiles({ name: 'invoice.png', mimeType: 'image/png', buffer: blankPng(640, 480) })
  await asker.getByRole('button', { name: '提交工单' }).click()
  await asker.getByRole('heading', { name: /发票抬头如何修改/ }).waitFor()

  await platform.goto('/console/#/work/view-tickets')
  await platform.getByRole('row').filter({ hasText: '发票抬头如何修改' }).getByRole('link').click()
  await platform.getByRole('button', { name: '我来处理' }).click()
  await platform.getByText('处理中').first().waitFor()
  await platform.getByRole('radio', { name: '请提交人补充' }).check()
  await platform.getByRole('textbox', { name: /请提交人补充/ }).fill('是哪一张发票？')
  await platform.getByRole('button', { name: '请提交人补充' }).click()
  await platform.getByText('计时暂停', { exact: true }).waitFor()
  await platform.getByRole('radio', { name: '内部备注' }).check()
  await platform.getByRole('textbox', { name: /内部备注/ }).fill('疑似重复问题')
  await platform.getByRole('button', { name: '内部备注' }).click()
  await platform.getByText('疑似重复问题').waitFor()

  await asker.getByRole('button', { name: /^消息，\d+ 条未读$/ }).click()
  await asker.getByRole('link', { name: /待补充：发票抬头如何修改/ }).click()
  await asker.getByText('是哪一张发票？').waitFor()
  expect(await asker.getByText('疑似重复问题').count()).toBe(0)
  await asker.getByRole('textbox', { name: /补充说明/ }).fill('上周开的那张')
  await asker.getByRole('button', { name: '补充说明' }).click()
  await asker.getByText('上周开的那张').waitFor()

  await platform.reload()
  await platform.getByText('上周开的那张').waitFor()
  await platform.getByRole('button', { name: '标为已解决' }).click()
  const dialog = platform.getByRole('dialog')
  await dialog.getByRole('textbox', { name: '处理结果' }).fill('可以在发票页重开')
  await dialog.getByRole('button', { name: '标为已解决' }).click()
  await platform.getByText('可以在发票页重开').waitFor()

  await asker.reload()
  await asker.getByRole('radio', { name: '5 星' }).check()
  await asker.getByRole('button', { name: '提交评价' }).click()
  await asker.getByText('已评价，工单已关闭').waitFor()
  const [made] = await server.query(
    `select state, rating, ticket_id is not null as linked, cardinality(photo_ids) as photos from feedback_ticket where title = '发票抬头如何修改'`,
  )
  expect(made).toEqual({ state: 'closed', rating: 5, linked: true, photos: 1 })
})
