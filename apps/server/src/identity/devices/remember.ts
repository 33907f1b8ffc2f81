import { deviceCookieLifetimeMs, loginCookies } from '@saddle/contract/identity/limits.ts'
import { cookieHash } from '#identity/secrets.ts'
import type { Call } from '#kit/call.ts'
import type { Clock } from '#kit/clock.ts'
import { randomToken } from '#kit/crypto.ts'
import type { Database } from '#kit/db/pool.ts'
import type { Random } from '#kit/random.ts'
import { rememberDevice } from './store.ts'

const deviceCookiePattern = /^[A-Za-z0-9_-]{43}$/

interface BrowserLogin {
  /** Null for an unregistered number: its browser gets a cookie as well. */
  readonly operator: { readonly id: number; readonly agentId: number } | null
  readonly name: string
  readonly call: Call
}

/** Sets the browser's device cookie and records it for the operator; returns the cookie's hash. */
export async function rememberBrowser(
  { db, random, clock }: { db: Database; random: Random; clock: Clock },
  { operator, name, call }: BrowserLogin,
): Promise<string> {
  const given = call.cookie(loginCookies.device)
  const cookie = given !== undefined && deviceCookiePattern.test(given) ? given : randomToken(random)
  const deviceHash = cookieHash(cookie)
  if (operator !== null) {
    const userAgent = call.userAgent.slice(0, 300)
    const seen = { operatorId: operator.id, agentId: operator.agentId, deviceHash, name: storable(name), userAgent }
    await db.system((tx) => rememberDevice(tx, { ...seen, at: new Date(clock.now()) }))
  }
  // Also set before a rejection: the administrator approves this cookie.
  call.setCookie(loginCookies.device, cookie, { maxAgeMs: deviceCookieLifetimeMs })
  return deviceHash
}

/** PostgreSQL stores neither NUL nor lone surrogates. */
function storable(text: string): string {
  return text.replaceAll('\0', '').toWellFormed()
}
