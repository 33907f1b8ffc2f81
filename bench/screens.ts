/**
 * The operations screen of a wall in a real browser: the first figures and frames a second, drawn by software at 1920 by 1080, and
 * the heap over a simulated week of updates: `node bench/screens.ts [--quick] [--heap] [--updates=<n>]`. Needs Chromium
 * (`CHROMIUM_PATH`) and the built console. The week is as many answers as a screen asks for in it, each through the page's own call
 * with its seals, and every answer is changed by a random step, so that each number and drawing is made anew by the components that
 * a wall has, and the chart with every fourth. The server answers the first of them, which the page is given again. The week is
 * driven as fast as the page handles it: pauses are short, and a small second wall of few pixels has few frames, because painting
 * 1080p in software for each answer would take hours and leaves nothing on the heap of the page.
 */
import { existsSync } from 'node:fs'
import { chromium, type Browser, type BrowserContextOptions, type CDPSession, type Page } from 'playwright-core'
import { endpoints } from '@saddle/contract/endpoints.ts'
import { screenEveryMs, screenFlowsMax } from '@saddle/contract/reports/screens.ts'
import { dayMs } from '@saddle/contract/time.ts'
import { startDemo, type Demo } from './lib/demo.ts'
import { isQuick, judge, median, say, state, whole } from './lib/report.ts'

const week = (7 * dayMs) / screenEveryMs
const named = process.argv.find((one) => one.startsWith('--updates='))?.slice('--updates='.length)
const updates = Number(named ?? (isQuick ? 1_500 : week))
/** The week alone: what is measured in milliseconds needs a quiet machine, and the heap does not. */
const isHeapAlone = process.argv.includes('--heap')
const looks = 20
const loads = isQuick ? 3 : 7
const framesMs = 10_000
const speed = 1_000
const growthMax = 0.1
const framesMin = 30
const firstMaxMs = 2_000
/** Answers of the server that stand for all later ones, which differ by the random step. */
const recorded = 20
/** Parts of an answer whose numbers take a step with each answer, and the numbers in them that are times. */
const changing = ['figures', 'fleet', 'areas', 'alarms', 'work']
/** The hours of the day change with every so many answers: making the chart anew is what costs most. */
const chartEvery = 4
const instants = ['until', 'at']
const screenPath = endpoints.readOperationsScreen.path
const stallMs = 60_000
const settledMs = 3_000

const chromiumPath = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium'
const size = { width: 1920, height: 1080 }
/** For the heap, which does not depend on the pixels that are drawn: a sixteenth of the pixels in each canvas. */
const small = { viewport: { width: 480, height: 270 }, deviceScaleFactor: 0.25 }
const frameMs = 100

/** A wall that shows the operations screen. */
async function openWall(browser: Browser, demo: Demo, shape: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext({ locale: 'zh-CN', ...shape })
  const page = await context.newPage()
  await page.goto(`${demo.url}/console/#/screen-login`)
  const shown = page.locator('.wall-code')
  await shown.waitFor()
  const code = ((await shown.textContent()) ?? '').replaceAll(/\s/g, '')
  await demo.call(endpoints.pairScreen, { code, name: 'bench', pages: ['operations'] })
  await page.locator('.wall-figure strong').first().waitFor()
  return page
}

/** Milliseconds from the start of a load of the page until its figures stand there. */
async function firstFigures(page: Page): Promise<number> {
  await page.reload()
  await page.locator('.wall-figure strong').first().waitFor()
  return page.evaluate<number>('firstFigures')
}

/** Scripts of the page are texts: what is checked here has no page around it. */
const noteFirstFigures = `
  const look = () => {
    if (document.querySelector('.wall-figure strong') === null) requestAnimationFrame(look)
    else globalThis.firstFigures = performance.now()
  }
  requestAnimationFrame(look)`

const countFrames = `new Promise((resolve) => {
  const begin = performance.now()
  let frames = 0
  const count = (now) => {
    frames += 1
    if (now - begin < ${framesMs}) requestAnimationFrame(count)
    else resolve((frames * 1000) / (now - begin))
  }
  requestAnimationFrame(count)
})`

/** Fills the flows of each answer to the most that there may be: a demo that has just started has few rides. */
const busyHour = `
  const plain = JSON.parse
  JSON.parse = (...given) => {
    const value = plain(...given)
    const map = value?.data?.map
    if (map?.flows === undefined || map.cells.length < 2) return value
    for (let at = map.flows.length; at < ${screenFlowsMax}; at += 1) {
      const [from, to] = [map.cells[at % map.cells.length], map.cells[(at * 7 + 3) % map.cells.length]]
      map.flows.push({ from, to, rides: 1 + (at % 9) })
    }
    return value
  }`

/**
 * Shortens long pauses, draws few frames, and changes each answer of a screen as it is read, once the page is told to hurry: what a
 * load of the page waits for keeps its time. The limit of an answer's time stays as it is. The first answers come from the server;
 * later ones are those again, sealed as they came, and what was opened of them, because their call and its keys are not the page's.
 */
const hurry = `
  globalThis.screenAnswers = 0
  globalThis.screenHurries = false
  const [timeout, interval, parse] = [setTimeout, setInterval, JSON.parse]
  const shorter = (ms = 0) => (screenHurries && ms >= 1000 ? ms / ${speed} : ms)
  const [ask, decrypt] = [fetch, SubtleCrypto.prototype.decrypt]
  const [sealed, opened] = [[], new Map()]
  let [turn, hours] = [0, null]
  globalThis.fetch = async (url, init) => {
    if (!String(url).includes('${screenPath}')) return ask(url, init)
    if (screenHurries && sealed.length === ${recorded}) {
      turn += 1
      return new Response(sealed[turn % ${recorded}], { headers: { 'content-type': 'application/json' } })
    }
    const answer = await ask(url, init)
    if (answer.ok && sealed.length < ${recorded}) sealed.push(await answer.clone().text())
    return answer
  }
  SubtleCrypto.prototype.decrypt = async function (how, key, data) {
    const name = new Uint8Array(how.iv).join()
    const known = opened.get(name)
    if (known !== undefined) return known.slice(0)
    const plain = await decrypt.call(this, how, key, data)
    if (opened.size < ${recorded} * 4) opened.set(name, plain.slice(0))
    return plain
  }
  globalThis.setTimeout = (run, ms) => timeout(run, shorter(ms))
  globalThis.setInterval = (run, ms) => interval(run, Math.max(10, shorter(ms)))
  const [draw, cancel] = [requestAnimationFrame, cancelAnimationFrame]
  globalThis.requestAnimationFrame = (run) => screenHurries ? -timeout(() => run(performance.now()), ${frameMs}) : draw(run)
  globalThis.cancelAnimationFrame = (frame) => (frame < 0 ? clearTimeout(-frame) : cancel(frame))
  const step = (value, name) => {
    if (typeof value === 'number') return ${JSON.stringify(instants)}.includes(name) ? value : Math.max(0, Math.round(value + (Math.random() - 0.5) * 20))
    if (value === null || typeof value !== 'object') return value
    if (Array.isArray(value)) return value.map((one) => step(one))
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, step(one, key)]))
  }
  JSON.parse = (...given) => {
    const value = parse(...given)
    const data = value?.data
    if (data?.figures === undefined) return value
    globalThis.screenAnswers += 1
    data.at = Date.now()
    for (const part of ${JSON.stringify(changing)}) if (data[part] !== undefined) data[part] = step(data[part])
    if (hours === null || screenAnswers % ${chartEvery} === 0) hours = step(data.hours)
    data.hours = hours
    if (data.map !== undefined) {
      data.map.flows = data.map.flows.filter(() => Math.random() > 0.2)
      for (const flow of data.map.flows) flow.rides = 1 + Math.floor(Math.random() * 9)
    }
    return value
  }`

async function heapOf(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.collectGarbage')
  await session.send('HeapProfiler.collectGarbage')
  return (await session.send('Runtime.getHeapUsage')).usedSize
}

/** The heap at even distances over all updates. */
async function heapOverWeek(page: Page): Promise<number[]> {
  await page.addInitScript(busyHour)
  await page.addInitScript(hurry)
  await page.reload()
  await page.locator('.wall-figure strong').first().waitFor()
  await page.evaluate('screenHurries = true')
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.enable')
  const answers = (): Promise<number> => page.evaluate<number>('screenAnswers')
  const heap: number[] = []
  for (let look = 1; look <= looks; look += 1) {
    const wanted = Math.floor((updates * look) / looks)
    let [last, since] = [-1, performance.now()]
    for (;;) {
      const now = await answers()
      if (now >= wanted) break
      if (now !== last) [last, since] = [now, performance.now()]
      if (performance.now() - since > stallMs) throw new Error(`the screen stopped after ${now} answers`)
      await page.waitForTimeout(200)
    }
    const bytes = await heapOf(session)
    heap.push(bytes)
    state(`${whole(wanted)} answers`, `${(bytes / 1e6).toFixed(1)} MB`)
  }
  return heap
}

/** First figures, and frames while the rides move. */
async function measureDrawing(browser: Browser, demo: Demo): Promise<void> {
  const page = await openWall(browser, demo, { viewport: size })
  await page.addInitScript(noteFirstFigures)
  await page.addInitScript(busyHour)
  const first: number[] = []
  for (let load = 0; load < loads; load += 1) first.push(await firstFigures(page))
  const firstMs = median(first)
  judge({
    what: 'first figures',
    figure: `${whole(firstMs)} ms`,
    isMet: firstMs <= firstMaxMs,
    goal: `<= ${firstMaxMs} ms`,
  })
  // Without tiles there is no basemap; it is drawn once, and no frame depends on it.
  await page.locator('canvas.wall-flows').waitFor()
  await page.waitForTimeout(settledMs)
  const frames = await page.evaluate<number>(countFrames)
  judge({
    what: 'frames while the rides move',
    figure: `${frames.toFixed(1)}/s`,
    isMet: frames >= framesMin,
    goal: `>= ${framesMin}/s`,
  })
  await page.context().close()
}

if (existsSync(chromiumPath)) {
  say(`the operations screen in Chromium, ${size.width} by ${size.height}, drawn by software`)
  const demo = await startDemo({ historyDays: isQuick ? 0 : 2, env: { SCREEN_CACHE_SECONDS: '60' } })
  const browser = await chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox', '--disable-gpu'] })
  try {
    if (!isHeapAlone) await measureDrawing(browser, demo)
    const began = performance.now()
    const heap = await heapOverWeek(await openWall(browser, demo, small))
    // The code and the caches of the engine have warmed up after the first looks.
    const [early, late] = [median(heap.slice(1, 5)), median(heap.slice(-4))]
    const growth = late / early - 1
    const [from, to] = [early, late].map((bytes) => (bytes / 1e6).toFixed(1))
    judge({
      what: `heap over ${whole(updates)} updates (a week: ${whole(week)})`,
      figure: `${from} to ${to} MB, ${(growth * 100).toFixed(1)} %`,
      isMet: growth <= growthMax,
      goal: `<= ${growthMax * 100} %`,
    })
    state('the updates took', `${whole((performance.now() - began) / 1_000)} s`)
  } finally {
    await browser.close()
    await demo.stop()
  }
} else {
  state('screens', `no Chromium at ${chromiumPath}: nothing measured; set CHROMIUM_PATH to its program`)
}
