import type { Log } from '#kit/log.ts'

/** Who waits for an item: an object instead of a function, of which each report would need a new one. */
export type Waiting = {
  /** Called once: with null after the commit of the item, else with the reason why it cannot be written. */
  settled(failure: unknown): void
}

export type BatchWriter<T> = {
  push(item: T, waiting: Waiting, options?: { readonly isPatient: boolean }): void
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

/** Items and who waits for each, in two lists: a pair of each would be one more object for every report. */
type Queue<T> = { readonly items: T[]; readonly waiting: Waiting[] }

const part = <T>({ items, waiting }: Queue<T>, from: number, to?: number): Queue<T> => ({
  items: items.slice(from, to),
  waiting: waiting.slice(from, to),
})
const joined = <T>(first: Queue<T>, then: Queue<T>): Queue<T> => ({
  items: [...first.items, ...then.items],
  waiting: [...first.waiting, ...then.waiting],
})

function halves<T>(batch: Queue<T>): readonly Queue<T>[] {
  const middle = Math.ceil(batch.items.length / 2)
  return [part(batch, 0, middle), part(batch, middle)]
}

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
  let queue: Queue<T> = { items: [], waiting: [] }
  /** One of those that wait is urgent. */
  let isUrgent = false
  let running: Promise<void> | null = null
  let isClosed = false
  let waiters: (() => void)[] = []

  const isBehind = (): boolean => queue.items.length > behindAbove
  const settle = (): void => {
    if (queue.items.length > behindAbove / 2) return
    const caught = waiters
    waiters = []
    for (const wake of caught) wake()
  }

  const attempt = async (batch: Queue<T>): Promise<void> => {
    try {
      await write(batch.items)
      for (const one of batch.waiting) one.settled(null)
    } catch (error) {
      if (!options.isFaultOfItems(error)) throw error
      const [only] = batch.items
      if (only === undefined) return
      if (batch.items.length === 1) {
        options.onDropped(only, error)
        batch.waiting[0]?.settled(error)
        return
      }
      // One bad item must not hold up the others: halves, until it is alone.
      for (const half of halves(batch)) await attempt(half)
    }
  }

  const run = async (): Promise<void> => {
    while (queue.items.length > 0) {
      const batch = part(queue, 0, maxItems)
      queue = part(queue, maxItems)
      if (queue.items.length === 0) isUrgent = false
      try {
        await attempt(batch)
      } catch (err) {
        if (isClosed) {
          for (const one of joined(batch, queue).waiting) one.settled(err)
          queue = part(queue, 0, 0)
          break
        }
        // Those of the batch that a half had already written are written twice, which changes nothing.
        queue = joined(batch, queue)
        log.error({ err, waiting: queue.items.length }, 'reports cannot be written, trying again')
        await new Promise((resolve) => setTimeout(resolve, options.retryAfterMs))
      }
      settle()
      if (!isClosed && queue.items.length < maxItems) break
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
    const { length } = queue.items
    if (length === 0 || running !== null || isClosed) return
    if (length >= maxItems) return start()
    const patient = !isUrgent && length < fewItems
    timer.set(patient ? patientMs : flushAfterMs, { patient })
  }

  const push = (item: T, waiting: Waiting, how?: { readonly isPatient: boolean }): void => {
    if (isClosed) return waiting.settled(new Error('the writer is closed'))
    if (how?.isPatient !== true) isUrgent = true
    queue.items.push(item)
    queue.waiting.push(waiting)
    schedule()
    return undefined
  }

  return {
    push,
    add: (item) =>
      new Promise((resolve, reject) => {
        push(item, { settled: (failure) => (failure === null ? resolve() : reject(failure)) })
      }),
    isBehind,
    caughtUp: () => (isBehind() ? new Promise((resolve) => waiters.push(resolve)) : Promise.resolve()),
    async close() {
      isClosed = true
      timer.clear()
      await running
      if (queue.items.length > 0) await run()
    },
  }
}
