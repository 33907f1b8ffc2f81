import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, test } from 'vitest'
import { openSite, phones } from './browser.ts'
import { thorough } from '../scripts/lib/thorough.mjs'

const site = openSite()
/** Vehicles that are opened one after the other. */
const opened = thorough({ normal: 12, long: 50 })
/** Times slower than the machine: a cheap phone. */
const slowdown = 6

let page: Page

const panelTitle = () => page.getByRole('region', { name: '车辆面板' }).getByRole('heading', { level: 2 })
const addressed = () => new URLSearchParams(page.url().split('?')[1] ?? '').get('vehicle')
/** The vehicle that the map draws as the selected one. */
const drawn = () => page.evaluate(() => document.querySelector<HTMLElement>('.map-node')?.dataset['selected'] ?? '')
const row = (number: string) => page.locator('.om-list .om-row', { hasText: number })

interface Shown {
  readonly panel: string | null
  readonly address: string | null
  readonly marker: boolean
}

/** What panel, address and map say, as soon as the panel names a vehicle. */
async function shown(ids: ReadonlyMap<string, string>): Promise<Shown> {
  const panel = (await panelTitle().textContent())?.trim() ?? null
  return { panel, address: addressed(), marker: (await drawn()) === ids.get(panel ?? '') }
}

describe('the selected vehicle on a slow processor', () => {
  beforeEach(async () => {
    page = await site.newPage({ as: phones.platform })
  })

  test('is the one that was asked for last: panel, address and marker', { timeout: 600_000 }, async () => {
    await page.goto('/console/#/vehicle/operation-map')
    const find = page.getByRole('searchbox', { name: '车辆编号或 IMEI' })
    await find.waitFor()
    const ids = new Map<string, string>()
    await page.locator('[data-map-ready]').waitFor()
    const processor = await page.context().newCDPSession(page)
    await processor.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
    const numbers = Array.from({ length: opened }, (_, at) => `SD${100_001 + at}`)
    const settled = async (number: string): Promise<void> => {
      await panelTitle().filter({ hasText: number }).waitFor()
      await expect.poll(addressed).toBe(number)
      await expect.poll(drawn).not.toBe('')
      const id = await drawn()
      // No two vehicles are drawn as one, and none as another was.
      for (const [other, known] of ids) expect(known === id).toBe(other === number)
      ids.set(number, id)
    }
    for (const [at, number] of numbers.entries()) {
      await find.fill(number)
      await find.press('Enter')
      // Every third one is asked for before the one before has come.
      if (at % 3 !== 0) await settled(number)
    }
    const last = numbers.at(-1) ?? ''
    await settled(last)
    // Nothing that comes late takes its place: writes of the view, details of others, reports of the fleet.
    for (let look = 0; look < 10; look += 1) {
      await page.waitForTimeout(300)
      expect(await shown(ids)).toEqual({ panel: last, address: last, marker: true })
    }
    expect(await row(last).count()).toBeLessThanOrEqual(1)
  })
})
