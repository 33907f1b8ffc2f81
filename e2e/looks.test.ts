import { expect, test } from 'vitest'
import { detailListMaxColumns } from '@saddle/contract/constants.ts'
import { openSite, phones } from './browser.ts'

const site = openSite()

test('a list of details has no more than four columns, however wide the page is', async () => {
  const page = await site.newPage({ as: phones.platform, size: { width: 2560, height: 900 } })
  await page.addInitScript(() =>
    localStorage.setItem('xc__theme', JSON.stringify({ value: { contentWidth: 'Fluid' } })),
  )
  const [order] = await site.server.query('select id from rider_order order by id desc limit 1')
  const [rider] = await site.server.query('select id from rider order by id limit 1')
  for (const path of [
    `/user-order-detail?order=${String(order?.['id'])}`,
    `/user-info-detail?rider=${String(rider?.['id'])}`,
    '/agent/account-management',
  ]) {
    await page.goto(`/console/#${path}`)
    const lists = page.locator('.detail-list')
    await lists.first().waitFor()
    const columns = await lists.evaluateAll((elements) =>
      elements.map((element) => getComputedStyle(element).gridTemplateColumns.split(' ').length),
    )
    expect(Math.max(...columns), path).toBe(detailListMaxColumns)
  }
})
