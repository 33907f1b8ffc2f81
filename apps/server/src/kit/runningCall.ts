import { AsyncLocalStorage } from 'node:async_hooks'

/** The call of a session for which something is done. */
export type RunningCall = { readonly name: string; readonly writes: string | undefined }

const storage = new AsyncLocalStorage<RunningCall>()

export const withinCall = <T>(call: RunningCall, work: () => T): T => storage.run(call, work)
/** Runs work outside of the current call: shared work that outlives the call must not be attributed to it. */
export const apartFromCalls = <T>(work: () => T): T => storage.exit(work)
/** Null for work that belongs to no call of a session. */
export const runningCall = (): RunningCall | null => storage.getStore() ?? null
