import { AppError } from '@saddle/contract/errors.ts'
import { createHmac, timingSafeEqual } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import type { Clock } from '#kit/clock.ts'
import { randomId } from '#kit/crypto.ts'
import type { Random } from '#kit/random.ts'
import { CallBackError, type CallBack, type ChannelEvent, type PaymentChannel } from './channel.ts'
import { sandboxBill, type SandboxBillOptions } from './sandboxBills.ts'

/** How the sandbox behaves from now on: like a real channel on a bad day. */
export const sandboxMoodSchema = z.strictObject({
  /** Before a call-back leaves. */
  delayMs: z.int().min(0).max(60_000).default(0),
  /** How often each call-back is sent. */
  copies: z.int().min(1).max(100).default(1),
  /** Call-backs are held until there are this many, then sent in reverse order; 0: none is held. */
  holdBack: z.int().min(0).max(1_000).default(0),
  /** Every refund is refused at once. */
  refusesRefunds: z.boolean().default(false),
  /** Refunds are accepted, and a call-back tells later that they could not be paid out. */
  failsRefunds: z.boolean().default(false),
  /** Answers a prepayment request with an error. */
  isDown: z.boolean().default(false),
})
export type SandboxMood = Readonly<z.output<typeof sandboxMoodSchema>>

export type SandboxOptions = {
  readonly clock: Clock
  readonly random: Random
  /** Shared by the sandbox and the adapter. */
  readonly key: Uint8Array
  /** Delivers a call-back and returns whether it was accepted; one that was not is sent again. */
  readonly deliver: (callBack: CallBack) => Promise<boolean>
  /** The cents of an order that was made before the sandbox was started; null when there is none. */
  readonly recall: (number: string) => Promise<number | null>
  readonly bills: SandboxBillOptions
}

/** The other side: holds what was ordered, takes payments, and tells of them as often as it must. */
export type Sandbox = {
  /** The rider pays. Resolves when the call-back was taken or the sandbox has given up; its eventId. */
  pay(number: string): Promise<string>
  setMood(mood: Partial<SandboxMood>): void
  /** Resolves when every call-back that is on its way has arrived or was given up. */
  settled(): Promise<void>
  readonly channel: PaymentChannel
}

const MAX_SKEW_MS = 300_000
const MAX_ATTEMPTS = 8
const RETRY_MS = 50
const MAX_ORDERS = 100_000

const eventSchema = z.object({
  eventId: z.string().min(1).max(100),
  kind: z.enum(['paid', 'refunded', 'refund_failed']),
  number: z.string().min(1),
  tradeNumber: z.string().min(1),
  cents: z.int().positive(),
  at: z.int().positive(),
})

/** A payment channel that is no one's money: the same interface, signed call-backs, delays, repetitions and faults. */
export function createSandbox(options: SandboxOptions): Sandbox {
  const { clock, random, key } = options
  const orders = new Map<string, number>()
  let mood: SandboxMood = sandboxMoodSchema.parse({})
  const post = createPost({ ...options, mood: () => mood })

  const channel: PaymentChannel = {
    name: 'sandbox',
    prepay: async ({ number, cents }) => {
      if (mood.isDown) throw new Error('the sandbox is down')
      if (orders.size >= MAX_ORDERS) orders.clear()
      orders.set(number, cents)
      return { parameters: { number, cents: String(cents) } }
    },
    code: async ({ number, cents }) => {
      if (mood.isDown) throw new Error('the sandbox is down')
      if (orders.size >= MAX_ORDERS) orders.clear()
      orders.set(number, cents)
      return `sandbox://pay/${number}`
    },
    refund: async ({ refundNumber, cents }) => {
      if (mood.isDown || mood.refusesRefunds) throw new Error('the sandbox refuses the refund')
      const kind = mood.failsRefunds ? 'refund_failed' : 'refunded'
      const tradeNumber = `sandbox-${refundNumber}`
      void post.tell({ eventId: randomId(random), kind, number: refundNumber, tradeNumber, cents, at: clock.now() })
      return 'pending'
    },
    bill: (day) => sandboxBill(options.bills, { day, now: clock.now() }),
    read: (callBack) => readCallBack({ clock, key, callBack }),
    answer: (isTaken) => ({
      status: isTaken ? 200 : 500,
      contentType: 'text/plain',
      body: isTaken ? 'success' : 'failure',
    }),
  }
  return {
    channel,
    settled: post.settled,
    setMood: (change) => {
      mood = { ...mood, ...change }
      post.release()
    },
    pay: async (number) => {
      const cents = orders.get(number) ?? (await options.recall(number))
      if (cents === null) throw new AppError('not_found')
      const eventId = randomId(random)
      await post.tell({ eventId, kind: 'paid', number, tradeNumber: `sandbox-${number}`, cents, at: clock.now() })
      return eventId
    },
  }
}

type Post = {
  /** Resolves when the call-back arrived everywhere it was sent to, or was given up. */
  tell(event: ChannelEvent): Promise<void>
  /** Lets what is held back go, when there is enough of it or nothing is to be held back any more. */
  release(): void
  settled(): Promise<void>
}

/** Takes call-backs to the platform, signed anew for every try, in the mood of the moment. */
function createPost(options: SandboxOptions & { readonly mood: () => SandboxMood }): Post {
  const { clock, key, deliver, mood } = options
  const onTheWay = new Set<Promise<unknown>>()
  let held: (() => void)[] = []

  const once = async (body: Buffer): Promise<void> => {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const pauseMs = mood().delayMs + attempt * RETRY_MS
      if (pauseMs > 0) await sleep(pauseMs)
      const timestamp = String(clock.now())
      const headers = { 'sandbox-timestamp': timestamp, 'sandbox-signature': signature({ key, timestamp, body }) }
      if (await deliver({ headers, body }).catch(() => false)) return
    }
  }
  const release = (): void => {
    if (held.length < mood().holdBack) return
    const leaving = held.toReversed()
    held = []
    for (const leave of leaving) leave()
  }
  const tell = async (event: ChannelEvent): Promise<void> => {
    const body = Buffer.from(JSON.stringify(event))
    if (mood().holdBack > 0) {
      await new Promise<void>((leave) => {
        held.push(leave)
        release()
      })
    }
    await Promise.all(Array.from({ length: mood().copies }, () => once(body)))
  }
  return {
    release,
    tell: async (event) => {
      const told = tell(event)
      onTheWay.add(told)
      await told.finally(() => onTheWay.delete(told))
    },
    settled: async () => {
      while (onTheWay.size > 0) await Promise.allSettled(onTheWay)
    },
  }
}

function readCallBack({ clock, key, callBack }: { clock: Clock; key: Uint8Array; callBack: CallBack }): ChannelEvent {
  const { headers, body } = callBack
  const timestamp = headers['sandbox-timestamp'] ?? ''
  if (!/^\d{1,15}$/.test(timestamp) || Math.abs(clock.now() - Number(timestamp)) > MAX_SKEW_MS) {
    throw new CallBackError('too old, or of another time')
  }
  const expected = Buffer.from(signature({ key, timestamp, body }))
  const given = Buffer.from(headers['sandbox-signature'] ?? '')
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
    throw new CallBackError('the signature is not that of the sandbox')
  }
  const parsed = eventSchema.safeParse(JSON.parse(body.toString('utf8')))
  if (!parsed.success) throw new CallBackError('the content of the call-back has another form')
  return parsed.data
}

function signature({ key, timestamp, body }: { key: Uint8Array; timestamp: string; body: Buffer }): string {
  return createHmac('sha256', key).update(`${timestamp}\n`).update(body).digest('hex')
}
