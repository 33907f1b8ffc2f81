import { createHash } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  writeFileSync,
} from 'node:fs'
import { join, resolve } from 'node:path'
import { canReach, type Account } from './account.ts'

/** Paths of one embedded PostgreSQL. */
export type Place = {
  /** Folder of everything below, owned by the account that PostgreSQL runs under. */
  base: string
  /** Becomes visible by one rename when initdb is through, so it is whole or absent. */
  cluster: string
  data: string
  passwordFile: string
  socketFolder: string
  logFile: string
}

/** Used by root only: the account could not reach a folder inside a closed home folder. */
const OUTSIDE = '/var/lib/saddle'
const POINTER = 'postgres-location.json'
// The kernel allows 108 bytes for a socket's path, macOS 104.
const MAX_SOCKET_FOLDER_LENGTH = 80

type Pointer = { dataDir: string; base: string }

/**
 * Finds (and makes) the folders of the cluster that belongs to `dataDir`: below it, or, when the account cannot reach
 * it, below /var/lib/saddle. The choice is written down, because a folder's mode may change after the first start.
 */
export function preparePlace(options: { dataDir: string; account: Account }): Place {
  const { account } = options
  mkdirSync(options.dataDir, { recursive: true })
  const dataDir = realpathSync(options.dataDir)
  const base = chooseBase({ dataDir, account })
  mkdirSync(base, { recursive: true })
  own({ path: base, account })
  const socketFolder = prepareSocketFolder({ base, account })
  const cluster = join(base, 'cluster')
  return {
    base,
    cluster,
    data: join(cluster, 'data'),
    passwordFile: join(cluster, 'password'),
    socketFolder,
    logFile: join(base, 'postgres.log'),
  }
}

/** Makes the account the owner of a folder and denies access to other accounts. */
export function own(options: { path: string; account: Account }): void {
  if (options.account !== null) chownSync(options.path, options.account.uid, options.account.gid)
  chmodSync(options.path, 0o700)
}

function chooseBase(options: { dataDir: string; account: Account }): string {
  const { dataDir, account } = options
  const inside = join(dataDir, 'postgres')
  const pointerFile = join(dataDir, POINTER)
  const pointer = readPointer(pointerFile)
  prepareOutside({ account, isNeeded: pointer !== null || !canReach({ account, path: dataDir }) })
  if (pointer !== null && belongsHere({ pointer, dataDir })) {
    if (pointer.dataDir !== dataDir) writePointer(pointerFile, { dataDir, base: pointer.base })
    if (canReach({ account, path: pointer.base })) return pointer.base
    throw new Error(
      `the database in ${pointer.base} cannot be reached by the account that runs PostgreSQL; open its folders`,
    )
  }
  const base = canReach({ account, path: dataDir }) ? inside : join(OUTSIDE, shortHash(dataDir))
  if (base !== inside && existsSync(join(inside, 'cluster'))) {
    throw new Error(
      `the database in ${inside} cannot be reached by the account that runs PostgreSQL; open the folders above it`,
    )
  }
  if (base !== inside) writePointer(pointerFile, { dataDir, base })
  return base
}

function prepareOutside(options: { account: Account; isNeeded: boolean }): void {
  if (options.account === null || !options.isNeeded) return
  mkdirSync(OUTSIDE, { recursive: true })
  // A strict umask would close it to the account that has to pass through.
  chmodSync(OUTSIDE, 0o755)
}

/** A data folder that was moved takes its database along; one that was copied must start its own. */
function belongsHere(options: { pointer: Pointer; dataDir: string }): boolean {
  const { pointer, dataDir } = options
  if (pointer.dataDir === dataDir) return true
  return readPointer(join(pointer.dataDir, POINTER))?.base !== pointer.base
}

function readPointer(file: string): Pointer | null {
  if (!existsSync(file)) return null
  try {
    const value = JSON.parse(readFileSync(file, 'utf8')) as Partial<Pointer>
    if (typeof value.dataDir === 'string' && typeof value.base === 'string')
      return { dataDir: value.dataDir, base: value.base }
  } catch {
    // A crash interrupted the first write: nothing was stored yet.
  }
  return null
}

function writePointer(file: string, pointer: Pointer): void {
  writeFileSync(file, `${JSON.stringify(pointer)}\n`)
}

function prepareSocketFolder(options: { base: string; account: Account }): string {
  const { base, account } = options
  const inside = join(base, 'run')
  const folder =
    Buffer.byteLength(inside) <= MAX_SOCKET_FOLDER_LENGTH ? inside : resolve('/tmp', `.saddle-${shortHash(base)}`)
  if (!existsSync(folder)) mkdirSync(folder, { mode: 0o700 })
  const stats = lstatSync(folder)
  const expected = [process.getuid?.() ?? stats.uid, account?.uid ?? stats.uid]
  // Any user can create names in /tmp: another user's folder there could capture the password.
  if (!stats.isDirectory() || !expected.includes(stats.uid))
    throw new Error(`${folder} belongs to somebody else; remove it`)
  own({ path: folder, account })
  return folder
}

export function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}
