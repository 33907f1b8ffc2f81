import type { Log } from '#kit/log.ts'

export type BatchWriter<T> = {
  /** Calls back once: with null after the commit of the item, else with the reason why it cannot be written. */
  push(item: T, settled: (failure: unknown) => void): void
  /** Resolves when the item is committed; rejects when it alone cannot be written. */
  add(item: T): Promise<void>
  /** True while so much waits that whoever reads from outside should stop reading. */
  isBehind(): boolean
  /** Resolves when it is no longer behind. */
  caughtUp(): Promise<void>
  /** Writes all that waits, then takes nothing more. What cannot be written by then is rejected. */
  close(): Promise<void>
}

export type BatchOptions<T> = {
  /** One transaction for all items. */
  readonly write: (items: readonly T[]) => Promise<void>
  /** True for an error that the items cause themselves, so that another try would fail as well. */
  readonly isFaultOfItems: (error: unknown) => boolean
  readonly onDropped: (item: T, error: unknown) => void
  readonly log: Log
  readonly flushAfterMs: number
  readonly maxItems: number
  /** Above so many waiting items the writer is behind. */
  readonly behindAbove: number
  readonly retryAfterMs: number
}

type Waiting<T> = { readonly item: T; readonly settled: (failure: unknown) => void }

/**
 * Collects items for a few milliseconds and writes them together: one commit for many devices. One write runs at a
 * time; while the database is away, items wait and the writer is behind. The queue itself has no bound of its own:
 * whoever adds must heed `isBehind`, and can have added only what it had already read.
 */
export function createBatchWriter<T>(options: BatchOptions<T>): BatchWriter<T> {
  const { write, log, flushAfterMs, maxItems, behindAbove } = options
  let queue: Waiting<T>[] = []
  let timer: NodeJS.Timeout | null = null
  let running: Promise<void> | null = null
  let isClosed = false
  let waiters: (() => void)[] = []

  const settle = (): void => {
    if (queue.length > behindAbove / 2) return
    const caught = waiters
    waiters = []
    for (const wake of caught) wake()
  }

  const attempt = async (batch: readonly Waiting<T>[]): Promise<void> => {
    try {
      await write(batch.map(({ item }) => item))
      for (const { settled } of batch) settled(null)
    } catch (error) {
      if (!options.isFaultOfItems(error)) throw error
      const [only] = batch
      if (only === undefined) return
      if (batch.length === 1) {
        options.onDropped(only.item, error)
        only.settled(error)
        return
      }
      // One bad item must not hold up the others: halves, until it is alone.
      const middle = Math.ceil(batch.length / 2)
      await attempt(batch.slice(0, middle))
      await attempt(batch.slice(middle))
    }
  }

  const run = async (): Promise<void> => {
    while (queue.length > 0) {
      const batch = queue.slice(0, maxItems)
      queue = queue.slice(maxItems)
      try {
        await attempt(batch)
      } catch (err) {
        if (isClosed) {
          for (const { settled } of [...batch, ...queue]) settled(err)
          queue = []
          break
        }
        // Those of the batch that a half had already written are written twice, which changes nothing.
        log.error({ err, waiting: queue.length + batch.length }, 'reports cannot be written, trying again')
        queue = [...batch, ...queue]
        await new Promise((resolve) => setTimeout(resolve, options.retryAfterMs))
      }
      settle()
      if (!isClosed && queue.length < maxItems) break
    }
    running = null
    settle()
    schedule()
  }

  const start = (): void => {
    timer = null
    running ??= run()
  }
  const schedule = (): void => {
    if (queue.length === 0 || running !== null || isClosed) return
    if (queue.length >= maxItems) {
      if (timer !== null) clearTimeout(timer)
      start()
    } else {
      timer ??= setTimeout(start, flushAfterMs)
    }
  }

  const push = (item: T, settled: (failure: unknown) => void): void => {
    if (isClosed) return settled(new Error('the writer is closed'))
    queue.push({ item, settled })
    schedule()
    return undefined
  }

  return {
    push,
    add: (item) =>
      new Promise((resolve, reject) => {
        push(item, (failure) => (failure === null ? resolve() : reject(failure)))
      }),
    isBehind: () => queue.length > behindAbove,
    caughtUp: () => (queue.length > behindAbove ? new Promise((resolve) => waiters.push(resolve)) : Promise.resolve()),
    async close() {
      isClosed = true
      if (timer !== null) clearTimeout(timer)
      timer = null
      await running
      if (queue.length > 0) await run()
    },
  }
}
