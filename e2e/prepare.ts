import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserContextOptions } from 'playwright-core'
import type { TestProject } from 'vitest/node'
import { prepareTestCluster, type TestCluster } from '@saddle/server/test/cluster.ts'
import {
  catchKeys,
  forgetSentCodes,
  logIn,
  openBrowser,
  openPage,
  phones,
  type CaughtKeys,
  type Phone,
} from './people.ts'
import { forgetCompiled, startServer, type ServerFixture, type RunningServer } from './server.ts'

/** Browser state after a login: cookies, local storage, and the session keys, which a storage snapshot does not contain. */
export interface KeptLogin {
  readonly storage: StorageState
  readonly keys: CaughtKeys
}
export type StorageState = Exclude<BrowserContextOptions['storageState'], string | undefined>

/** A prepared demo with the browser state of its users. */
interface Demo {
  readonly fixture: ServerFixture
  readonly sessions: Readonly<Partial<Record<Phone, KeptLogin>>>
}

declare module 'vitest' {
  export interface ProvidedContext {
    demo: Demo | { readonly failure: string }
  }
}

/**
 * Starts the server on an empty database, logs users in through the login page, and leaves database and data folder to
 * be copied: the common setup of all browser tests is done once. A failure here fails those files and
 * no others.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const cluster = await prepareTestCluster()
  const dataDir = mkdtempSync(join(tmpdir(), 'saddle-e2e-'))
  const made = await startDemo(cluster, dataDir).catch((error: unknown) => ({ failure: String(error) }))
  project.provide('demo', 'failure' in made ? made : made.demo)
  return async () => {
    if (!('failure' in made)) await made.drop()
    rmSync(dataDir, { recursive: true, force: true })
    await cluster.stop()
  }
}

async function startDemo({ url }: TestCluster, dataDir: string): Promise<{ demo: Demo; drop: () => Promise<void> }> {
  forgetCompiled()
  const server = await startServer({ clusterUrl: url }, { dataDir })
  try {
    const sessions = await logInAll(server)
    // So that the test files can log in the same people at once.
    await forgetSentCodes(server)
    await server.stop()
    const fixture = { clusterUrl: url, started: { template: server.database, dataDir } }
    return { demo: { fixture, sessions }, drop: server.end }
  } catch (error) {
    await server.end()
    throw error
  }
}

async function logInAll(server: RunningServer): Promise<Demo['sessions']> {
  const sessions: Partial<Record<Phone, KeptLogin>> = {}
  const browser = await openBrowser()
  try {
    for (const phone of Object.values(phones)) {
      const page = await openPage(browser, { baseURL: server.url })
      const keys = await catchKeys(page)
      await page.goto('/console/#/login')
      await logIn({ page, server, phone })
      sessions[phone] = { storage: await page.context().storageState(), keys: keys() }
      await page.context().close()
    }
    return sessions
  } finally {
    await browser.close()
  }
}
