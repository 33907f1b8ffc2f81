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
    let lines: Line[] = []
    // Tasks are opened, and alarms raised, by jobs that begin with the server.
    const titles = async (): Promise<string[]> => {
      await page.goto('/console/#/log')
      await page.reload()
      lines = await linesOf(page)
      return lines.map(({ title }) => title)
    }
    await expect.poll(titles, { timeout: 60_000 }).toEqual(expect.arrayContaining([...expected]))
    for (const { title, href } of lines) {
      // Jobs go on: line and list are read together, until nothing comes between.
      const difference = async (): Promise<number> => {
        await page.goto('/console/#/log')
        await page.reload()
        const { count = Number.NaN } = (await linesOf(page)).find((line) => line.title === title) ?? {}
        await page.goto(`/console/${href.slice(href.indexOf('#'))}`)
        const shown = page.getByTestId('list-count').first()
        await shown.waitFor()
        return numberIn(await shown.innerText()) - count
      }
      await expect.poll(difference, { message: title, timeout: 60_000 }).toBe(0)
    }
  },
)

test('whoever may not read the overview has neither its page nor its figures', async () => {
  const page = await site.newPage({ as: phones.regulator })
  await page.goto('/console/#/log')
  await queuesOf(page).waitFor()
  expect(await page.getByRole('link', { name: '变化原因' }).count()).toBe(0)
  await page.goto('/console/#/home')
  await page.getByRole('heading', { name: '概览', level: 1 }).waitFor({ state: 'detached' })
})
