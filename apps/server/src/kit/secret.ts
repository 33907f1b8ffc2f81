import { randomBytes } from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigError } from './config.ts'

/** Returns the given master secret, or the one in `<dataDir>/secret`, which is made (mode 600) when absent. */
export function loadMasterSecret(options: { given: string | undefined; dataDir: string }): string {
  if (options.given !== undefined) return options.given
  const file = secretFile(options.dataDir)
  if (!existsSync(file)) create(file, options.dataDir)
  return read(file)
}

/** The secret before the present one: the given one, or the one that `rotateMasterSecret` kept. */
export function loadPreviousSecret(options: { given: string | undefined; dataDir: string }): string | undefined {
  const file = previousFile(options.dataDir)
  return options.given ?? (existsSync(file) ? read(file) : undefined)
}

/**
 * Replaces the present secret with a new one and keeps the old one next to it. If the process is killed, one of the two
 * is the present one. Throws ConfigError while an earlier one is still kept.
 */
export function rotateMasterSecret(dataDir: string): void {
  const [file, previous] = [secretFile(dataDir), previousFile(dataDir)]
  if (existsSync(previous)) {
    if (read(previous) !== read(file))
      throw new ConfigError(`Configuration: ${previous} is still kept; forget it before the next rotation`)
    rmSync(previous)
  }
  const draft = writeDraft(file)
  linkSync(file, previous)
  renameSync(draft, file)
}

/** Removes the kept previous secret. Returns false when there was none. */
export function forgetPreviousSecret(dataDir: string): boolean {
  const file = previousFile(dataDir)
  if (!existsSync(file)) return false
  rmSync(file)
  return true
}

const secretFile = (dataDir: string): string => join(dataDir, 'secret')
const previousFile = (dataDir: string): string => join(dataDir, 'secret.previous')

function read(file: string): string {
  const secret = readFileSync(file, 'utf8').trim()
  if (secret.length < 32)
    throw new ConfigError(`Configuration: ${file} does not hold a secret of 32 characters or more`)
  return secret
}

function writeDraft(file: string): string {
  const draft = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`
  writeFileSync(draft, `${randomBytes(48).toString('base64url')}\n`, { mode: 0o600, flag: 'wx', flush: true })
  return draft
}

function create(file: string, dataDir: string): void {
  mkdirSync(dataDir, { recursive: true })
  const draft = writeDraft(file)
  try {
    // A link fails where the name exists: of two servers that start together one secret wins, whole.
    linkSync(draft, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(draft, { force: true })
  }
}
