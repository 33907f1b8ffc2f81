import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { BackupError } from '#kit/backup/manifest.ts'
import { loadConfig } from '#kit/config.ts'
import { withConfiguredPlace } from '#kit/db/configured.ts'
import { migrate } from '#kit/db/migrate.ts'
import { silentLog } from '#kit/log.ts'

/** Settings of the place that the backup is of: the restored one has an embedded PostgreSQL, and is alone. */
const ofThePlatform = /^(?:DATABASE_|CLUSTER$|SERVICES$|NATS_URL$)/
/** What is proved after the restore, which proves ledger and audit log by itself. */
const proofs = ['../../finance/channelBills/reconcileCli.ts', '../../reports/verify/verifyCli.ts']

/**
 * `npm run --silent backup:verify -- <folder>`: proves a backup by restoring it into a folder of its own, bringing it to this
 * version's schema and running the verifiers of ledger, audit log, finance and reports there. The master secret is that of the
 * settings. Needs as much room below the folder for temporary files (`TMPDIR`) as the database has. Exit code 1 when a step fails.
 */
async function main(args: readonly string[]): Promise<void> {
  const [folder] = args
  if (folder === undefined || args.length !== 1) throw new Error('usage: npm run --silent backup:verify -- <folder>')
  const settings = loadConfig(process.env, [])
  const secret = settings.secret ?? readSecret(join(resolve(settings.dataDir), 'secret'))
  const dataDir = mkdtempSync(join(tmpdir(), 'saddle-verify-'))
  // The account that PostgreSQL runs under must be able to enter it.
  chmodSync(dataDir, 0o755)
  try {
    for (const name of Object.keys(process.env)) if (ofThePlatform.test(name)) delete process.env[name]
    Object.assign(process.env, { DATA_DIR: dataDir, SADDLE_SECRET: secret })
    run('./restoreCli.ts', [resolve(folder)])
    await withConfiguredPlace(async ({ url }) => {
      await migrate({ url, log: silentLog })
      for (const proof of proofs) run(proof)
    })
    console.log('backup: restored, sound')
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

function readSecret(file: string): string {
  if (!existsSync(file))
    throw new BackupError(`The master secret is missing: set DATA_DIR to the folder that has it, or SADDLE_SECRET.`)
  return readFileSync(file, 'utf8').trim()
}

/** Runs a command of this version in the restored place. */
function run(name: string, args: readonly string[] = []): void {
  const script = fileURLToPath(new URL(name, import.meta.url))
  const { status } = spawnSync(process.execPath, ['--disable-warning=ExperimentalWarning', script, ...args], {
    stdio: 'inherit',
  })
  if (status !== 0) throw new BackupError('The backup is not proved: see above.')
}

try {
  await main(process.argv.slice(2))
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}
