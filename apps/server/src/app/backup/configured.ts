import { resolve } from 'node:path'
import { loadConfig, type Config } from '#kit/config.ts'
import { createLog } from '#kit/log.ts'
import { startEmbedded } from '#kit/postgres/embedded.ts'

export interface ConfiguredDatabase {
  readonly config: Config
  readonly dataDir: string
  readonly url: string
}

/** The database that the settings name, as its owner; the embedded one is started, or joined when the platform runs. */
export async function withConfiguredDatabase(work: (database: ConfiguredDatabase) => Promise<void>): Promise<void> {
  const config = loadConfig(process.env, [])
  const dataDir = resolve(config.dataDir)
  const log = createLog({ level: 'silent' })
  const embedded = config.databaseUrl === undefined ? await startEmbedded({ dataDir, log }) : null
  try {
    await work({ config, dataDir, url: embedded?.url ?? config.databaseUrl ?? '' })
  } finally {
    await embedded?.stop()
  }
}
