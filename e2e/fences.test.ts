import { expect, test } from 'vitest'
import { openSite, phones } from './browser.ts'

const site = openSite()

test('a parking place is drawn with the mouse, cut, changed and brought back as it was', async () => {
  const page = await site.newPage({ as: phones.platform })
  await page.goto('/console/#/electronic/parking-fence')
  await page.getByRole('button', { name: '新增停车点' }).click()
  const map = page.locator('canvas.maplibregl-canvas')
  await page.locator('[data-map-ready]').waitFor()
  const box = await map.boundingBox()
  if (box === null) throw new Error('the map has no place on the page')
  const at = (x: number, y: number) => [box.x + box.width / 2 + x, box.y + box.height / 2 + y] as const
  // The corners must not snap to fences along the streets.
  await page.getByRole('button', { name: '吸附' }).click()

  for (const corner of [at(-60, 20), at(60, 20), at(60, 110), at(-60, 110)]) await page.mouse.click(...corner)
  await page.mouse.click(...at(-60, 20))
  await page.getByLabel('名称').fill('测试大停车点')
  await page.getByLabel('容量').fill('40')
  await page.getByText(/重叠|没有冲突/).waitFor()

  // Undo opens the line again, and redo closes it.
  await page.getByRole('button', { name: '撤销一步' }).click()
  await page.getByRole('button', { name: '画多边形', exact: true }).waitFor()
  await page.getByRole('button', { name: '重做' }).click()
  await page.getByRole('button', { name: '拆分' }).click()
  await page.mouse.click(...at(0, 10))
  await page.mouse.click(...at(0, 120))
  await page.keyboard.press('Enter')
  await page.getByText('拆分为 2 个').waitFor()
  await page.getByRole('button', { name: '保存', exact: true }).click()
  await page.getByText('已新增 2 个围栏').waitFor()

  const card = page.getByRole('article')
  await card.getByRole('heading', { name: '测试大停车点' }).waitFor()
  expect(await card.getByText('40', { exact: true }).count()).toBe(1)
  await card.getByRole('button', { name: '编辑' }).click()
  await page.getByLabel('修改原因').fill('扩大容量')
  await page.getByLabel('容量').fill('55')
  await page.getByRole('button', { name: '保存', exact: true }).click()
  await card.getByText('v2').waitFor()
  expect(await card.getByText('扩大容量').count()).toBe(1)
  await card.getByRole('button', { name: '恢复此版本' }).click()
  await card.getByText('v3').waitFor()
  expect(await card.getByText('恢复自第 1 版').count()).toBe(1)
  expect(await card.getByText('40', { exact: true }).count()).toBe(1)
})
