import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/** The account that PostgreSQL runs under; null means the one that Node itself runs under. */
export type Account = { uid: number; gid: number } | null

const NOBODY_ID = 65_534

/**
 * PostgreSQL refuses to run as root, so root hands it to an unprivileged account that every system already has:
 * `postgres` where it exists (its files are nobody else's), otherwise `nobody`.
 */
export function chooseAccount(): Account {
  if (process.getuid?.() !== 0) return null
  const users = existsSync('/etc/passwd') ? readFileSync('/etc/passwd', 'utf8').split('\n') : []
  for (const name of ['postgres', 'nobody']) {
    const fields = users.find((line) => line.startsWith(`${name}:`))?.split(':')
    const uid = Number(fields?.[2])
    const gid = Number(fields?.[3])
    if (Number.isInteger(uid) && uid > 0 && Number.isInteger(gid)) return { uid, gid }
  }
  return { uid: NOBODY_ID, gid: NOBODY_ID }
}

/**
 * Whether the account may walk down to `path`: every folder above it that exists lets it pass.
 * A home folder of mode 700 above the clone is the usual reason why it may not.
 */
export function canReach(options: { account: Account; path: string }): boolean {
  const { account } = options
  if (account === null) return true
  let folder = resolve(options.path)
  for (;;) {
    if (existsSync(folder)) {
      const { mode, uid, gid, isFolder } = describe(folder)
      const shift = uid === account.uid ? 6 : gid === account.gid ? 3 : 0
      if (isFolder && ((mode >> shift) & 1) === 0) return false
    }
    const parent = dirname(folder)
    if (parent === folder) return true
    folder = parent
  }
}

function describe(path: string): { mode: number; uid: number; gid: number; isFolder: boolean } {
  const stats = statSync(path)
  return { mode: stats.mode, uid: stats.uid, gid: stats.gid, isFolder: stats.isDirectory() }
}
