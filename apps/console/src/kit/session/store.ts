import { accessTokenLifetimeMs, signatureCookieLifetimeMs } from '@saddle/contract/constants.ts'
import type { Me } from '@saddle/contract/identity/session.ts'
import { fromBase64Url, toBase64Url } from '@saddle/contract/wire/bytes.ts'
import type { SessionKeys } from '@saddle/contract/wire/crypto.ts'
import { clearStored, readCookie, readStored, writeCookie, writeStored } from '#kit/storage.ts'
import { createStore, useStore } from '#kit/store.ts'

export interface Session {
  /** Public handle of the session, not a secret. */
  readonly accessToken: string
  readonly objectId: string
  readonly phone: string
  readonly agentId: number
  readonly roleId: number | null
  readonly opManId: string
  readonly me?: Me
}

const storageKey = 'session'
const csrfCookie = '_t'
const encryptionCookie = 'xc__ek'
const signingCookie = 'xc__sk'

const stored = createStore<Session | null>(readSession())

export const currentSession = (): Session | null => stored.get()
export const useSession = (): Session | null => useStore(stored)

/** Access token, objectId and the `_t` cookie, all three (specification, section 4). */
export function isLoggedIn(): boolean {
  const session = stored.get()
  return Boolean(session?.accessToken && session.objectId && readCookie(csrfCookie))
}

export function startSession(session: Session): void {
  writeStored(storageKey, session, accessTokenLifetimeMs)
  stored.set(session)
}

/** Adds who the person is; not stored, it is read anew with each page load. */
export function describeSession(me: Me): void {
  const session = stored.get()
  if (session !== null) stored.set({ ...session, me })
}

/** Forgets the person: token, keys, role, franchisee, stored financial values. The server is not told; see `logout`. */
export function endSession(): void {
  for (const name of [encryptionCookie, signingCookie]) writeCookie(name, '', { path: consolePath(), lifetimeMs: 0 })
  writeCookie(csrfCookie, '', { path: '/', lifetimeMs: 0 })
  clearStored()
  stored.set(null)
}

/** Keeps the two keys as cookies that only this page's path can read and that no call ever carries. */
export function keepKeys(keys: SessionKeys): void {
  const options = { path: consolePath(), lifetimeMs: signatureCookieLifetimeMs }
  writeCookie(encryptionCookie, toBase64Url(keys.encryptionKey), options)
  writeCookie(signingCookie, toBase64Url(keys.signingKey), options)
}

/** The keys of the session, or null when they have expired. */
export function readKeys(): SessionKeys | null {
  const encryptionKey = fromBase64Url(readCookie(encryptionCookie) ?? '')
  const signingKey = fromBase64Url(readCookie(signingCookie) ?? '')
  return encryptionKey?.length === 32 && signingKey?.length === 32 ? { encryptionKey, signingKey } : null
}

/** Follows a login or logout in another tab of this browser. */
export function watchOtherTabs(onChange: () => void): void {
  addEventListener('storage', () => {
    const there = readSession()
    if (there?.accessToken === stored.get()?.accessToken) return
    stored.set(there)
    onChange()
  })
}

/** Folder of the page, `/console/`: calls go elsewhere, so cookies of this path are never sent. */
function consolePath(): string {
  return new URL('.', location.href).pathname
}

function readSession(): Session | null {
  const value = readStored(storageKey)
  return isSession(value) ? value : null
}

function isSession(value: unknown): value is Session {
  if (typeof value !== 'object' || value === null) return false
  const texts = ['accessToken', 'objectId', 'phone', 'opManId']
  const fields = new Map<string, unknown>(Object.entries(value))
  return texts.every((name) => typeof fields.get(name) === 'string') && typeof fields.get('agentId') === 'number'
}
