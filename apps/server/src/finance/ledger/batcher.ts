import { AppError } from '@saddle/contract/errors.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '#kit/log.ts'
import { postBatch, postOne, type Judged, type Resolved, type Run } from './store.ts'

/** Entries in one statement; what comes meanwhile waits for the next one. */
const MAX_BATCH = 1_000
const MAX_WAITING = 50_000
// Agents are shared out over the lanes: two statements never wait for one book.
const LANES = 2
const RETRY_MS = [50, 200, 1_000, 3_000] as const

type Waiting = { entry: Resolved; resolve: (judged: Judged) => void; reject: (error: unknown) => void }
type Lane = { queue: Waiting[]; isBusy: boolean }

export type Batcher = {
  /** Resolves after the commit of the statement that carried the entry. */
  post(entry: Resolved): Promise<Judged>
  /** Takes nothing new and resolves when everything that waits is settled. */
  close(): Promise<void>
}

/**
 * Group commit: while one statement runs, entries collect for the next, so the busier it gets the larger the batches
 * and the cheaper each entry. An entry that is refused or breaks the statement does not harm its neighbours.
 */
export function createBatcher(options: { run: Run; log: Log }): Batcher {
  const { run, log } = options
  const lanes: Lane[] = Array.from({ length: LANES }, () => ({ queue: [], isBusy: false }))
  let isClosed = false
  let working = 0
  let onIdle: (() => void)[] = []

  const work = async (lane: Lane): Promise<void> => {
    lane.isBusy = true
    working += 1
    // One turn of the event loop: what comes up together goes together.
    await new Promise((resolve) => setImmediate(resolve))
    while (lane.queue.length > 0) await settle({ batch: takeBatch(lane), run, log })
    lane.isBusy = false
    working -= 1
    if (working > 0) return
    for (const resolve of onIdle.splice(0)) resolve()
  }

  return {
    post: (entry) =>
      new Promise((resolve, reject) => {
        const lane = lanes[entry.agentId % LANES]
        if (isClosed || lane === undefined || lane.queue.length >= MAX_WAITING) {
          reject(new AppError('unavailable'))
          return
        }
        lane.queue.push({ entry, resolve, reject })
        if (!lane.isBusy) void work(lane)
      }),
    close: async () => {
      isClosed = true
      if (working > 0) await new Promise<void>((resolve) => (onIdle = [...onIdle, resolve]))
    },
  }
}

/** The oldest entries; of those with one key the first, the others wait for the next batch and find it there. */
function takeBatch(lane: Lane): Waiting[] {
  const candidates = lane.queue.splice(0, MAX_BATCH)
  const keys = new Set<string>()
  const later: Waiting[] = []
  const batch = candidates.filter((waiting) => {
    const { agentId, reference, key } = waiting.entry
    const name = `${agentId}|${reference}|${key}`
    if (keys.has(name)) {
      later.push(waiting)
      return false
    }
    keys.add(name)
    return true
  })
  lane.queue.unshift(...later)
  return batch
}

async function settle(options: { batch: Waiting[]; run: Run; log: Log }): Promise<void> {
  const { batch, run, log } = options
  const [only] = batch
  if (only === undefined) return
  try {
    const judged = await persist(async () => {
      const entries = batch.map(({ entry }) => entry)
      return batch.length === 1 ? [await postOne(run, only.entry)] : postBatch(run, entries)
    })
    for (const [index, { resolve }] of batch.entries()) {
      const result = judged[index]
      if (result !== undefined) resolve(result)
    }
  } catch (error) {
    if (batch.length === 1) {
      only.reject(error)
      return
    }
    // Something in it broke the whole statement: alone, each one shows whether it was the one.
    log.warn({ err: error, entries: batch.length }, 'a batch of the ledger failed, posting its entries one by one')
    for (const waiting of batch) await settle({ batch: [waiting], run, log })
  }
}

/** Retries after a broken connection: the commit is uncertain, and the key makes a retry safe. */
async function persist(post: () => Promise<Judged[]>): Promise<Judged[]> {
  for (const pauseMs of RETRY_MS) {
    try {
      return await post()
    } catch (error) {
      if (!isBrokenConnection(error)) throw error
      await sleep(pauseMs)
    }
  }
  return post()
}

function isBrokenConnection(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  // Five characters: PostgreSQL's own; 08 is the connection, 57P a shutdown, 40 a transaction that may be repeated.
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  if (code.length === 5) return /^(?:08|57P|40)/.test(code)
  return code.startsWith('E') || /terminated|timeout|closed|Connection/i.test(error.message)
}
