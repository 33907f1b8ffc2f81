import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, inject } from 'vitest'
import { openBrowser, openPage, plantKeys, settingsButton, type Phone } from './people.ts'
import type { KeptLogin, StorageState } from './prepare.ts'
import { startServer, type RunningServer, type ServerOptions } from './server.ts'

export { catchKeys, forgetSentCodes, logIn, phones, settingsButton } from './people.ts'

/** A small desktop: the map is drawn by software, and every pixel costs time. */
const desktop = { width: 1280, height: 720 } as const
export const phoneScreen = { width: 390, height: 844 } as const

const picturesDir = fileURLToPath(new URL('../.cache/e2e/pictures', import.meta.url))

export interface SiteOptions extends ServerOptions {
  /** Film that the fake camera repeats; without it there is no camera. */
  readonly film?: string
}

export interface PageOptions {
  readonly size?: { readonly width: number; readonly height: number }
  /** The user whose session the page starts with; without it there is none. */
  readonly as?: Phone
}

export interface Site {
  readonly server: RunningServer
  /** A page in a browser profile of its own, closed after the test. */
  readonly newPage: (options?: PageOptions) => Promise<Page>
}

/**
 * The server and one browser for the file, from before its first test until after its last. Call it once, at the top of
 * the file. Each page has a profile of its own; a person's login was made before all files. A script error or a breach of
 * the page's policy fails the test.
 */
export function openSite({ film, ...options }: SiteOptions = {}): Site {
  let server: RunningServer | null = null
  let browser: Browser | null = null
  const pages: Page[] = []
  const faults: string[] = []

  beforeAll(async () => {
    const demo = inject('demo')
    if ('failure' in demo) throw new Error(demo.failure)
    server = await startServer(demo.fixture, options)
    browser = await openBrowser(film)
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
    // Some policy violations are reported only by an event.
    await page.addInitScript(() =>
      addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sourceFile }) =>
        // eslint-disable-next-line no-console -- how the test outside of the page hears of it
        console.error(`Content Security Policy: ${violatedDirective} ${blockedURI} ${sourceFile}`),
      ),
    )
    page.on('pageerror', (error) => faults.push(error.stack ?? error.message))
    page.on('console', (message) => {
      if (/Content Security Policy/i.test(message.text())) faults.push(message.text())
    })
    return page
  }
  return {
    get server() {
      return running()
    },
    newPage: async ({ size = desktop, as } = {}) => {
      const kept = as === undefined ? null : keptLogin(as)
      const page = await open({
        viewport: size,
        ...(kept !== null && { storageState: storageAt(kept, running().url) }),
      })
      pages.push(page)
      if (kept !== null) await plantKeys(page, { handle: handleOf(kept), keys: kept.keys })
      return page
    },
  }
}

function keptLogin(phone: Phone): KeptLogin {
  const demo = inject('demo')
  const login = 'failure' in demo ? undefined : demo.sessions[phone]
  if (login === undefined) throw new Error(`${phone} was not logged in`)
  return login
}

/** What the person's browser has kept since the login, at the address of this file's server. */
function storageAt({ storage }: KeptLogin, url: string): StorageState {
  return { ...storage, origins: storage.origins.map(({ localStorage }) => ({ origin: url, localStorage })) }
}

/** The session's handle, under which the browser keeps the keys. */
function handleOf({ storage }: KeptLogin): string {
  const entries = storage.origins.flatMap(({ localStorage }) => localStorage)
  const session = entries.find(({ name }) => name === 'xc__session')
  const { value } = JSON.parse(session?.value ?? '{}') as { value: { accessToken: string } }
  return value.accessToken
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

/** Chooses an option of a select by its label; the options are drawn while it is open. */
export async function chooseOption(select: Locator, label: string): Promise<void> {
  await select.click()
  await select
    .page()
    .locator('.ant-select-dropdown:not(.ant-select-dropdown-hidden)')
    .getByTitle(label, { exact: true })
    .click()
}

/** Selects an entry of the user menu. */
export async function chooseSetting(page: Page, name: string | RegExp): Promise<void> {
  await settingsButton(page).click()
  await page.getByRole('menuitem', { name }).click()
}

async function takePicture(page: Page, name: string): Promise<void> {
  mkdirSync(picturesDir, { recursive: true })
  const path = join(picturesDir, `${name.replace(/[^\p{L}\p{N}]+/gu, '-').slice(0, 80)}.png`)
  await page.screenshot({ path, timeout: 5_000 }).catch(() => null)
}
