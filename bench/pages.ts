/**
 * Every page of the menu at 1440 by 900: from the click in the app to its first meaningful row, median of five, and where
 * the first row of a list stands at 390 pixels; the first map of an app that was just loaded, and a list opened from the map:
 * `node bench/pages.ts [--quick] [--url=<address> --data=<DATA_DIR>] [--phone=<phone>]`. Needs
 * Chromium (`CHROMIUM_PATH`) and the built console. With an address it looks at a demo that runs already; otherwise it starts one
 * with a past of 30 days, which stays in `BENCH_DATA`.
 */
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { chromium, type Browser, type Page } from 'playwright-core'
import { menuRows } from '@saddle/contract/menu.ts'
import { administrator, startDemo } from './lib/demo.ts'
import { readCode } from './lib/login.ts'
import { isQuick, judge, median, say, state } from './lib/report.ts'

const optionOf = (name: string): string | undefined =>
  process.argv.find((one) => one.startsWith(`--${name}=`))?.slice(name.length + 3)

/** Whose pages are looked at: a phone is sent ten codes a day. */
const person = optionOf('phone') ?? administrator
const rounds = isQuick ? 1 : 5
const goalMs = 700
const limitMs = 1_500
const giveUpMs = 20_000
const rowGoalPx = 400
const phone = { width: 390, height: 844 }
const desktop = { width: 1440, height: 900 }
/** Where each visit starts: it is left before the next page is measured. */
const home = '/account'

const chromiumPath = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium'
if (!existsSync(chromiumPath)) throw new Error(`no Chromium at ${chromiumPath}: set CHROMIUM_PATH to its program`)

/** Pages of the menu that stand in the frame; walls log in by a code of their own. */
const paths = menuRows
  .filter(({ hidden, group, public: isPublic, path }) => !hidden && !group && !isPublic && !path.startsWith('/screen'))
  .map(({ path }) => path)
  .filter((path) => optionOf('only') === undefined || path.includes(optionOf('only') ?? ''))

const contents =
  '[data-row-key], .state, canvas, .maplibregl-map, .figure:not(.figure-bone), dd, td, figure, .page-card li, .page-card strong, .page-card input, article, ol li'
/**
 * A row of a list counts at once; a figure, a chart, a map or a field of a form counts when nothing of the page says that it is
 * loading. Scripts of the page are texts: what is checked here has no page around it.
 */
const findRow = `
  (path) => {
    const page = document.querySelector(path === '/field' ? '.field' : '.shell-page[data-path="' + path + '"]')
    if (!location.hash.startsWith('#' + path) || page === null) return null
    const first = (wanted) => [...page.querySelectorAll(wanted)].find((one) => one.checkVisibility()) ?? null
    const row = first('[data-row-key]')
    if (row !== null) return row
    if (first('.row-bones, .state-spinner, [aria-busy=true]') !== null) return null
    return first(${JSON.stringify(contents)})
  }`
const visit = `
  ([path, giveUpMs]) => new Promise((resolve) => {
    const find = ${findRow}
    const begun = performance.now()
    const link = document.querySelector('.shell-sider a[href="#' + path + '"]')
    if (link === null) location.hash = '#' + path
    else link.click()
    const look = () => {
      const took = performance.now() - begun
      if (find(path) !== null || took > giveUpMs) resolve(took)
      else requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
  })`
/** Of a page that begins with figures, the first figure. */
const firstRowTop = `
  () => {
    const seen = [...document.querySelectorAll('.shell-page ' + ${JSON.stringify(contents)}.split(', ').join(', .shell-page '))]
    const tops = seen.filter((one) => one.checkVisibility()).map((one) => one.getBoundingClientRect().top)
    return tops.length === 0 ? null : Math.min(...tops)
  }`

interface Visited {
  readonly path: string
  readonly ms: number
  readonly topPx: number | null
}

const faults = new Set<string>()

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0

async function openApp(browser: Browser, { url, dataDir }: { url: string; dataDir: string }): Promise<Page> {
  const context = await browser.newContext({ locale: 'zh-CN', viewport: desktop, reducedMotion: 'reduce' })
  const page = await context.newPage()
  page.on('pageerror', (error) => faults.add(error.message))
  page.on('console', (message) => message.type() === 'error' && faults.add(message.text()))
  page.on('response', (answer) => answer.status() >= 400 && faults.add(`${answer.status()} ${answer.url()}`))
  await page.goto(`${url}/console/#/login`)
  await page.getByLabel('手机号').fill(person)
  // A demo that runs already has sent codes before; the new one is written behind the answer.
  const outbox = join(dataDir, 'outbox', 'sms.jsonl')
  const before = sizeOf(outbox)
  await page.getByRole('button', { name: '发送验证码' }).click()
  await page.getByText('短信发送成功').waitFor()
  for (let tries = 0; sizeOf(outbox) === before && tries < 200; tries += 1) await sleep(50)
  await page.getByLabel('验证码', { exact: true }).fill(await readCode(dataDir, person))
  await page.getByRole('button', { name: /^设置 / }).waitFor()
  return page
}

/** To the page where each visit starts; a page that cannot be left is named, and the app is loaded anew. */
async function leave(page: Page, path: string): Promise<void> {
  const start = page.locator(`.shell-page[data-path="${home}"] input`).first()
  await page.evaluate(`location.hash = '#${home}'`)
  await start.waitFor({ timeout: giveUpMs }).catch(async () => {
    faults.add(`${path} was not left within ${giveUpMs} ms`)
    await page.reload()
    await start.waitFor()
  })
}

async function look(page: Page, path: string): Promise<Visited> {
  const times: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    await leave(page, path)
    times.push(await page.evaluate<number>(`(${visit})(${JSON.stringify([path, giveUpMs])})`))
  }
  await page.setViewportSize(phone)
  await leave(page, path)
  await page.evaluate(`(${visit})(${JSON.stringify([path, giveUpMs])})`)
  const topPx = await page.evaluate<number | null>(`(${firstRowTop})()`)
  await page.setViewportSize(desktop)
  return { path, ms: median(times), topPx }
}

const mapPath = '/vehicle/operation-map'
const afterMap = '/vehicle/vehicle-query'
const firstMapGoalMs = 1_500
/** The map draws its vehicles for a moment before it is left. */
const onMapMs = 1_500
/** From the click until the first view is drawn with all its tiles. */
const openMap = `
  ([path, giveUpMs]) => new Promise((resolve) => {
    const begun = performance.now()
    location.hash = '#' + path
    const look = () => {
      const took = performance.now() - begun
      const node = document.querySelector('.shell-page[data-path="' + path + '"] [data-map-ready]')
      if (node !== null || took > giveUpMs) resolve(took)
      else requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
  })`

/** The first map of an app that was just loaded, and the list that is opened from the map. */
async function lookAtMap(page: Page): Promise<{ firstMs: number; afterMs: number }> {
  const [firsts, afters]: [number[], number[]] = [[], []]
  for (let round = 0; round < rounds; round += 1) {
    await leave(page, mapPath)
    await page.reload()
    await page.locator(`.shell-page[data-path="${home}"] input`).first().waitFor()
    firsts.push(await page.evaluate<number>(`(${openMap})(${JSON.stringify([mapPath, giveUpMs])})`))
    await sleep(onMapMs)
    afters.push(await page.evaluate<number>(`(${visit})(${JSON.stringify([afterMap, giveUpMs])})`))
  }
  return { firstMs: median(firsts), afterMs: median(afters) }
}

const [url, dataDir] = [optionOf('url'), optionOf('data')]
const demo = url !== undefined && dataDir !== undefined ? null : await startDemo({ historyDays: 30 })
const browser = await chromium.launch({
  executablePath: chromiumPath,
  args: ['--no-sandbox', '--disable-dev-shm-usage'],
})
try {
  const page = await openApp(browser, demo ?? { url: url ?? '', dataDir: dataDir ?? '' })
  const visited: Visited[] = []
  for (const path of paths) visited.push(await look(page, path))
  const slowest = visited.toSorted((one, other) => other.ms - one.ms)
  for (const { path, ms, topPx } of slowest) {
    if (ms > goalMs) state(path, `${Math.round(ms)} ms`)
    if (topPx !== null && topPx > rowGoalPx) state(path, `first row at ${Math.round(topPx)} px of a phone`)
  }
  const all = visited.map(({ ms }) => ms)
  const [worst] = slowest
  const above = (limit: number): number => all.filter((ms) => ms > limit).length
  judge({
    what: `${visited.length} pages, to the first row`,
    figure: `median ${Math.round(median(all))} ms, ${above(goalMs)} above ${goalMs} ms`,
    isMet: above(goalMs) === 0,
    goal: `<= ${goalMs} ms`,
  })
  judge({
    what: 'the slowest page',
    figure: `${Math.round(worst?.ms ?? 0)} ms, ${worst?.path ?? ''}`,
    isMet: above(limitMs) === 0,
    goal: `<= ${limitMs} ms`,
  })
  const { firstMs, afterMs } = await lookAtMap(page)
  judge({
    what: 'the first map, drawn with all its tiles',
    figure: `${Math.round(firstMs)} ms`,
    isMet: firstMs <= firstMapGoalMs,
    goal: `<= ${firstMapGoalMs} ms`,
  })
  judge({
    what: 'from the map to a list',
    figure: `${Math.round(afterMs)} ms`,
    isMet: afterMs <= goalMs,
    goal: `<= ${goalMs} ms`,
  })
  const low = visited.filter(({ topPx }) => topPx !== null && topPx > rowGoalPx).length
  judge({
    what: 'lists on a phone',
    figure: `${low} begin below ${rowGoalPx} px`,
    isMet: low === 0,
    goal: `first row within ${rowGoalPx} px`,
  })
  judge({ what: 'errors and refused calls', figure: String(faults.size), isMet: faults.size === 0, goal: 'none' })
  for (const fault of faults) say(`  ${fault}`)
} finally {
  await browser.close()
  await demo?.stop()
}
