import type { Log } from '#kit/log.ts'

export type BatchWriter<T> = {
  /** Calls back once: with null after the commit of the item, else with the reason why it cannot be written. */
  push(item: T, settled: (failure: unknown) => void, options?: { readonly isPatient: boolean }): void
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
  /** How long patient items wait for others, while few wait and none is urgent. */
  readonly patientMs: number
  readonly maxItems: number
  /** Above so many waiting items the writer is behind. */
  readonly behindAbove: number
  readonly retryAfterMs: number
}

/** So many items are enough for a batch of their own. */
const fewItems = 64

type Waiting<T> = { readonly item: T; readonly settled: (failure: unknown) => void }

/** Begins a batch when its time has come; an urgent item brings that forward. */
function createStartTimer(start: () => void) {
  let timer: NodeJS.Timeout | null = null
  let isPatient = false
  const clear = (): void => {
    if (timer !== null) clearTimeout(timer)
    timer = null
  }
  return {
    clear,
    set(afterMs: number, { patient }: { readonly patient: boolean }): void {
      if (timer !== null && (patient || !isPatient)) return
      clear()
      isPatient = patient
      timer = setTimeout(() => {
        timer = null
        start()
      }, afterMs)
    },
  }
}

/**
 * Collects items for a few milliseconds and writes them together: one commit for many devices. One write runs at a
 * time; while the database is away, items wait and the writer is behind. The queue itself has no bound of its own:
 * whoever adds must heed `isBehind`, and can have added only what it had already read.
 */
export function createBatchWriter<T>(options: BatchOptions<T>): BatchWriter<T> {
  const { write, log, flushAfterMs, patientMs, maxItems, behindAbove } = options
  let queue: Waiting<T>[] = []
  /** One of those that wait is urgent. */
  let isUrgent = false
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
      if (queue.length === 0) isUrgent = false
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
    timer.clear()
    running ??= run()
  }
  const timer = createStartTimer(start)
  const schedule = (): void => {
    if (queue.length === 0 || running !== null || isClosed) return
    if (queue.length >= maxItems) return start()
    const patient = !isUrgent && queue.length < fewItems
    timer.set(patient ? patientMs : flushAfterMs, { patient })
  }

  const push = (item: T, settled: (failure: unknown) => void, how?: { readonly isPatient: boolean }): void => {
    if (isClosed) return settled(new Error('the writer is closed'))
    if (how?.isPatient !== true) isUrgent = true
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
      timer.clear()
      await running
      if (queue.length > 0) await run()
    },
  }
}
