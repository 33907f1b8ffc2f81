import { cpSync, existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { anchorFolder } from '#audit/public.ts'
import { dumpDatabase, prepareFolder } from '#kit/backup/dump.ts'
import type { Config } from '#kit/config.ts'
import { withConfiguredPlace } from '#kit/db/configured.ts'

/** `npm run --silent backup -- <folder>`: everything that a restore needs except the master secret. */
async function main(args: readonly string[]): Promise<void> {
  const [folder] = args
  if (folder === undefined || args.length !== 1) throw new Error('usage: npm run --silent backup -- <folder>')
  const into = resolve(folder)
  await withConfiguredPlace(async ({ config, dataDir, url }) => {
    prepareFolder(into)
    // First: an anchor must not be of a line that came after the rows were read.
    const anchors = anchorFolder(dataDir)
    if (existsSync(anchors)) cpSync(anchors, join(into, 'audit-anchors'), { recursive: true })
    else console.error(`backup: no audit anchors: ${anchors} is missing; a worker writes them to its DATA_DIR`)
    const secrets = secretsOf(config, dataDir)
    const manifest = await dumpDatabase({ url, folder: into, now: new Date(), secrets })
    const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
    const bytes = manifest.tables.reduce((sum, table) => sum + table.bytes, 0)
    console.log(
      `backup: ${manifest.tables.length} tables, ${rows} rows, ${(bytes / 1_048_576).toFixed(1)} MB in ${into}`,
    )
    const secret = config.secret === undefined ? join(dataDir, 'secret') : 'SADDLE_SECRET'
    console.log(
      `backup: the master secret is not in it; keep ${secret} in another place, without it nothing of the backup can be read`,
    )
  })
}

/** The present master secret, and the one before it. None is made here. */
function secretsOf(config: Config, dataDir: string): string[] {
  const read = (given: string | undefined, name: string): string[] => {
    if (given !== undefined) return [given]
    const file = join(dataDir, name)
    return existsSync(file) ? [readFileSync(file, 'utf8').trim()] : []
  }
  return [...read(config.secret, 'secret'), ...read(config.previousSecret, 'secret.previous')]
}

try {
  await main(process.argv.slice(2))
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}
