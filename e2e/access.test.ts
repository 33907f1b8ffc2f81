import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { chooseSetting, openSite, phones, phoneScreen, routeIs, settingsButton } from './browser.ts'

const site = openSite()

/** Colours depend only on the theme and texts only on the language, so each is checked once. */
const colourRules = ['color-contrast', 'link-in-text-block']
const whole = (axe: AxeBuilder): AxeBuilder => axe
const words = (axe: AxeBuilder): AxeBuilder => axe.disableRules(colourRules)
const colours = (axe: AxeBuilder): AxeBuilder => axe.withRules(colourRules)
type Judge = typeof whole

/** Serious and critical findings, each with its first locations. */
async function findings(page: Page, judge: Judge): Promise<string[]> {
  const { violations } = await judge(new AxeBuilder({ page })).analyze()
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => {
      const places = nodes.slice(0, 4).map((node) => `${node.target.join(' ')} (${node.any[0]?.message ?? ''})`)
      return `${page.url()} ${id}: ${places.join('; ')}`
    })
}

async function asVisitor(page: Page, judge: Judge): Promise<string[]> {
  const found: string[] = []
  for (const path of ['/login-home', '/login', '/register', '/404']) {
    await page.goto(`/console/#${path}`)
    await routeIs(page, path)
    await page.locator('h1').waitFor()
    found.push(...(await findings(page, judge)))
  }
  return found
}

async function asOperator(page: Page, judge: Judge): Promise<string[]> {
  await page.goto('/console/#/log')
  await page.locator('.home-group').first().waitFor()
  const found = await findings(page, judge)
  await settingsButton(page).click()
  await page.getByRole('menu').waitFor()
  found.push(...(await findings(page, judge)))
  await page.keyboard.press('Escape')
  await page.goto('/console/#/vehicle/operation-map?vehicle=SD100001')
  await page.getByRole('heading', { name: 'SD100001' }).waitFor()
  await expect.poll(() => page.getByTestId('in-view').innerText()).toMatch(/^[1-9]/)
  found.push(...(await findings(page, judge)))
  return found
}

const appearanceOf = (page: Page): Promise<string | null> => page.locator('html').getAttribute('data-appearance')

const sizes = [
  ['1440', { width: 1440, height: 900 }],
  ['390', phoneScreen],
] as const

describe.each(sizes)('at %s px', (_name, size) => {
  test('a visitor meets no barrier, in both languages, light and dark', async () => {
    const page = await site.newPage({ size })
    await page.goto('/console/#/login-home')
    expect(await appearanceOf(page)).toBe('light')
    expect(await asVisitor(page, whole)).toEqual([])
    // The state after a user chose it in the shell and logged out: visitors have no switch for it.
    await page.evaluate(() => localStorage.setItem('xc__theme', JSON.stringify({ value: { appearance: 'dark' } })))
    await page.goto('/console/#/login-home')
    await page.reload()
    expect(await appearanceOf(page)).toBe('dark')
    expect(await asVisitor(page, colours)).toEqual([])
    await page.goto('/console/#/login-home')
    await page.getByRole('button', { name: 'English' }).click()
    expect(await asVisitor(page, words)).toEqual([])
  })

  test('an operator meets none either', async () => {
    const page = await site.newPage({ size, as: phones.platform })
    expect(await asOperator(page, whole)).toEqual([])
    await chooseSetting(page, '深色界面')
    await expect.poll(() => appearanceOf(page)).toBe('dark')
    expect(await asOperator(page, colours)).toEqual([])
    await chooseSetting(page, 'English')
    await settingsButton(page)
      .and(page.getByRole('button', { name: /^Settings / }))
      .waitFor()
    expect(await asOperator(page, words)).toEqual([])
    // The account keeps it, and the next page is of the same person.
    await chooseSetting(page, 'Light theme')
    await expect.poll(() => site.server.query(`select from operator where layout->>'appearance' = 'dark'`)).toEqual([])
  })
})
