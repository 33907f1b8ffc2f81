import { existsSync } from 'node:fs'
import { chromium, type Browser, type BrowserContextOptions, type Locator, type Page } from 'playwright-core'
import { hourMs } from '@saddle/contract/time.ts'
import type { RunningServer } from './server.ts'

export const phones = {
  /** Platform administrator: everything, and the inbox of the support. */
  platform: '13800138000',
  /** Administrator of the franchisee 青禾出行 with its two areas. */
  manager: '13800138001',
  /** Maintenance of the same franchisee, one area. */
  worker: '13800138002',
  /** Has permission for pages of one group only. */
  regulator: '13800138004',
} as const
export type Phone = (typeof phones)[keyof typeof phones]

/** Timeout: pages answer within a second, a software-rendered map on a busy machine within some seconds. */
const stepTimeoutMs = 30_000
/** Headless and without background network traffic. */
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

const cameraFlags = (film: string | undefined): string[] =>
  film === undefined
    ? []
    : [
        '--use-fake-ui-for-media-stream',
        '--use-fake-device-for-media-stream',
        `--use-file-for-fake-video-capture=${film}`,
      ]

/** A headless browser; with a film, its fake camera plays that film in a loop. */
export async function openBrowser(film?: string): Promise<Browser> {
  return await chromium.launch({ executablePath: chromiumPath(), args: [...flags, ...cameraFlags(film)] })
}

/** A page in a browser profile of its own. */
export async function openPage(browser: Browser, options: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext({
    locale: 'zh-CN',
    timezoneId: 'Asia/Shanghai',
    // No test has to wait for animations.
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

/** Logs in through the open login page, by the code's last digit; resolves when the shell is visible. */
export async function logIn({ page, server, phone }: LogInOptions): Promise<void> {
  await page.getByLabel('手机号').fill(phone)
  await page.getByRole('button', { name: '发送验证码' }).click()
  await page.getByText('短信发送成功').waitFor()
  await page.getByLabel('验证码', { exact: true }).fill(await server.readCode(phone))
  await settingsButton(page).waitFor()
}

/** Clears the SMS history, so that a phone can request another code at once. */
export async function forgetSentCodes(server: RunningServer): Promise<void> {
  await server.query('delete from sms_send')
  await server.query('delete from sms_code')
}

/** The user menu, in both languages; it is visible when the shell is loaded. */
export const settingsButton = (page: Page): Locator => page.getByRole('button', { name: /^(设置|Settings) / })

function chromiumPath(): string {
  const given = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium'
  if (!existsSync(given)) throw new Error(`no Chromium at ${given}: set CHROMIUM_PATH to its program`)
  return given
}

/** The session keys of a login, as bytes: readable only once, while the browser imports them. */
export interface CaughtKeys {
  readonly encryption: number[]
  readonly signing: number[]
}

/** Captures the session keys of the next login of this page; the page keeps them non-extractable. */
export async function catchKeys(page: Page): Promise<() => CaughtKeys> {
  const caught: Partial<CaughtKeys> = {}
  await page.exposeFunction('noteKey', (kind: keyof CaughtKeys, bytes: number[]) => {
    Object.assign(caught, { [kind]: bytes })
  })
  await page.addInitScript(() => {
    const { noteKey } = window as unknown as { noteKey(kind: string, bytes: number[]): void }
    const original = crypto.subtle.importKey.bind(crypto.subtle) as (...given: unknown[]) => Promise<CryptoKey>
    const watched = (format: string, data: ArrayLike<number>, algorithm: unknown, ...rest: unknown[]) => {
      noteKey(algorithm === 'AES-GCM' ? 'encryption' : 'signing', Array.from(data))
      return original(format, data, algorithm, ...rest)
    }
    Object.assign(crypto.subtle, { importKey: watched })
  })
  return () => {
    const { encryption, signing } = caught
    if (encryption === undefined || signing === undefined) throw new Error('the login has imported no keys')
    return { encryption, signing }
  }
}

/** Stores captured keys where the console reads them, before it is opened. */
export async function plantKeys(page: Page, options: { handle: string; keys: CaughtKeys }): Promise<void> {
  await page.goto('/healthz')
  await page.evaluate(
    async ({ handle, keys: { encryption, signing }, lifetimeMs }) => {
      const { subtle } = crypto
      const imported = {
        encryption: await subtle.importKey('raw', new Uint8Array(encryption), 'AES-GCM', false, ['encrypt', 'decrypt']),
        signing: await subtle.importKey('raw', new Uint8Array(signing), { name: 'HMAC', hash: 'SHA-256' }, false, [
          'sign',
        ]),
      }
      await new Promise<void>((resolve, reject) => {
        const request = indexedDB.open('xc__keys', 1)
        request.addEventListener('upgradeneeded', () => request.result.createObjectStore('keys'))
        request.addEventListener('error', () => reject(request.error ?? new Error('no storage')))
        request.addEventListener('success', () => {
          const transaction = request.result.transaction('keys', 'readwrite')
          transaction.objectStore('keys').put({ keys: imported, expiresAt: Date.now() + lifetimeMs }, handle)
          transaction.addEventListener('complete', () => {
            request.result.close()
            resolve()
          })
        })
      })
    },
    { ...options, lifetimeMs: hourMs },
  )
}
