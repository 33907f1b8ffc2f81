import type { z } from 'zod'
import type { Permission } from '#contract/permissions.ts'

/** Which address a call goes to; each is configurable and by default the one server. */
export type Host = 'user' | 'platform' | 'finance' | 'python' | 'map'

/**
 * Who may call.
 * - `public`: anyone, limited by address.
 * - `presession`: the holder of a single-use login ticket, bound to a pre-session cookie.
 * - `cookie`: a session that has no signing key yet (only the key exchange itself).
 * - `app`: an application of riders, by its key.
 * - `session`: any logged-in operator.
 * - a list of codes: an operator who holds at least one of them.
 */
export type Access = 'public' | 'presession' | 'cookie' | 'app' | 'session' | readonly [Permission, ...Permission[]]

/**
 * How far a call reaches.
 * - `none`: no tenant data. - `self`: the caller's own things.
 * - `agent`: rows of the effective franchisees. - `area`: rows of the effective franchisees and service areas.
 */
export type ReachOfCall = 'none' | 'self' | 'agent' | 'area'

export interface Endpoint<I extends z.core.$ZodType = z.core.$ZodType, O extends z.core.$ZodType = z.core.$ZodType> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Path with `{name}` for parts that are read into the input. */
  readonly path: string
  readonly host: Host
  readonly permission: Access
  readonly scope: ReachOfCall
  /** `key`: the call carries an Idempotency-Key and is answered once. */
  readonly idempotency: 'none' | 'key'
  readonly summary: string
  readonly input: I
  /** The whole answer, e.g. `{suc: true, data: …}`: answers of the specification differ in shape. */
  readonly output: O
}

export type Endpoints = Readonly<Record<string, Endpoint>>
export type InputOf<E extends Endpoint> = z.output<E['input']>
export type RequestOf<E extends Endpoint> = z.input<E['input']>
export type OutputOf<E extends Endpoint> = z.input<E['output']>

/** Declares the endpoints of one thing; every row is checked at start-up by `assertEndpoints`. */
export function defineEndpoints<const T extends Endpoints>(rows: T): T {
  return rows
}

/** True when bodies of this call travel in the encrypted envelope. */
export function isSealed(endpoint: Endpoint): boolean {
  return endpoint.permission === 'session' || Array.isArray(endpoint.permission)
}

/** Throws when a row has no permission, or two rows share method and path. */
export function assertEndpoints(rows: readonly Endpoint[]): void {
  const seen = new Set<string>()
  for (const row of rows) {
    const key = `${row.method} ${row.path}`
    if (seen.has(key)) throw new Error(`Endpoint declared twice: ${key}`)
    seen.add(key)
    const allowed = row.permission
    if (!allowed || (Array.isArray(allowed) && allowed.length === 0))
      throw new Error(`Endpoint without permission: ${key}`)
  }
}
