import type { PoolClient } from 'pg'
import { runBatch, SkippedError, type BatchItem, type ScopeSettings, type StatementResult } from './statement.ts'

/** Reads that may share one round trip. */
const batchMax = 32
/** Number of concurrent batches; items that arrive meanwhile form the next ones. */
const batchesMax = 2
/** Above this number of waiting reads, further calls take the ordinary path. */
const waitingMax = 10_000

type Lookup = { readonly sql: string; readonly values: readonly unknown[]; readonly scope: ScopeSettings }

export type Lookups = { run(lookup: Lookup): Promise<StatementResult> }

/**
 * Reads by key that come up together travel together: the system calls and the waking of a backend cost more than such
 * a read itself. Alone, one waits no longer than the rest of its turn of the event loop.
 */
export function createLookups(options: {
  withClient: (work: (client: PoolClient) => Promise<void>) => Promise<void>
  /** One read by itself. */
  alone: (lookup: Lookup) => Promise<StatementResult>
}): Lookups {
  const { withClient, alone } = options
  const waiting: BatchItem[] = []
  let running = 0
  let isDue = false

  const start = (): void => {
    isDue = false
    while (waiting.length > 0 && running < batchesMax) {
      const items = waiting.splice(0, batchMax)
      running += 1
      withClient((client) => runBatch({ client, items }))
        .catch((error: unknown) => {
          // No connection was to be had: nothing was sent.
          const reason = error instanceof Error ? error : new Error(String(error))
          for (const item of items) item.reject(reason)
        })
        .finally(() => {
          running -= 1
          start()
        })
    }
  }

  const enqueue = (lookup: Lookup): Promise<StatementResult> =>
    new Promise((resolve, reject) => {
      waiting.push({ ...lookup, resolve, reject })
      if (isDue) return
      isDue = true
      setImmediate(start)
    })

  return {
    run: async (lookup) => {
      if (waiting.length >= waitingMax) return await alone(lookup)
      try {
        return await enqueue(lookup)
      } catch (error) {
        if (error instanceof SkippedError) return await alone(lookup)
        throw error
      }
    },
  }
}
