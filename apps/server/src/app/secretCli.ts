import { resolve } from 'node:path'
import { loadConfig, type Config } from '#kit/config.ts'
import { systemClock } from '#kit/clock.ts'
import { createKeyring } from '#kit/crypto.ts'
import { migrate } from '#kit/db/migrate.ts'
import { openDatabase } from '#kit/db/pool.ts'
import { countLeft, dropKeptKeys } from '#kit/db/rekey.ts'
import { createLog, silentLog } from '#kit/log.ts'
import { startEmbedded } from '#kit/postgres/embedded.ts'
import { forgetPreviousSecret, loadMasterSecret, loadPreviousSecret, rotateMasterSecret } from '#kit/secret.ts'
import { holdDatabase } from '#kit/start/onlyServer.ts'
import { StartRefusal } from '#kit/start/refusal.ts'
import { assertSecret } from '#kit/start/secretCheck.ts'
import { keptDevicePurposes } from '#telemetry/public.ts'
import { keyedValues } from './keyed.ts'
import { prepareSecrets } from './masterSecret.ts'

const usage = `usage: npm run --silent secret:rotate [-- --status | --forget | --end-grace]
  (nothing)    makes a new secret, keeps the previous one, and makes every value anew; goes on where it was cut off
  --status     says what is still under an earlier secret
  --forget     removes the previous secret from DATA_DIR when nothing needs it
  --end-grace  vehicles may not show passwords, codes and marks of earlier secrets any more`

interface Place {
  readonly config: Config
  readonly url: string
  /** Whether a server runs on it. */
  readonly isServed: boolean
}

/** `npm run secret:rotate`: a new master secret without locking anyone out. */
async function main(): Promise<number> {
  const [option = '', ...rest] = process.argv.slice(2)
  const act = { '': rotate, '--status': status, '--forget': forget, '--end-grace': endGrace }[option]
  if (act === undefined || rest.length > 0) {
    console.error(usage)
    return 2
  }
  const given = loadConfig(process.env, [])
  const config = { ...given, dataDir: resolve(given.dataDir) }
  const embedded =
    config.databaseUrl === undefined ? await startEmbedded({ dataDir: config.dataDir, log: silentLog }) : null
  const url = embedded?.url ?? config.databaseUrl ?? ''
  const hold = await holdUnlessServed(url)
  try {
    if (hold !== null) await migrate({ url, log: silentLog })
    return await act({ config, url, isServed: hold === null })
  } finally {
    await hold?.release()
    await embedded?.stop()
  }
}

async function rotate(place: Place): Promise<number> {
  const { config, url, isServed } = place
  if (config.secret === undefined) {
    const isUnderWay = loadPreviousSecret({ given: config.previousSecret, dataDir: config.dataDir }) !== undefined
    if (isUnderWay && (await leftOf(place)).length === 0) {
      console.error(
        'The rotation before is through; `-- --forget` removes the previous secret, then begin the next one.',
      )
      return 1
    }
    if (!isUnderWay) {
      loadMasterSecret({ given: undefined, dataDir: config.dataDir })
      rotateMasterSecret(config.dataDir)
      console.log(`A new secret is in ${config.dataDir}/secret, the previous one beside it. Back both up.`)
    }
  } else if (config.previousSecret === undefined) {
    console.error('SADDLE_SECRET is set by you: set a new one, and the one until now as SADDLE_PREVIOUS_SECRET.')
    return 1
  }
  if (isServed) {
    console.log('The server is running: start it again, it makes every value anew before it listens.')
    return 0
  }
  const { secret, previousSecret } = secretsOf(config)
  const log = createLog({ level: 'info' })
  const db = openDatabase({ url, log, appConnections: 1, systemConnections: 1 })
  try {
    const now = systemClock.now()
    await assertSecret({ db, secret, previousSecret, source: 'the present one', isNew: false, now })
  } finally {
    await db.close()
  }
  const { finish } = await prepareSecrets({ secret, previousSecret, url, log })
  await finish(new AbortController().signal)
  return status(place)
}

async function status(place: Place): Promise<number> {
  const left = await leftOf(place)
  for (const { table, rows } of left) console.log(`${table}: ${rows} rows are under an earlier secret`)
  console.log(
    left.length === 0
      ? 'Every value is under the present secret; no earlier one is needed.'
      : 'Keep the previous secret until none is left.',
  )
  return left.length === 0 ? 0 : 1
}

async function forget(place: Place): Promise<number> {
  if (place.config.previousSecret !== undefined) {
    console.error('SADDLE_PREVIOUS_SECRET is set by you: take it out when `-- --status` says that none is left.')
    return 1
  }
  if ((await leftOf(place)).length > 0) return status(place)
  console.log(
    forgetPreviousSecret(place.config.dataDir) ? 'The previous secret is gone.' : 'No previous secret is kept.',
  )
  return 0
}

async function endGrace({ url }: Place): Promise<number> {
  const dropped = await dropKeptKeys({ url, purposes: keptDevicePurposes })
  console.log(
    `${dropped} keys of earlier secrets are gone. Start the server again: vehicles are let in with what the present secret gives them.`,
  )
  return 0
}

async function leftOf({ config, url }: Place): Promise<{ table: string; rows: number }[]> {
  const secrets = createKeyring(secretsOf(config))
  return (await countLeft({ url, secrets, values: keyedValues })).filter(({ rows }) => rows > 0)
}

function secretsOf({ secret, previousSecret, dataDir }: Config): {
  readonly secret: string
  readonly previousSecret: string | undefined
} {
  return {
    secret: loadMasterSecret({ given: secret, dataDir }),
    previousSecret: loadPreviousSecret({ given: previousSecret, dataDir }),
  }
}

/** Prevents a server from starting meanwhile; null when one is already running. */
async function holdUnlessServed(url: string): Promise<{ release(): Promise<void> } | null> {
  try {
    return await holdDatabase({ url, log: silentLog, onLost: () => process.exit(1), maxWaitMs: 0 })
  } catch (error) {
    if (error instanceof StartRefusal) return null
    throw error
  }
}

try {
  process.exitCode = await main()
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error))
  process.exitCode = 2
}
