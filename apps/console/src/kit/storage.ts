import { storagePrefix } from '@saddle/contract/constants.ts'

/** Values of this browser, not of the person: they stay after logout. */
const keptAtLogout: readonly string[] = ['language', 'theme', 'device', 'clientConfig']
/** A person's settings under a key of their own: they are restored at the next login. */
const keptOfPersons = `${storagePrefix}lists-`

interface Stored {
  readonly value: unknown
  readonly expiresAt?: number
}

/** A stored value, or null when it is missing, expired or unreadable. The caller checks its shape. */
export function readStored(key: string, nowMs: number = Date.now()): unknown {
  const text = quietly(() => localStorage.getItem(storagePrefix + key))
  if (text === null || text === undefined) return null
  const stored = quietly(() => JSON.parse(text) as unknown)
  if (!isStored(stored)) return null
  if (stored.expiresAt !== undefined && stored.expiresAt <= nowMs) {
    removeStored(key)
    return null
  }
  return stored.value
}

/** Keeps a value as JSON, for `lifetimeMs` if given. Full or blocked storage is no error: nothing is kept then. */
export function writeStored(key: string, value: unknown, lifetimeMs?: number): void {
  const stored: Stored = lifetimeMs === undefined ? { value } : { value, expiresAt: Date.now() + lifetimeMs }
  quietly(() => localStorage.setItem(storagePrefix + key, JSON.stringify(stored)))
}

export function removeStored(key: string): void {
  quietly(() => localStorage.removeItem(storagePrefix + key))
}

/** Removes all values of the person who was logged in. */
export function clearStored(): void {
  quietly(() => {
    const kept = new Set(keptAtLogout.map((key) => storagePrefix + key))
    const ours = Object.keys(localStorage).filter((key) => isOurs(key) && !kept.has(key))
    for (const key of ours) localStorage.removeItem(key)
  })
}

const isOurs = (key: string): boolean => key.startsWith(storagePrefix) && !key.startsWith(keptOfPersons)

export function readCookie(name: string): string | null {
  const start = `${name}=`
  const found = document.cookie.split('; ').find((part) => part.startsWith(start))
  return found === undefined ? null : decodeURIComponent(found.slice(start.length))
}

export interface CookieOptions {
  readonly path: string
  readonly lifetimeMs: number
}

export function writeCookie(name: string, value: string, { path, lifetimeMs }: CookieOptions): void {
  const secure = location.protocol === 'https:' ? '; Secure' : ''
  const seconds = Math.floor(lifetimeMs / 1000)
  document.cookie = `${name}=${encodeURIComponent(value)}; Path=${path}; Max-Age=${seconds}; SameSite=Strict${secure}`
}

function isStored(value: unknown): value is Stored {
  return typeof value === 'object' && value !== null && 'value' in value
}

/** Storage throws in private windows and on full disks; the console works without it. */
function quietly<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}
