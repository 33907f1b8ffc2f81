import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium, type Browser, type BrowserContextOptions, type Locator, type Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { startServer, type RunningServer, type ServerOptions } from './server.ts'

export const phones = {
  /** Platform administrator: everything, and the inbox of the support. */
  platform: '13800138000',
  /** Administrator of the franchisee 青禾出行 with its two areas. */
  manager: '13800138001',
  /** Maintenance of the same franchisee, one area. */
  worker: '13800138002',
  /** Holds pages of one group only. */
  regulator: '13800138004',
} as const

/** A small desktop: the map is drawn by software, and every pixel costs time. */
const desktop = { width: 1280, height: 720 } as const
export const phoneScreen = { width: 390, height: 844 } as const

/** Bounds what hangs: pages answer within a second, a map drawn by software on a busy machine within some. */
const stepTimeoutMs = 30_000
const picturesDir = fileURLToPath(new URL('../.cache/e2e/pictures', import.meta.url))

/** Without a screen and without any word to the outside. */
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-dev-shm-usage',
]

export interface SiteOptions extends ServerOptions {
  /** What the camera sees, over and over; no camera without it. */
  readonly film?: string
}

const cameraFlags = (film: string | undefined): string[] =>
  film === undefined
    ? []
    : [
        '--use-fake-ui-for-media-stream',
        '--use-fake-device-for-media-stream',
        `--use-file-for-fake-video-capture=${film}`,
      ]

type StorageState = Exclude<BrowserContextOptions['storageState'], string | undefined>

export interface PageOptions {
  readonly size?: { readonly width: number; readonly height: number }
  /** Whose session the page starts with; nobody's without it. */
  readonly as?: string
}

export interface Site {
  readonly server: RunningServer
  /** A page in a browser profile of its own, closed after the test. */
  readonly newPage: (options?: PageOptions) => Promise<Page>
}

/**
 * The server and one browser for the file, from before its first test until after its last. Call it once, at the top of
 * the file. Each page has a profile of its own; a person's login is made once and shared by profiles. A script error or
 * a breach of the page's policy fails the test.
 */
export function openSite({ film, ...options }: SiteOptions = {}): Site {
  let server: RunningServer | null = null
  let browser: Browser | null = null
  const sessions = new Map<string, StorageState>()
  const pages: Page[] = []
  const faults: string[] = []

  beforeAll(async () => {
    server = await startServer(options)
    browser = await chromium.launch({ executablePath: chromiumPath(), args: [...flags, ...cameraFlags(film)] })
  })
  afterEach(async ({ task }) => {
    const failed = task.result?.state === 'fail' || (task.result?.errors?.length ?? 0) > 0
    for (const [index, page] of pages.splice(0).entries()) {
      if (failed) await takePicture(page, `${task.name} ${index}`)
      await page.context().close()
    }
    expect(faults.splice(0)).toEqual([])
  })
  afterAll(async () => {
    await browser?.close()
    await server?.end()
  })

  const running = (): RunningServer => {
    if (server === null) throw new Error('the server starts before the first test')
    return server
  }
  const open = async (options: BrowserContextOptions): Promise<Page> => {
    if (browser === null) throw new Error('the browser starts before the first test')
    const page = await openPage(browser, { baseURL: running().url, ...options })
    page.on('pageerror', (error) => faults.push(error.stack ?? error.message))
    page.on('console', (message) => {
      if (/Content Security Policy/i.test(message.text())) faults.push(message.text())
    })
    return page
  }
  const sessionOf = async (phone: string): Promise<StorageState> => {
    const known = sessions.get(phone)
    if (known !== undefined) return known
    const page = await open({})
    try {
      await page.goto('/console/#/login')
      await logIn({ page, server: running(), phone })
      const state = await page.context().storageState()
      sessions.set(phone, state)
      return state
    } finally {
      await page.context().close()
    }
  }

  return {
    get server() {
      return running()
    },
    newPage: async ({ size = desktop, as } = {}) => {
      const page = await open({ viewport: size, ...(as !== undefined && { storageState: await sessionOf(as) }) })
      pages.push(page)
      return page
    },
  }
}

async function openPage(browser: Browser, options: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext({
    locale: 'zh-CN',
    timezoneId: 'Asia/Shanghai',
    // Nothing that moves has to be waited for.
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
    ...options,
  })
  context.setDefaultTimeout(stepTimeoutMs)
  return context.newPage()
}

interface LogInOptions {
  readonly page: Page
  readonly server: RunningServer
  readonly phone: string
}

/** Goes through the login page as a person does; the page is open already. Ends when the shell is there. */
export async function logIn({ page, server, phone }: LogInOptions): Promise<void> {
  await page.getByLabel('手机号').fill(phone)
  await page.getByRole('button', { name: '发送验证码' }).click()
  await page.getByText('短信发送成功').waitFor()
  await page.getByLabel('验证码', { exact: true }).fill(await server.readCode(phone))
  await page.getByRole('button', { name: '登录', exact: true }).click()
  await settingsButton(page).waitFor()
}

/** Forgets who was sent a code when, so that the same phone may ask for another at once. */
export async function forgetSentCodes(server: RunningServer): Promise<void> {
  await server.query('delete from sms_send')
  await server.query('delete from sms_code')
}

/** Path and query of the page behind the `#`. */
export const routeOf = (page: Page): string => new URL(page.url()).hash.slice(1)

/** Waits until the page's route is this one; a string means this path with any query. */
export async function routeIs(page: Page, wanted: string | RegExp): Promise<void> {
  const fits = (url: URL): boolean => {
    const route = url.hash.slice(1)
    return typeof wanted === 'string' ? (route.split('?')[0] ?? '') === wanted : wanted.test(route)
  }
  await page.waitForURL(fits)
}

/** The person's own menu, in both languages; its being there means that the shell stands. */
export const settingsButton = (page: Page): Locator => page.getByRole('button', { name: /^(设置|Settings) / })

/** Chooses an entry of the menu under the person's name. */
export async function chooseSetting(page: Page, name: string | RegExp): Promise<void> {
  await settingsButton(page).click()
  await page.getByRole('menuitem', { name }).click()
}

function chromiumPath(): string {
  const given = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium'
  if (!existsSync(given)) throw new Error(`no Chromium at ${given}: set CHROMIUM_PATH to its program`)
  return given
}

async function takePicture(page: Page, name: string): Promise<void> {
  mkdirSync(picturesDir, { recursive: true })
  const path = join(picturesDir, `${name.replace(/[^\p{L}\p{N}]+/gu, '-').slice(0, 80)}.png`)
  await page.screenshot({ path, timeout: 5_000 }).catch(() => null)
}
