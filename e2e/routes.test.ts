import { AxeBuilder } from '@axe-core/playwright'
import { minuteMs } from '@saddle/contract/time.ts'
import { menuRows } from '@saddle/contract/menu.ts'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openSite, phones } from './browser.ts'
import { isLong } from '../scripts/lib/thorough.mjs'

/** In the longer checks it is every page and axe looks at each in both themes; otherwise one page of eight. */
const site = openSite({ historyDays: 1 })
const timeoutMs = 20 * minuteMs
/** Hidden pages that show something without the number of a thing. */
const withoutThing: ReadonlySet<string> = new Set([
  '/log',
  '/account',
  '/exports',
  '/home',
  '/permissions/add-role',
  '/agent/add-role',
])
const allPaths = menuRows
  .filter(({ hidden, group, public: isPublic, path }) => {
    const isPage = group !== true && isPublic !== true && !path.startsWith('/screen')
    return isPage && (hidden !== true || withoutThing.has(path))
  })
  .map(({ path }) => path)
const paths = allPaths.filter((_, index) => isLong || index % 8 === 1)

/** What each kind of element looks like; the first one of a kind stands for all. Maps and charts draw themselves. */
function looksOf(path: string): Record<string, string> {
  const page = document.querySelector(path === '/field' ? '.field' : `.shell-page[data-path="${path}"]`)
  const wanted =
    'display position font-size font-weight line-height padding-top padding-left margin-top row-gap column-gap border-top-width border-top-left-radius background-color color flex-direction list-style-type text-align text-decoration-line overflow-y min-height column-count'.split(
      ' ',
    )
  const nameOf = (each: Element): string => {
    const states = [...each.attributes].filter(({ name }) => /^(?:data-(?!row-key)|aria-|disabled|open$)/.test(name))
    // A table of many columns stands closer together, see table.css.
    const width = each instanceof HTMLTableElement && (each.rows[0]?.cells.length ?? 0) >= 10 ? ' wide' : ''
    return [`${each.tagName}.${each.className}${width}`, ...states.map(({ name, value }) => `${name}=${value}`)].join(
      ' ',
    )
  }
  /** The element with two above it, and on to one that its class tells apart: lists have no names of their own. */
  const chainOf = (one: Element): Element[] => {
    const chain = [one]
    for (let each = one.parentElement; each !== null && each !== page; each = each.parentElement) {
      chain.unshift(each)
      if (chain.length > 2 && each.className !== '') break
    }
    return chain
  }
  const found: Record<string, string> = {}
  for (const one of page?.querySelectorAll('*') ?? []) {
    if (one.closest('svg, canvas, .maplibregl-map, [_echarts_instance_]') !== null || !one.checkVisibility()) continue
    const kind = chainOf(one).map(nameOf).join(' > ')
    if (kind in found) continue
    const style = getComputedStyle(one)
    found[kind] = wanted.map((name) => `${name}: ${style.getPropertyValue(name)}`).join('; ')
  }
  return found
}

/** Nothing of the page says that it is loading. */
function isSettled(path: string): boolean {
  const page = document.querySelector(path === '/field' ? '.field' : `.shell-page[data-path="${path}"]`)
  if (page === null || document.querySelector('h1, .state') === null) return false
  const loading = page.querySelectorAll('.row-bones, .state-spinner, [aria-busy=true]')
  return ![...loading].some((one) => one.checkVisibility())
}

type Looks = Readonly<Record<string, string>>
const looks = (page: Page, path: string): Promise<Looks> => page.evaluate(looksOf, path)

async function comeTo(page: Page, path: string): Promise<void> {
  await expect
    .poll(() => page.evaluate(isSettled, path), { message: `${path} comes to rest`, timeout: 60_000 })
    .toBe(true)
}

function differences(cold: Looks, warm: Looks): string[] {
  return Object.entries(cold).flatMap(([kind, look]) => {
    const other = warm[kind]
    if (other === undefined || other === look) return []
    const parts = other.split('; ')
    return [
      `${kind}: ${look
        .split('; ')
        .filter((part) => !parts.includes(part))
        .join(', ')}`,
    ]
  })
}

test(
  'every page that is opened cold looks as it does warm, every other one in dark, without an error or a failed call',
  async () => {
    const page = await site.newPage({ as: phones.platform, size: { width: 1440, height: 900 } })
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await page.addInitScript(() => {
      const appearance = new URLSearchParams(location.search).get('theme')
      if (appearance !== null) localStorage.setItem('xc__theme', JSON.stringify({ value: { appearance } }))
    })
    const faults: string[] = []
    let path = ''
    page.on('console', (message) => message.type() === 'error' && faults.push(`${path} console: ${message.text()}`))
    page.on(
      'response',
      (response) => response.status() >= 400 && faults.push(`${path} ${response.status()} ${response.url()}`),
    )

    for (const [half, theme] of (['light', 'dark'] as const).entries()) {
      const own = paths.filter((_, index) => index % 2 === half)
      const cold = new Map<string, Looks>()
      const visited = new Set<string>()
      for (path of own) {
        await page.goto(`/console/?cold=${encodeURIComponent(path)}&theme=${theme}#${path}`)
        await comeTo(page, path)
        expect(await page.locator('html').getAttribute('data-appearance')).toBe(theme)
        cold.set(path, await looks(page, path))
      }
      // In the longer checks once through all of them: from then on every style sheet of the console is loaded.
      for (path of [...(isLong && theme === 'light' ? allPaths : own), ...own]) {
        await page.evaluate((hash) => (location.hash = hash), path)
        await comeTo(page, path)
        const before = visited.has(path) ? cold.get(path) : undefined
        visited.add(path)
        if (before === undefined) continue
        faults.push(...differences(before, await looks(page, path)).map((one) => `${path} ${theme} ${one}`))
      }
    }
    expect(faults).toEqual([])
  },
  timeoutMs,
)

test.runIf(isLong).each(['light', 'dark'] as const)(
  'every page is without a serious barrier in the %s theme',
  async (theme) => {
    const page = await site.newPage({ as: phones.platform, size: { width: 1440, height: 900 } })
    await page.addInitScript(
      (appearance) => localStorage.setItem('xc__theme', JSON.stringify({ value: { appearance } })),
      theme,
    )
    await page.goto('/console/#/account')
    const found: string[] = []
    for (const path of paths) {
      await page.evaluate((hash) => (location.hash = hash), path)
      await comeTo(page, path)
      expect(await page.locator('html').getAttribute('data-appearance')).toBe(theme)
      const { violations } = await new AxeBuilder({ page })
        .include(path === '/field' ? '.field' : '.shell-page')
        .analyze()
      for (const { id, impact, nodes } of violations)
        if (impact === 'serious' || impact === 'critical')
          found.push(
            `${path} ${id}: ${nodes
              .slice(0, 2)
              .map((node) => node.target.join(' '))
              .join('; ')}`,
          )
    }
    expect(found).toEqual([])
  },
  timeoutMs,
)
