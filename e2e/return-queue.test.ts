import { expect, test } from 'vitest'
import { openSite, phones } from './browser.ts'

/** With a day of the city's past, whose rides left returns to decide. */
const site = openSite({ historyDays: 1 })
const cases = 20
const offered = 30

interface Decided {
  readonly order_id: string
  readonly state: string
  readonly note: string
}

const decided = async (): Promise<readonly Decided[]> =>
  (await site.server.query(
    `select order_id, state, note from return_review where state <> 'open' and decided_at > now() - interval '10 minutes'`,
    [],
  )) as unknown as readonly Decided[]

test('twenty returns are decided by keys alone, one of them undone', async () => {
  // The past has rides and nothing to decide: a fee of each is put before the person.
  await site.server.query(
    `insert into return_review (order_id, agent_id, area_id, opened_at, cause, fee_cents)
     select o.id, o.agent_id, o.area_id, o.ended_at, 'fee', 300 from ride_order o
     where o.state = 'paid' and o.agent_id = (select agent_id from operator where name = '周可')
     order by o.id limit $1 on conflict do nothing`,
    [offered],
  )
  const page = await site.newPage({ as: phones.manager, size: { width: 1440, height: 900 } })
  await page.goto('/console/#/carReturn-approve')
  const panel = page.getByRole('complementary', { name: '还车依据' })
  const title = panel.locator('.detail-title')
  const count = page.getByTestId('list-count')
  await panel.getByRole('button', { name: '1 单维持收费' }).waitFor()
  const before = Number((await count.innerText()).replaceAll(/\D/g, ''))
  expect(before).toBeGreaterThan(cases)
  const began = performance.now()
  const seen = new Set<string>()
  for (let index = 0; index < cases; index += 1) {
    const row = page.locator('[data-opened=true]')
    const key = `${index} ${await title.innerText()}`
    seen.add(key)
    const next = page.waitForResponse(
      (response) => response.url().includes('/return') && response.request().method() === 'POST',
    )
    if (index % 5 === 4) {
      // A usual reason, the question of the sum, and the answer.
      await page.keyboard.press('5')
      await page.keyboard.press('2')
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /^免除 1 单/ })
        .waitFor()
      await page.keyboard.press('Enter')
    } else await page.keyboard.press('1')
    await next
    await expect.poll(async () => (await decided()).length).toBe(index + 1)
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await row.first().waitFor()
  }
  const tookS = (performance.now() - began) / 1000
  // eslint-disable-next-line no-console -- a figure to read, not to fail by
  console.log(`${cases} returns by keys in ${tookS.toFixed(1)} s`)
  const list = await decided()
  expect(list.filter(({ state }) => state === 'kept')).toHaveLength(16)
  expect(list.filter(({ state, note }) => state === 'waived' && note === '停车点已停满')).toHaveLength(4)
  await page.keyboard.press('1')
  await expect.poll(async () => (await decided()).length).toBe(cases + 1)
  await page.getByRole('button', { name: '撤销' }).waitFor()
  await page.keyboard.press('u')
  await expect.poll(async () => (await decided()).length).toBe(cases)
})
