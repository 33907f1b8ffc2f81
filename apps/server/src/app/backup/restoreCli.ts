import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { anchorFolder } from '#audit/public.ts'
import { checkFiles, checkSchema, loadDatabase } from '#kit/backup/load.ts'
import { BackupError, readManifest, type Manifest } from '#kit/backup/manifest.ts'
import { loadConfig } from '#kit/config.ts'
import { silentLog } from '#kit/log.ts'
import { secretDigest } from '#kit/start/secretCheck.ts'
import { withConfiguredPlace } from '#kit/db/configured.ts'

const proofs = ['../ledgerVerifyCli.ts', '../../audit/chain/verifyCli.ts']

/** `npm run --silent restore -- <folder>`: a backup into an empty data folder (or empty database), proved afterwards. */
async function main(args: readonly string[]): Promise<void> {
  const [folder] = args
  if (folder === undefined || args.length !== 1) throw new Error('usage: npm run --silent restore -- <folder>')
  const from = resolve(folder)
  const manifest = readManifest(from)
  checkSchema(manifest)
  const config = loadConfig(process.env, [])
  const dataDir = resolve(config.dataDir)
  assertEmptyFolder(dataDir)
  const secret = rightSecret({ manifest, given: config.secret, file: join(dataDir, 'secret') })
  await checkFiles(from, manifest)
  await withConfiguredPlace(async ({ url }) => {
    await loadDatabase({ url, folder: from, manifest, secret, log: silentLog })
    const anchors = join(from, 'audit-anchors')
    if (existsSync(anchors)) cpSync(anchors, anchorFolder(dataDir), { recursive: true })
    const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
    console.log(`restore: ${manifest.tables.length} tables, ${rows} rows of ${manifest.createdAt}`)
    prove()
  })
  console.log('restore: complete and proved; start the platform with npm start')
}

/** What a person may have put there before: the secret. Anything else belongs to an installation. */
function assertEmptyFolder(dataDir: string): void {
  const others = existsSync(dataDir) ? readdirSync(dataDir).filter((name) => name !== 'secret') : []
  if (others.length > 0)
    throw new BackupError(
      `${dataDir} is not empty (${others[0]}): restore into a new DATA_DIR that has only the secret.`,
    )
}

function rightSecret(options: { manifest: Manifest; given: string | undefined; file: string }): string {
  const { manifest, given, file } = options
  const secret = given ?? (existsSync(file) ? readFileSync(file, 'utf8').trim() : null)
  if (secret === null)
    throw new BackupError(`The master secret is missing: put it at ${file}, or set SADDLE_SECRET, and restore again.`)
  if (manifest.secretDigest !== null && manifest.secretDigest !== secretDigest(secret))
    throw new BackupError(
      `The master secret (${given === undefined ? file : 'SADDLE_SECRET'}) is not the one of this backup.`,
    )
  return secret
}

/** The proofs of ledger and audit trail; throws when one of them fails. */
function prove(): void {
  for (const proof of proofs) {
    const script = fileURLToPath(new URL(proof, import.meta.url))
    const { status } = spawnSync(process.execPath, ['--disable-warning=ExperimentalWarning', script], {
      stdio: 'inherit',
    })
    if (status !== 0) throw new BackupError('The restored database is not sound: see above. Do not start on it.')
  }
}

try {
  await main(process.argv.slice(2))
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}
