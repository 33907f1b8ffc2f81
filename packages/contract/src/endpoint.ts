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

/**
 * Bytes of a call's whole body, sealed (a third more) where the call is. A call whose row names none is held to
 * `ordinary`, and only calls whose caller is known before the body is read may name another.
 */
export const bodyLimits = {
  ordinary: 16_384,
  /** Lists of up to 2,000 ids. */
  lists: 65_536,
  /** An outline of 5,000 corners, filters with as many ids, or a company's pictures. */
  shape: 327_680,
  /** As many photos as one call may bring. */
  photos: 2_200_000,
  /** Fences of a file, or of a parking place with its photos; a table that a page has computed. */
  fences: 4_100_000,
  /** A list of 100,000 vehicles, compressed. */
  sheets: 11_200_000,
} as const

export interface Endpoint<I extends z.core.$ZodType = z.core.$ZodType, O extends z.core.$ZodType = z.core.$ZodType> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Path with `{name}` for parts that are read into the input. */
  readonly path: string
  readonly host: Host
  readonly permission: Access
  readonly scope: ReachOfCall
  /** `key`: the call carries an Idempotency-Key and is answered once. */
  readonly idempotency: 'none' | 'key'
  /** A GET that changes something all the same, because the specification has it so. */
  readonly hasEffects?: true
  /**
   * `ledger`: moves money. The server refuses an entry that a call without it would post, and every code that admits to
   * one is among `moneyCodes`.
   */
  readonly writes?: 'ledger'
  /** `file`: builds part of a file. */
  readonly load?: 'file'
  /** Longest body that is read; absent: `bodyLimits.ordinary`. */
  readonly bodyLimitBytes?: number
  /** The call that takes this one back: the console offers it in the message that says it is done. */
  readonly reverse?: Endpoint
  readonly summary: string
  readonly input: I
  /** The whole answer, e.g. `{suc: true, data: …}`: answers of the specification differ in shape. */
  readonly output: O
}

export type Endpoints = Readonly<Record<string, Endpoint>>
/** A row as it is written: the call that takes it back stands in the same group, under the name given here. */
type Row = Omit<Endpoint, 'reverse'> & { readonly reverse?: string }
type Rows = Readonly<Record<string, Row>>
type Unknown<T extends Rows> = {
  readonly [K in keyof T]: T[K] extends { reverse: infer R } ? Exclude<R, keyof T> : never
}[keyof T]
type Linked<T extends Rows> = {
  readonly [K in keyof T]: T[K] extends { reverse: infer R extends keyof T }
    ? Omit<T[K], 'reverse'> & { readonly reverse: Omit<T[R], 'reverse'> }
    : T[K]
}
export type InputOf<E extends Endpoint> = z.output<E['input']>
export type RequestOf<E extends Endpoint> = z.input<E['input']>
export type OutputOf<E extends Endpoint> = z.input<E['output']>
/** An answer as a client reads it. */
export type AnswerOf<E extends Endpoint> = z.output<E['output']>

/** What comes first when there is too much to do: commands and rides, then what people look at, then files. */
export type Load = 'command' | 'read' | 'file'

export function loadOf(endpoint: Endpoint): Load {
  if (endpoint.load !== undefined) return endpoint.load
  return endpoint.idempotency === 'key' || endpoint.permission === 'app' || !isSealed(endpoint) ? 'command' : 'read'
}

/** True when the call changes something. */
export function isWriting(endpoint: Pick<Endpoint, 'method' | 'hasEffects'>): boolean {
  return endpoint.method !== 'GET' || endpoint.hasEffects === true
}

/** Declares the endpoints of one thing; every row is checked at start-up by `assertEndpoints`. */
export function defineEndpoints<const T extends Rows>(
  rows: T & (Unknown<T> extends never ? unknown : { readonly reverse: Unknown<T> }),
): Linked<T> {
  const linked = Object.entries<Row>(rows).map(([name, { reverse, ...row }]) => {
    const back = reverse === undefined ? undefined : rows[reverse]
    if (back === undefined) return [name, row]
    // What takes back is not taken back itself, also where a call reverses its own kind.
    const { reverse: _own, ...rest } = back
    return [name, { ...row, reverse: rest }]
  })
  return Object.fromEntries(linked) as Linked<T>
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
    const isBeforeLogin = allowed === 'public' || allowed === 'presession' || allowed === 'cookie'
    if (isBeforeLogin && row.bodyLimitBytes !== undefined) throw new Error(`Endpoint with a long body: ${key}`)
  }
}
