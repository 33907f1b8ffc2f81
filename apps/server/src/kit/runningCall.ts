import { AsyncLocalStorage } from 'node:async_hooks'
import type { Transaction } from 'kysely'
import type { Scope } from './db/scope.ts'
import type { DB } from './db/types.ts'

/** The call of a session for which something is done. */
export type RunningCall = {
  readonly name: string
  readonly writes: string | undefined
  /** Runs at the end of each of its transactions, of which it is part; the scope is null in one of the system. */
  readonly beforeCommit?: ((tx: Transaction<DB>, scope: Scope | null) => Promise<void>) | undefined
}

const storage = new AsyncLocalStorage<RunningCall>()

export const withinCall = <T>(call: RunningCall, work: () => T): T => storage.run(call, work)
/** Runs work outside of the current call: shared work that outlives the call must not be attributed to it. */
export const apartFromCalls = <T>(work: () => T): T => storage.exit(work)
/** Null for work that belongs to no call of a session. */
export const runningCall = (): RunningCall | null => storage.getStore() ?? null
