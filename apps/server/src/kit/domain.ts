import type { Registry } from 'prom-client'

/** What the server needs from every domain. A domain also offers functions that other domains may call. */
export interface Domain {
  /** The handlers of its calls, by the calls' names in the contract. */
  readonly handlers?: object
  /**
   * Starts its jobs. Returns what stops them and resolves when none is running. Called in the worker only; jobs of
   * several servers may run at the same time.
   */
  readonly startBackground?: (metrics: Registry) => () => void | Promise<void>
  /** Finishes running work when the server stops. The database is still open at that time. */
  readonly close?: () => Promise<void>
}

type Intersection<Union> = (Union extends unknown ? (one: Union) => void : never) extends (all: infer All) => void
  ? All
  : never

/** All handlers of a table of domains together. */
export type HandlersOf<Domains> = Intersection<
  { [Name in keyof Domains]: Domains[Name] extends { readonly handlers: infer Own } ? Own : never }[keyof Domains]
>

/** Merges the handlers of all domains. Two domains with a handler for the same call are a programming error. */
export function handlersOf<Domains extends Readonly<Record<string, Domain>>>(domains: Domains): HandlersOf<Domains> {
  const all: Record<string, unknown> = {}
  for (const [name, { handlers = {} }] of Object.entries(domains)) {
    for (const [call, handler] of Object.entries(handlers)) {
      if (call in all) throw new Error(`${name} answers ${call}, which another domain answers already`)
      all[call] = handler
    }
  }
  return all as HandlersOf<Domains>
}
