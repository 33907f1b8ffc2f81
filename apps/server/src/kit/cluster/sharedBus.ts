import { createLocalBus, type Bus, type Topic } from '../bus.ts'
import type { Clock } from '../clock.ts'
import type { Log } from '../log.ts'
import { createAssembler, FrameError, framesOf, type Batch, type Named } from './frames.ts'
import type { BusLine } from './line.ts'

/** How long messages wait for others that travel with them. */
const gatherMs = 10
/** Messages of one batch, and how many may wait to be sent; beyond that the oldest are dropped, and the others told. */
const maxBatch = 2_000
const maxWaiting = 50_000
/** A process says how far it is, so that the loss of its last batch is noticed, too. */
const signEveryMs = 1_000
/** A process that was silent for so long has ended; its number may begin anew. */
const forgetAfterMs = 30_000

export interface SharedBusOptions {
  readonly log: Log
  readonly clock: Clock
  /** Names this process among those of the cluster; another one after each start. */
  readonly node: string
  readonly line: BusLine
}

/**
 * The bus of one process of several. What is published here reaches the subscribers of this process as always, and those of
 * the others over the line. The line may lose messages: batches are numbered, and whoever sees a number missing hears of a
 * gap and reads what counts from the database.
 */
export async function createSharedBus(options: SharedBusOptions): Promise<Bus> {
  const { log, line } = options
  const local = createLocalBus({ log })
  const sender = createSender(options)
  const gaps = new Set<() => void>()
  const onGap = (): void => {
    for (const handler of gaps) handler()
  }
  const receiver = createReceiver(options, {
    onGap,
    deliver: ([name, message]) => local.publish({ name } satisfies Topic<unknown>, message),
  })
  await line.listen({ onFrame: receiver.take, onGap })
  return {
    publish(topic, message) {
      local.publish(topic, message)
      if (topic.isLocal !== true) sender.add([topic.name, message])
    },
    subscribe: local.subscribe,
    onGap(handler) {
      gaps.add(handler)
      return () => void gaps.delete(handler)
    },
    flush: async () => {
      await sender.flush()
      await local.flush()
    },
    close: async () => {
      await sender.close()
      await line.close()
      await local.close()
    },
  }
}

/** Gathers messages and sends them as numbered batches, one batch at a time. */
function createSender({ log, node, line }: SharedBusOptions) {
  let waiting: Named[] = []
  let sequence = 0
  let dropped = 0
  let sending: Promise<void> | null = null
  let gathering: NodeJS.Timeout | null = null
  let isBroken = false

  const send = async (messages: readonly Named[]): Promise<void> => {
    // The number rises before it is known whether the batch arrives: a lost one leaves a gap that is seen.
    if (messages.length > 0) sequence += 1
    try {
      await line.send(framesOf({ node, sequence, messages }))
      if (isBroken) log.info('messages reach the other processes again')
      isBroken = false
    } catch (err) {
      if (!isBroken) log.warn({ err }, 'messages do not reach the other processes')
      isBroken = true
    }
  }
  const sendAll = async (): Promise<void> => {
    while (waiting.length > 0) await send(waiting.splice(0, maxBatch))
  }
  const flush = (): Promise<void> => {
    if (gathering !== null) clearTimeout(gathering)
    gathering = null
    sending ??= sendAll().finally(() => {
      sending = null
    })
    return sending
  }
  const signs = setInterval(() => {
    if (sending === null && waiting.length === 0) sending = send([]).finally(() => (sending = null))
  }, signEveryMs)
  signs.unref()

  return {
    add(message: Named): void {
      waiting.push(message)
      if (waiting.length > maxWaiting) {
        waiting = waiting.slice(-maxWaiting / 2)
        // The batch that would have carried them is missed by everybody.
        sequence += 1
        dropped += 1
        if (dropped === 1) log.warn('the line between processes is too slow, messages are dropped')
      }
      if (sending === null) gathering ??= setTimeout(() => void flush(), gatherMs)
    },
    flush,
    close: async () => {
      clearInterval(signs)
      await flush()
    },
  }
}

interface Heard {
  sequence: number
  at: number
}

/** Delivers what other processes send, and notices what is missing. */
function createReceiver(
  { log, node: ownNode, clock }: SharedBusOptions,
  { deliver, onGap }: { readonly deliver: (message: Named) => void; readonly onGap: () => void },
) {
  const assembler = createAssembler()
  const heard = new Map<string, Heard>()

  const forgetEnded = (nowMs: number): void => {
    for (const [node, { at }] of heard) {
      if (nowMs - at < forgetAfterMs) continue
      heard.delete(node)
      assembler.forget(node)
    }
  }
  const accept = ({ node, sequence, messages }: Batch): void => {
    const nowMs = clock.now()
    const last = heard.get(node)
    if (last === undefined) forgetEnded(nowMs)
    const expected = last === undefined ? sequence : last.sequence + (messages.length > 0 ? 1 : 0)
    heard.set(node, { sequence, at: nowMs })
    for (const message of messages) deliver(message)
    if (sequence === expected) return
    log.warn({ node, sequence, expected }, 'messages of another process were missed')
    onGap()
  }
  return {
    take(frame: string): void {
      if (frame.startsWith(`${ownNode} `)) return
      try {
        const batch = assembler.take(frame)
        if (batch !== null) accept(batch)
      } catch (error) {
        if (!(error instanceof FrameError)) throw error
        log.warn({ err: error }, 'a frame of the bus was not understood')
      }
    },
  }
}
