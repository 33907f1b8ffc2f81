import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { chooseSetting, openSite, phones, phoneScreen, routeIs, settingsButton } from './browser.ts'

const site = openSite()

/** Colours change with the appearance and words with the language; neither has to be judged twice. */
const colourRules = ['color-contrast', 'link-in-text-block']
const passes = [
  { language: 'zh', appearance: 'light', judge: (axe: AxeBuilder) => axe },
  { language: 'en', appearance: 'light', judge: (axe: AxeBuilder) => axe.disableRules(colourRules) },
  { language: 'zh', appearance: 'dark', judge: (axe: AxeBuilder) => axe.withRules(colourRules) },
] as const
type Pass = (typeof passes)[number]

/** Serious and critical findings, each with the first places where it is. */
async function findings(page: Page, { judge }: Pass): Promise<string[]> {
  const { violations } = await judge(new AxeBuilder({ page })).analyze()
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => {
      const places = nodes.slice(0, 4).map((node) => `${node.target.join(' ')} (${node.any[0]?.message ?? ''})`)
      return `${page.url()} ${id}: ${places.join('; ')}`
    })
}

const sizes = [
  ['1440', { width: 1440, height: 900 }],
  ['390', phoneScreen],
] as const

describe.each(sizes)('at %s px', (_name, size) => {
  test.each(passes)('a visitor meets no barrier: $language, $appearance', async (pass) => {
    const page = await site.newPage({ size })
    // As somebody left it who chose it in the shell and logged out: a visitor has no switch for it.
    const theme = JSON.stringify({ value: { appearance: pass.appearance } })
    await page.addInitScript((stored) => localStorage.setItem('xc__theme', stored), theme)
    await page.goto('/console/#/login-home')
    expect(await page.locator('html').getAttribute('data-appearance')).toBe(pass.appearance)
    if (pass.language === 'en') await page.getByRole('button', { name: 'English' }).click()
    const found: string[] = []
    for (const path of ['/login-home', '/login', '/register', '/404']) {
      await page.goto(`/console/#${path}`)
      await routeIs(page, path)
      await page.locator('h1').waitFor()
      found.push(...(await findings(page, pass)))
    }
    expect(found).toEqual([])
  })

  test.each(passes)('an operator meets none either: $language, $appearance', async (pass) => {
    const page = await site.newPage({ size, as: phones.platform })
    await page.goto('/console/#/log')
    if (pass.appearance === 'dark') await chooseSetting(page, '深色界面')
    if (pass.language === 'en') await chooseSetting(page, 'English')
    await page.locator('.home-group').first().waitFor()
    const found = await findings(page, pass)
    await settingsButton(page).click()
    await page.getByRole('menu').waitFor()
    found.push(...(await findings(page, pass)))
    await page.keyboard.press('Escape')
    await page.goto('/console/#/vehicle/operation-map?vehicle=SD100001')
    await page.getByRole('heading', { name: 'SD100001' }).waitFor()
    await expect.poll(() => page.getByTestId('in-view').innerText()).toMatch(/^[1-9]/)
    found.push(...(await findings(page, pass)))
    expect(found).toEqual([])
  })
})
