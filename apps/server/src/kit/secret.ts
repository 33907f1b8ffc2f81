import { randomBytes } from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigError } from './config.ts'

/** Returns the given master secret, or the one in `<dataDir>/secret`, which is made (mode 600) when absent. */
export function loadMasterSecret(options: { given: string | undefined; dataDir: string }): string {
  if (options.given !== undefined) return options.given
  const file = join(options.dataDir, 'secret')
  if (!existsSync(file)) create(file, options.dataDir)
  const secret = readFileSync(file, 'utf8').trim()
  if (secret.length < 32)
    throw new ConfigError(`Configuration: ${file} does not hold a secret of 32 characters or more`)
  return secret
}

function create(file: string, dataDir: string): void {
  mkdirSync(dataDir, { recursive: true })
  const draft = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`
  writeFileSync(draft, `${randomBytes(48).toString('base64url')}\n`, { mode: 0o600, flag: 'wx', flush: true })
  try {
    // A link fails where the name exists: of two servers that start together one secret wins, whole.
    linkSync(draft, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(draft, { force: true })
  }
}
