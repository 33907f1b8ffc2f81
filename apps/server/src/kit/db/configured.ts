import { resolve } from 'node:path'
import { loadConfig, type Config } from '#kit/config.ts'
import { silentLog } from '#kit/log.ts'
import { startEmbedded } from '#kit/postgres/embedded.ts'
import { openDatabase, type Database } from './pool.ts'

export interface ConfiguredPlace {
  readonly config: Config
  readonly dataDir: string
  /** Of the owner of the database. */
  readonly url: string
}

/** The database that the settings name; the embedded one is started, or joined when the platform runs. For commands. */
export async function withConfiguredPlace<T>(work: (place: ConfiguredPlace) => Promise<T>): Promise<T> {
  const config = loadConfig(process.env, [])
  const dataDir = resolve(config.dataDir)
  const embedded = config.databaseUrl === undefined ? await startEmbedded({ dataDir, log: silentLog }) : null
  try {
    return await work({ config, dataDir, url: embedded?.url ?? config.databaseUrl ?? '' })
  } finally {
    await embedded?.stop()
  }
}

/** The same, opened. */
export const withConfiguredDatabase = <T>(work: (db: Database, place: ConfiguredPlace) => Promise<T>): Promise<T> =>
  withConfiguredPlace(async (place) => {
    const db = openDatabase({ url: place.url, log: silentLog, systemConnections: 1 })
    try {
      return await work(db, place)
    } finally {
      await db.close()
    }
  })
