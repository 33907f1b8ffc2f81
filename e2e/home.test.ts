import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openSite, phones } from './browser.ts'
import type { Phone } from './people.ts'

/** With a day of the city's past: tasks, alarms and orders that something can be counted of. */
const site = openSite({ historyDays: 1 })

/** `1,234` and `1,234+`, whatever stands around it. */
const numberIn = (text: string): number => Number(/\d[\d,]*/.exec(text)?.[0].replaceAll(',', '') ?? Number.NaN)
const queuesOf = (page: Page) => page.getByRole('region', { name: '需要处理' })

interface Line {
  readonly title: string
  readonly count: number
  readonly href: string
}

/** The lines that lead to a list with conditions. */
async function linesOf(page: Page): Promise<Line[]> {
  const region = queuesOf(page)
  await region.and(page.locator('[aria-busy=false]')).waitFor()
  const links = await region.locator('a[href*="filter="]').all()
  return Promise.all(
    links.map(async (link) => ({
      title: await link.locator('span').innerText(),
      count: numberIn(await link.locator('b').innerText()),
      href: (await link.getAttribute('href')) ?? '',
    })),
  )
}

test.each([
  ['a manager', phones.manager, ['有未关闭告警的车辆', '低电量车辆', '待领取的任务']],
  ['a worker', phones.worker, ['待领取的任务']],
] as const satisfies readonly (readonly [string, Phone, readonly string[]])[])(
  'the first page tells %s what waits, each with the count of the list that it opens',
  async (_, phone, expected) => {
    const page = await site.newPage({ as: phone })
    await page.goto('/console/#/log')
    const lines = await linesOf(page)
    expect(lines.map(({ title }) => title)).toEqual(expect.arrayContaining([...expected]))
    for (const { title, count, href } of lines) {
      await page.goto(`/console/${href.slice(href.indexOf('#'))}`)
      const shown = page.getByTestId('list-count').first()
      await shown.waitFor()
      await expect.poll(async () => numberIn(await shown.innerText()), { message: title }).toBe(count)
    }
  },
)

test('the overview says what has changed and why, and its rides open their orders', async () => {
  // The job makes the figures of the past some seconds after the start.
  const waiting = 'select exists (select from report_stale) or exists (select from report_backlog) as waits'
  await expect.poll(async () => site.server.query(waiting), { timeout: 60_000 }).toEqual([{ waits: false }])
  const page = await site.newPage({ as: phones.manager })
  await page.goto('/console/#/log')
  await page.getByRole('link', { name: '变化原因' }).click()
  await page.getByRole('heading', { name: '概览', level: 1 }).waitFor()
  await page.getByRole('button', { name: '昨天', exact: true }).click()
  await page.locator('.home-story[aria-busy=false]').getByText('前天').first().waitFor()
  const figure = page.locator('.figure', { hasText: '骑行次数' }).first()
  const rides = numberIn(await figure.locator('b').innerText())
  expect(rides).toBeGreaterThan(0)
  await figure.click()
  await page.getByRole('heading', { name: '用户订单', level: 1 }).waitFor()
  await expect.poll(async () => numberIn(await page.getByTestId('list-count').first().innerText())).toBe(rides)
})

test('whoever may not read the overview has neither its page nor its figures', async () => {
  const page = await site.newPage({ as: phones.regulator })
  await page.goto('/console/#/log')
  await queuesOf(page).waitFor()
  expect(await page.getByRole('link', { name: '变化原因' }).count()).toBe(0)
  await page.goto('/console/#/home')
  await page.getByRole('heading', { name: '概览', level: 1 }).waitFor({ state: 'detached' })
})
