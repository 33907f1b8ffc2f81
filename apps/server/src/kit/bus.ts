import type { Log } from './log.ts'
import { apartFromCalls } from './runningCall.ts'

declare const messageOf: unique symbol

/** The name of what is published, with the type of its messages: plain values or bytes. */
export interface Topic<Message> {
  readonly name: string
  /** What is published stays in the process: for what that process alone has to deal with. */
  readonly isLocal?: boolean
  /** Exists for the type checker only. */
  readonly [messageOf]?: (message: Message) => Message
}

/** Declares a topic. It belongs to the domain that publishes; subscribers import it from there. */
export function topic<Message>(name: string): Topic<Message> {
  return { name }
}

/** Declares a topic whose messages do not leave the process that publishes them. */
export function localTopic<Message>(name: string): Topic<Message> {
  return { name, isLocal: true }
}

type Handler<Message> = (message: Message) => void | Promise<void>

/**
 * Carries messages between the parts of the platform. A topic's messages reach each of its subscribers in order, one at a time, after
 * `publish` has returned. Nothing that a subscriber does can harm the publisher or another subscriber.
 */
export type Bus = {
  /** Subscribers must not change the message: all of them get the same one. */
  publish<Message>(topic: Topic<Message>, message: NoInfer<Message>): void
  /** Returns the function that ends the subscription; messages that still wait for it are dropped. */
  subscribe<Message>(topic: Topic<Message>, handler: Handler<NoInfer<Message>>): () => void
  /**
   * Calls the handler when messages of other processes may have been missed: what is kept by messages is read anew then.
   * Never called by the bus of a single process. Returns the function that ends this.
   */
  onGap(handler: () => void): () => void
  /** Resolves when every message published so far has been handled. */
  flush(): Promise<void>
  close(): Promise<void>
}

type Subscriber = {
  topic: string
  handler: Handler<unknown>
  waiting: unknown[]
  dropped: number
  running: Promise<void> | null
  isOpen: boolean
}

const DEFAULT_MAX_WAITING = 10_000
// A subscriber that can never keep up must not fill the log as well.
const LOG_EVERY_DROPS = 10_000

/**
 * The bus inside one process. A subscriber that falls more than `maxWaiting` messages behind loses the oldest: the
 * newest position of a vehicle is worth more than its first.
 */
export function createLocalBus(options: { log: Log; maxWaiting?: number }): Bus {
  const { log, maxWaiting = DEFAULT_MAX_WAITING } = options
  const topics = new Map<string, Set<Subscriber>>()
  const all = (): Subscriber[] => [...topics.values()].flatMap((subscribers) => Array.from(subscribers))

  const publish: Bus['publish'] = ({ name }, message) => {
    for (const subscriber of topics.get(name) ?? []) {
      subscriber.waiting.push(message)
      if (subscriber.waiting.length > maxWaiting) {
        subscriber.waiting.shift()
        if (subscriber.dropped % LOG_EVERY_DROPS === 0)
          log.warn({ topic: name, dropped: subscriber.dropped + 1 }, 'a subscriber is too slow, messages are dropped')
        subscriber.dropped += 1
      }
      subscriber.running ??= apartFromCalls(() => drain({ subscriber, log }))
    }
  }

  return {
    publish,
    subscribe: ({ name }, handler) => {
      const subscriber: Subscriber = {
        topic: name,
        // Everything published on a topic is of its type.
        handler: handler as Handler<unknown>,
        waiting: [],
        dropped: 0,
        running: null,
        isOpen: true,
      }
      const subscribers = topics.get(name) ?? new Set()
      topics.set(name, subscribers.add(subscriber))
      return () => {
        subscriber.isOpen = false
        subscriber.waiting = []
        subscribers.delete(subscriber)
        if (subscribers.size === 0 && topics.get(name) === subscribers) topics.delete(name)
      }
    },
    onGap: () => () => {},
    flush: async () => {
      await Promise.all(all().map((subscriber) => subscriber.running ?? Promise.resolve()))
    },
    close: async () => {
      const running = all().map((subscriber) => subscriber.running ?? Promise.resolve())
      for (const subscriber of all()) subscriber.isOpen = false
      topics.clear()
      await Promise.all(running)
    },
  }
}

async function drain(options: { subscriber: Subscriber; log: Log }): Promise<void> {
  const { subscriber, log } = options
  // Starts after the publisher is done with what it is doing.
  await Promise.resolve()
  while (subscriber.isOpen && subscriber.waiting.length > 0) {
    const batch = subscriber.waiting
    subscriber.waiting = []
    for (const message of batch) {
      if (!subscriber.isOpen) break
      try {
        const outcome = subscriber.handler(message)
        if (outcome !== undefined) await outcome
      } catch (err) {
        log.error({ err, topic: subscriber.topic }, 'a subscriber failed')
      }
    }
  }
  subscriber.running = null
}
