import type { Access, Endpoint, Endpoints, InputOf, OutputOf } from '@saddle/contract/endpoint.ts'
import type { CallToken } from '@saddle/contract/wire/token.ts'
import type { Scope } from './db/scope.ts'

export interface CookieOptions {
  /** Absent: a session cookie, which ends with the browser. */
  readonly maxAgeMs?: number
  /** Absent: `/`. */
  readonly path?: string
  /** Readable by the page's scripts; absent: HttpOnly. */
  readonly readable?: boolean
}

/** What a handler can see and do about the call itself. */
export interface Call {
  readonly requestId: string
  /** Client address, after trusted proxies. */
  readonly address: string
  readonly userAgent: string
  /** Host header, lower case, with port. */
  readonly host: string
  cookie(name: string): string | undefined
  /** SameSite=Lax; over https also Secure, and `__Host-` (with a cookie domain `__Secure-`) before the name when the path is `/` and it is HttpOnly. */
  setCookie(name: string, value: string, options?: CookieOptions): void
  clearCookie(name: string, options?: Pick<CookieOptions, 'path' | 'readable'>): void
}

/** The person behind a session. */
export interface Caller {
  readonly sessionId: number
  readonly operatorId: number
  readonly agentId: number
  readonly phone: string
  readonly name: string
  readonly permissions: ReadonlySet<string>
}

export interface SessionCall extends Call {
  readonly caller: Caller
  /** Everything that the session was granted, as explicit lists. */
  readonly grant: Scope
  /** Grant ∩ the header's selection: what this call may touch. */
  readonly scope: Scope
  readonly token: CallToken
  /** The session itself reaches some areas only, because it is that of a screen on a wall. */
  readonly isNarrowed?: boolean
}

/** A call with a checked login ticket; `phone` is the ticket's. */
export interface PresessionCall extends Call {
  readonly ticket: { readonly id: number; readonly phone: string; readonly kind: 'sms' | 'quick' }
}

/** A session that has no keys yet. */
export interface CookieCall extends Call {
  readonly caller: Caller
}

/** A call of a riders' application. */
export interface AppCall extends Call {
  readonly app: {
    readonly id: number
    /** The franchisees whose vehicles it rents out: its own company and those below. */
    readonly agentIds: readonly number[]
  }
}

type CallFor<A extends Access> = A extends 'public'
  ? Call
  : A extends 'presession'
    ? PresessionCall
    : A extends 'cookie'
      ? CookieCall
      : A extends 'app'
        ? AppCall
        : SessionCall

export type Handler<E extends Endpoint> = (input: InputOf<E>, call: CallFor<E['permission']>) => Promise<OutputOf<E>>

/** One handler for every endpoint of a table: a missing one does not compile. */
export type Handlers<T extends Endpoints> = { readonly [K in keyof T]: Handler<T[K]> }
