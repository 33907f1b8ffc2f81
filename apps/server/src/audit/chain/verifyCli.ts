import { resolve } from 'node:path'
import { ConfigError, loadConfig } from '#kit/config.ts'
import { openDatabase, type Database } from '#kit/db/pool.ts'
import { createLog } from '#kit/log.ts'
import { startEmbedded } from '#kit/postgres/embedded.ts'
import { anchorFolder } from './anchorFile.ts'
import { chainStart, checkPart, type ChainFault } from './check.ts'
import { selectChains } from './store.ts'

const recordsPerPart = 50_000

/** Verifies every chain of the database, prints one line for each, and returns the number of broken ones. */
export async function verifyChains(options: {
  db: Pick<Database, 'systemRead'>
  folder: string
  say: (line: string) => void
}): Promise<number> {
  const { db, folder, say } = options
  let broken = 0
  let total = 0
  const chains = await db.systemRead((kysely) => selectChains(kysely, 'all'))
  for (const { agent_id: agentId, company } of chains) {
    let part: Awaited<ReturnType<typeof checkPart>> = { place: chainStart, fault: null, isDone: false }
    while (!part.isDone) {
      part = await checkPart({
        read: (build) => db.systemRead(build),
        agentId,
        place: part.place,
        lines: recordsPerPart,
        anchorFolder: folder,
      })
    }
    const { sequence, hash } = part.place
    total += sequence
    if (part.fault !== null) broken += 1
    const verdict = part.fault === null ? `sound, last hash ${hash === '' ? 'none' : hash}` : faultWords(part.fault)
    say(`${company} (${agentId}): ${sequence} records, ${verdict}`)
  }
  say(`audit: ${chains.length} chains, ${total} records, ${broken === 0 ? 'sound' : `${broken} broken`}`)
  return broken
}

function faultWords({ kind, sequence }: ChainFault): string {
  if (kind === 'line') return `BROKEN at line ${sequence}: changed, removed or inserted`
  return `BROKEN: line ${sequence} is not the one that was anchored, or was cut off`
}

/** `npm run --silent audit:verify`: verifies the audit log of the configured database; exit code 1 when it is broken. */
async function main(): Promise<number> {
  const config = loadConfig(process.env, process.argv.slice(2))
  const dataDir = resolve(config.dataDir)
  const log = createLog({ level: 'error' })
  const embedded = config.databaseUrl === undefined ? await startEmbedded({ dataDir, log }) : null
  const url = config.databaseUrl ?? embedded?.url ?? ''
  const db = openDatabase({ url, log })
  try {
    return await verifyChains({ db, folder: anchorFolder(dataDir), say: (line) => console.log(line) })
  } finally {
    await db.close()
    await embedded?.stop()
  }
}

if (import.meta.main) {
  try {
    process.exitCode = (await main()) === 0 ? 0 : 1
  } catch (error) {
    console.error(error instanceof ConfigError || error instanceof Error ? error.message : String(error))
    process.exitCode = 2
  }
}
