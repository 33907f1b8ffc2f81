import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { portSettings } from '@saddle/contract/fleet/protocols.ts'
import { startPlatform, type Platform } from '#app/platform.ts'
import { createLocalBus, type Bus } from '#kit/bus.ts'
import { systemClock, type Clock } from '#kit/clock.ts'
import { loadConfig } from '#kit/config.ts'
import type { Service } from '#kit/settings/forms.ts'
import { createKeyring, type Keyring } from '#kit/crypto.ts'
import { openDatabase } from '#kit/db/pool.ts'
import type { Kit } from '#kit/kit.ts'
import { createLifecycle } from '#kit/lifecycle.ts'
import { createLog } from '#kit/log.ts'
import { createMetrics } from '#kit/metrics.ts'
import { secureRandom } from '#kit/random.ts'
import { createClient, type TestClient } from './client.ts'
import { testDatabase, type TestDatabase } from './database.ts'
import { testArtefactKeys } from './upgrades.ts'

export interface TestPlatform extends TestDatabase {
  readonly kit: Kit
  readonly platform: Platform
  readonly address: string
  readonly client: () => TestClient
  /** A client that has gone through the whole login. */
  readonly login: (phone: string, url?: string) => Promise<TestClient>
}

/** The master secret of all servers of these tests. */
export const testSecret = 'a secret of tests that is long enough'

export interface TestPlatformOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly clock?: Clock
  /** Fills the database before anything starts. */
  readonly seed?: (kit: Kit) => Promise<void>
  readonly consoleDir?: string | null
  /** Others than those of `testSecret`. */
  readonly secrets?: Keyring
  /** The bus of a process of a cluster. */
  readonly bus?: Bus
  /** Another server on a database that is there already. */
  readonly database?: Pick<TestDatabase, 'url' | 'owner'>
}

/** The whole server on a fresh database (or on one more server's) and random ports, stopped after the file's last test. Call it at the top of a file. */
export async function testPlatform(options: TestPlatformOptions = {}): Promise<TestPlatform> {
  const database = options.database === undefined ? await testDatabase() : shared(options.database)
  const dataDir = mkdtempSync(join(tmpdir(), 'saddle-test-'))
  const log = createLog({ level: 'error' })
  const clock = options.clock ?? systemClock
  const { SERVICES: services, ...env } = options.env ?? {}
  const kit: Kit = {
    config: {
      ...loadConfig({
        PORT: '0',
        HOST: '127.0.0.1',
        ...portSettings(() => 0),
        DATA_DIR: dataDir,
        LOG_LEVEL: 'error',
        ...testArtefactKeys,
        ...env,
      }),
      // A server runs all of them; a test starts what it looks at.
      services: (services ?? 'api,gateway,worker').split(',') as Service[],
    },
    db: database.db,
    clock,
    random: secureRandom,
    log,
    bus: options.bus ?? createLocalBus({ log }),
    secrets: options.secrets ?? createKeyring({ secret: testSecret }),
  }
  await options.seed?.(kit)
  const lifecycle = createLifecycle({ log })
  afterAll(async () => {
    await lifecycle.stop('the test is over')
    rmSync(dataDir, { recursive: true, force: true })
  })
  const platform = await startPlatform({
    kit,
    lifecycle,
    metrics: createMetrics({ withProcess: false }),
    build: 'test',
    consoleDir: options.consoleDir ?? null,
  })
  const address = (platform.url ?? '').replace('localhost', '127.0.0.1')
  const client = (url = address): TestClient => createClient({ url, now: () => clock.now() })
  const login = async (phone: string, url = address): Promise<TestClient> => {
    const fresh = client(url)
    const { serverKey, outbox } = platform.domains.identity
    // Tests log the same person in more often than a person would.
    await Promise.all([
      database.owner.deleteFrom('sms_code').execute(),
      database.owner.deleteFrom('sms_send').execute(),
    ])
    await fresh.login({ phone, serverKey, readCode: (to) => outbox?.latestFor(to)?.code })
    return fresh
  }
  return { ...database, kit, platform, address, client, login }
}

/** Connections of its own to a database that is another server's too. */
function shared({ url, owner }: Pick<TestDatabase, 'url' | 'owner'>): TestDatabase {
  const db = openDatabase({ url, log: createLog({ level: 'error' }), appConnections: 3, systemConnections: 2 })
  afterAll(() => db.close())
  return { db, url, owner }
}
