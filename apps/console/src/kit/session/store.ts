import { accessTokenLifetimeMs } from '@saddle/contract/constants.ts'
import type { Me } from '@saddle/contract/identity/session.ts'
import type { ScreenPage } from '@saddle/contract/reports/screens.ts'
import { clearStored, readCookie, readStored, writeCookie, writeStored } from '#kit/storage.ts'
import { createStore, useStore } from '#kit/store.ts'
import { forgetKeys, releaseKeys } from './keys.ts'

export interface Session {
  /** Public handle of the session, not a secret. */
  readonly accessToken: string
  readonly objectId: string
  readonly phone: string
  readonly agentId: number
  readonly roleId: number | null
  readonly opManId: string
  readonly me?: Me
  /** Of a screen on a wall, which is no person. */
  readonly screen?: { readonly name: string; readonly pages: readonly ScreenPage[] }
}

const storageKey = 'session'
const csrfCookie = '_t'
/** Where the keys lay before they moved to IndexedDB; a browser sends such cookies with each load of the page. */
const keyCookiesOfOld = ['xc__ek', 'xc__sk']
removeOldKeyCookies()

const stored = createStore<Session | null>(readSession())

export const currentSession = (): Session | null => stored.get()
export const useSession = (): Session | null => useStore(stored)

/** Access token, objectId and the `_t` cookie, all three (specification, section 4). */
export function isLoggedIn(): boolean {
  const session = stored.get()
  return Boolean(session?.accessToken && session.objectId && readCookie(csrfCookie))
}

export function startSession(session: Session, lifetimeMs: number = accessTokenLifetimeMs): void {
  writeStored(storageKey, session, lifetimeMs)
  stored.set(session)
}

/** Adds the person's data; it is not stored but read again on each page load. */
export function describeSession(me: Me): void {
  const session = stored.get()
  if (session !== null) stored.set({ ...session, me })
}

/** Forgets the person: token, keys, role, franchisee, stored financial values. The server is not told; see `logout`. */
export function endSession(): void {
  forgetKeys()
  writeCookie(csrfCookie, '', { path: '/', lifetimeMs: 0 })
  clearStored()
  stored.set(null)
}

/** Follows a login or logout in another tab of this browser. */
export function watchOtherTabs(onChange: () => void): void {
  addEventListener('storage', () => {
    const there = readSession()
    if (there?.accessToken === stored.get()?.accessToken) return
    releaseKeys()
    stored.set(there)
    onChange()
  })
}

function removeOldKeyCookies(): void {
  const path = new URL('.', location.href).pathname
  for (const name of keyCookiesOfOld) if (readCookie(name) !== null) writeCookie(name, '', { path, lifetimeMs: 0 })
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
