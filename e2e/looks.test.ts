import { expect, test } from 'vitest'
import { detailListMaxColumns } from '@saddle/contract/constants.ts'
import { openSite, phones } from './browser.ts'

/** Two pixels wide. */
const logo = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAYAAABytg0kAAAAEUlEQVR4nGNQSLjwH4QZYAwATRQJPQ9o4IcAAAAASUVORK5CYII=',
  'base64',
)
const site = openSite({ historyDays: 1 })

test('a list of details has no more than four columns, however wide the page is', async () => {
  const page = await site.newPage({ as: phones.platform, size: { width: 2560, height: 900 } })
  await page.addInitScript(() =>
    localStorage.setItem('xc__theme', JSON.stringify({ value: { contentWidth: 'Fluid' } })),
  )
  const newest = async () =>
    (await site.server.query('select id, rider_id from ride_order order by id desc limit 1'))[0]
  await expect.poll(newest).toBeDefined()
  const order = await newest()
  for (const path of [
    `/user-order-detail?order=${String(order?.['id'])}`,
    `/user-info-detail?rider=${String(order?.['rider_id'])}`,
    '/agent/account-management',
  ]) {
    await page.goto(`/console/#${path}`)
    const columns = () =>
      page
        .locator('.detail-list')
        .evaluateAll((elements) =>
          elements.map((element) => getComputedStyle(element).gridTemplateColumns.split(' ').length),
        )
    await page.reload()
    await expect.poll(async () => Math.max(...(await columns())), { message: path }).toBe(detailListMaxColumns)
  }
})

test('a person sets the layout in production too, and another browser has it', async () => {
  const page = await site.newPage({ as: phones.manager })
  await page.goto('/console/#/account')
  const card = page.getByRole('region', { name: '界面布局' })
  await card.getByRole('checkbox', { name: '多标签页' }).click()
  await page.getByRole('navigation', { name: '已打开的页面' }).waitFor()
  await card.getByRole('radio', { name: '顶部菜单' }).click()
  await page.locator('.shell-frame[data-layout=topmenu]').waitFor()
  const other = await site.newPage({ as: phones.manager })
  await other.goto('/console/#/log')
  await other.locator('.shell-frame[data-layout=topmenu]').waitFor()
  await other.getByRole('navigation', { name: '已打开的页面' }).waitFor()
  await card.getByRole('button', { name: '恢复公司默认' }).click()
  await page.locator('.shell-frame[data-layout=sidemenu]').waitFor()
  expect(await page.evaluate(() => localStorage.getItem('xc__theme'))).not.toContain('topmenu')
})

test('a company gets its logo and names, and its people see them', async () => {
  const page = await site.newPage({ as: phones.manager })
  await page.goto('/console/#/agent/account-management')
  await page.getByRole('button', { name: '品牌与布局' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('平台名称').fill('青禾运营台')
  await dialog.getByLabel('选择图片').setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: logo })
  await dialog.locator('.look-header img[src^=data]').waitFor()
  await dialog.getByRole('button', { name: '保存' }).click()
  await page.getByText('已保存“青禾出行”的品牌与布局').waitFor()
  await page.reload()
  const brand = page.locator('.shell-brand')
  await brand.getByText('青禾运营台').waitFor()
  const picture = brand.locator('img[src^="/brand/"]')
  await picture.waitFor()
  expect(await picture.evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth))).toBe(2)
  await expect.poll(() => page.locator('[data-watermark]').getAttribute('data-watermark')).toContain('青禾运营台')
})

test('a chart is drawn, and its table and its files have the same days', async () => {
  const page = await site.newPage({ as: phones.platform })
  await page.goto('/console/#/vehicle/operational-analysis')
  const chart = page.getByRole('figure', { name: /^行程数/ })
  const drawn = () =>
    chart.locator('canvas').evaluate((canvas: HTMLCanvasElement) => {
      const picture = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data ?? []
      return picture.some((value) => value !== 0)
    })
  await chart.locator('canvas').waitFor()
  await expect.poll(drawn).toBe(true)
  const choose = async (name: string) => {
    await chart.getByRole('button', { name: '行程数：更多操作' }).click()
    await page.getByRole('menuitem', { name }).click()
  }
  const picture = page.waitForEvent('download')
  await choose('下载图片')
  expect((await picture).suggestedFilename()).toBe('行程数.png')
  await choose('查看表格')
  expect(await chart.locator('tbody tr').count()).toBe(7)
  const file = page.waitForEvent('download')
  await choose('下载表格')
  expect((await file).suggestedFilename()).toBe('行程数.csv')
  await choose('查看图表')
  await chart.locator('canvas').waitFor()
})
