import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { deviceProtocols, portSetting } from '@saddle/contract/fleet/protocols.ts'
import { consoleDir, startPlatform, type Platform } from '#app/platform.ts'
import { greet, warnOfRisks } from '#app/greeting.ts'
import { buildName } from '#app/build.ts'
import { joinSecrets, prepareSecrets, type MasterSecret } from '#app/masterSecret.ts'
import { createLocalBus, type Bus } from '#kit/bus.ts'
import { busSubject, openNatsLine } from '#kit/cluster/natsLine.ts'
import { openPostgresLine } from '#kit/cluster/postgresLine.ts'
import { createSharedBus } from '#kit/cluster/sharedBus.ts'
import { systemClock, type Clock } from '#kit/clock.ts'
import { assertRunnable, ConfigError, isFinanceHost, loadConfig, logConfig, type Config } from '#kit/config.ts'
import { startDatabaseClock } from '#kit/databaseClock.ts'
import { prepareLogins, type Logins } from '#kit/db/logins.ts'
import { migrate, MigrationError, pendingMigrations } from '#kit/db/migrate.ts'
import { openDatabase, type Database } from '#kit/db/pool.ts'
import { readDatabaseTime } from '#kit/db/time.ts'
import type { Kit } from '#kit/kit.ts'
import { createLifecycle, type Lifecycle } from '#kit/lifecycle.ts'
import { createLog, type Log } from '#kit/log.ts'
import { createMetrics } from '#kit/metrics.ts'
import { startEmbedded } from '#kit/postgres/embedded.ts'
import { secureRandom } from '#kit/random.ts'
import { stopOnUncaught } from '#kit/uncaught.ts'
import { loadMasterSecret, loadPreviousSecret } from '#kit/secret.ts'
import { assertClock } from '#kit/start/clockCheck.ts'
import {
  countOthers,
  holdDatabase,
  holdDatabaseBeside,
  holdDatabaseTogether,
  holdDataFolder,
  takeTurnToStart,
  withoutFinanceHosts,
} from '#kit/start/onlyServer.ts'
import { assertPortsFree, isPortTaken } from '#kit/start/ports.ts'
import { assertPooled } from '#kit/start/poolerCheck.ts'
import { StartRefusal } from '#kit/start/refusal.ts'
import { assertSecret } from '#kit/start/secretCheck.ts'

interface DatabaseOptions {
  readonly config: Config
  readonly log: Log
  readonly lifecycle: Lifecycle
}

/** Address of a migrated database: the configured one, or the embedded PostgreSQL, started here. */
async function prepareDatabase({ config, log, lifecycle }: DatabaseOptions): Promise<string> {
  let url = config.databaseUrl
  if (url === undefined) {
    const embedded = await startEmbedded({ dataDir: config.dataDir, log })
    lifecycle.onStop({ phase: 'close', name: 'postgres', run: () => embedded.stop() })
    url = embedded.url
  }
  const isBeside = isFinanceHost(config)
  // Before anything is changed: an older server that still runs would not know the new tables.
  const take = isBeside ? holdDatabaseBeside : config.cluster ? holdDatabaseTogether : holdDatabase
  const hold = await take({ url, log, onLost: (sentence) => void endWith({ sentence, lifecycle }) })
  lifecycle.onStop({ phase: 'close', name: 'lock of the database', run: () => hold.release() })
  await assertClock({ url, log, now: () => systemClock.now() })
  const pending = await pendingMigrations(url)
  if (isBeside && pending.length > 0)
    throw new StartRefusal(
      'The schema of this database is older than this version. Start the server of this version first: it brings the schema up to date.',
    )
  if (pending.length > 0 && config.cluster && (await countOthers(url)) > 0)
    throw new StartRefusal(
      'Other processes of this cluster run, and this version changes the schema. Stop them all, then start this version.',
    )
  if (pending.length > 0) await withoutFinanceHosts(url, () => migrate({ url, log }))
  return url
}

/** Ends a server that must not go on. */
async function endWith({ sentence, lifecycle }: { sentence: string; lifecycle: Lifecycle }): Promise<void> {
  process.stderr.write(`${sentence}\n`)
  await lifecycle.stop('another server has taken the database')
  process.exit(1)
}

async function loginsFor(options: { config: Config; url: string; log: Log }): Promise<Logins | null> {
  const { databaseAppUrl: app, databaseSystemUrl: system } = options.config
  return app !== undefined && system !== undefined ? { app, system } : prepareLogins(options)
}

/** Opens the database for work once its master secret is known to be the right one. */
async function openChecked(options: DatabaseOptions): Promise<{ readonly db: Database } & MasterSecret> {
  const { config, log } = options
  const { dataDir } = config
  const file = join(dataDir, 'secret')
  const isNew = config.secret === undefined && !existsSync(file)
  const secret = loadMasterSecret({ given: config.secret, dataDir })
  const previousSecret = loadPreviousSecret({ given: config.previousSecret, dataDir })
  const url = await prepareDatabase(options)
  const logins = await loginsFor({ config, url, log })
  const isPooled = config.databasePooler
  if (isPooled && logins !== null) await assertPooled(logins)
  const { databaseReadUrl: readUrl, databaseReadWaitMs: waitMs } = config
  const read = readUrl === undefined ? null : { url: readUrl, waitMs }
  const db = openDatabase({ url, logins, isPooled, read, log })
  const source = config.secret === undefined ? file : 'SADDLE_SECRET'
  try {
    await assertSecret({ db, secret, previousSecret, source, isNew, now: systemClock.now() })
    const isBeside = isFinanceHost(config) || (config.cluster && (await countOthers(url)) > 0)
    const prepare = isBeside ? joinSecrets : prepareSecrets
    return { db, ...(await prepare({ secret, previousSecret, url, log })) }
  } catch (error) {
    // One that opens nothing must not pass for the missing one at the next start.
    if (isNew) rmSync(file, { force: true })
    await db.close()
    throw error
  }
}

/** The bus of a single server, or the one of a process of a cluster. */
async function openBus({ config, log, clock }: { config: Config; log: Log; clock: Clock }): Promise<Bus> {
  const { cluster, databaseUrl: url } = config
  if (!cluster || url === undefined) return createLocalBus({ log })
  const line =
    config.natsUrl === undefined
      ? await openPostgresLine({ url, log })
      : await openNatsLine({ servers: config.natsUrl, subject: busSubject(config), log })
  return createSharedBus({ log, line, clock, node: randomUUID() })
}

/** A balancer that asks every second takes a process out after its second 503. */
const announceMs = 3_000

/** What a start that fails has to undo: it leaves no PostgreSQL behind. */
const run: { lifecycle: Lifecycle | null; hasFailed: boolean } = { lifecycle: null, hasFailed: false }

async function main(): Promise<void> {
  // Faults of an input are shown to the person who typed it.
  z.config(z.locales.zhCN())
  const given = loadConfig(process.env, process.argv.slice(2))
  assertRunnable(given)
  const config = { ...given, dataDir: resolve(given.dataDir) }
  const log = createLog({ level: config.logLevel })
  logConfig({ config, log })
  const lifecycle = createLifecycle({ log, announceMs: config.cluster ? announceMs : 0 })
  run.lifecycle = lifecycle
  lifecycle.listen((code) => process.exit(code))
  stopOnUncaught({ log, lifecycle, exit: (code) => process.exit(code) })
  // Whoever started this process must not start it again after a stop that was asked for.
  const noteStop = (): void => void (run.hasFailed || process.send?.({ type: 'stopping' }))
  lifecycle.onStop({ phase: 'refuse', name: 'parent process', run: noteStop })
  await assertPortsFree(config)
  mkdirSync(config.dataDir, { recursive: true })
  if (!isFinanceHost(config)) await holdDataFolder(config.dataDir)
  const { cluster, databaseUrl } = config
  const letOthersStart = cluster && databaseUrl !== undefined ? await takeTurnToStart(databaseUrl) : null
  const { finish, ...opened } = await openChecked({ config, log, lifecycle })
  const clock = await startDatabaseClock({ read: () => readDatabaseTime(opened.db), log })
  lifecycle.onStop({ phase: 'drain', name: 'clock', run: () => clock.stop() })
  const kit: Kit = { config, log, clock, random: secureRandom, bus: await openBus({ config, log, clock }), ...opened }
  // Without the demo none of its code is loaded.
  const demo = config.demo && !isFinanceHost(config) ? await import('#demo/run.ts') : null
  const demoKeys = (await demo?.prepareDemo(kit)) ?? []
  const platform = await startPlatform({
    kit: { ...kit, config: { ...config, artefactKeys: [...config.artefactKeys, ...demoKeys] } },
    lifecycle,
    metrics: createMetrics({ withProcess: true }),
    build: buildName(consoleDir),
    consoleDir,
  })
  await letOthersStart?.()
  // Whoever started this process may want to know the ports that were chosen.
  const { url, devicePorts, domains } = platform
  await demo?.writeSimulatorFiles({ kit, domains })
  process.send?.({ type: 'listening', url, devicePorts, settings: settingsOf(platform) })
  // The simulator goes on from the end of the demo's past, so it waits for that.
  demo?.startDemoPast({
    kit,
    domains,
    lifecycle,
    onReady: () => process.send?.({ type: 'history' }),
    onFilled: () => process.send?.({ type: 'past' }),
  })
  const rotating = new AbortController()
  const rotated = finish(rotating.signal).catch((err: unknown) => log.error({ err }, 'not everything was made anew'))
  lifecycle.onStop({
    phase: 'drain',
    name: 'secret rotation',
    run: () => {
      rotating.abort()
      return rotated
    },
  })
  greet({ config, log, url, devicePorts, demoLogins: demo?.demoLogins })
  warnOfRisks({ config, log })
}

/** The settings that keep the ports that were chosen, for the next start. */
function settingsOf({ url, devicePorts }: Pick<Platform, 'url' | 'devicePorts'>): Record<string, string> {
  const web = url === null ? {} : { PORT: new URL(url).port }
  const open = deviceProtocols.flatMap((protocol) => {
    const port = devicePorts[protocol]
    return port === undefined ? [] : [[portSetting(protocol), String(port)] as const]
  })
  return { ...web, ...Object.fromEntries(open) }
}

const unreachableCodes = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'ETIMEDOUT',
  'ECONNRESET',
  'EAI_AGAIN',
  '57P03',
  '28P01',
  '28000',
  '3D000',
])

const isUnreachable = (error: unknown): error is Error =>
  error instanceof Error && unreachableCodes.has(String((error as NodeJS.ErrnoException).code))

/** What a person can mend is said in one line; anything else is a fault of ours and shows where it comes from. */
function lineOf(error: unknown): string | null {
  if (error instanceof ConfigError || error instanceof MigrationError || error instanceof StartRefusal)
    return error.message
  if (isUnreachable(error))
    return `PostgreSQL cannot be reached (${error.message}): is it running, and is DATABASE_URL right?`
  // Taken between the check and the moment of listening.
  if (isPortTaken(error)) return `Port ${error.port} is taken by another process.`
  return null
}

try {
  await main()
} catch (error) {
  run.hasFailed = true
  const line = lineOf(error)
  process.stderr.write(`${line ?? (error instanceof Error ? (error.stack ?? error.message) : String(error))}\n`)
  // A database that is away for a moment is worth another try.
  if (line !== null && !isUnreachable(error) && process.send !== undefined) {
    // The next start would fail alike, so the parent process is told not to try.
    await new Promise<void>((resolve) => process.send?.({ type: 'refused' }, undefined, undefined, () => resolve()))
  }
  await run.lifecycle?.stop('the start failed')
  process.exit(1)
}
