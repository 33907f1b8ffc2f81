import { createHmac, timingSafeEqual } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import type { Clock } from '#kit/clock.ts'
import { randomId } from '#kit/crypto.ts'
import type { Random } from '#kit/random.ts'
import { CallBackError, type CallBack, type ChannelEvent, type PaymentChannel } from './channel.ts'

/** How the sandbox behaves from now on: like a real channel on a bad day. */
export type SandboxMood = {
  /** Before a call-back leaves. */
  readonly delayMs: number
  /** How often each call-back is sent. */
  readonly copies: number
  /** Every refund is refused. */
  readonly refusesRefunds: boolean
  /** Asked for a prepayment, it answers with a fault. */
  readonly isDown: boolean
}

export type SandboxOptions = {
  readonly clock: Clock
  readonly random: Random
  /** Shared by the sandbox and the adapter. */
  readonly key: Uint8Array
  /** Delivers a call-back and says whether it was taken; one that was not comes again. */
  readonly deliver: (callBack: CallBack) => Promise<boolean>
}

/** The other side: holds what was ordered, takes payments, and tells of them as often as it must. */
export type Sandbox = {
  /** The rider pays. Resolves when the call-back was taken or the sandbox has given up; its eventId. */
  pay(number: string): Promise<string>
  setMood(mood: Partial<SandboxMood>): void
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
  const { clock, random, key, deliver } = options
  const orders = new Map<string, number>()
  let mood: SandboxMood = { delayMs: 0, copies: 1, refusesRefunds: false, isDown: false }

  const tell = async (event: ChannelEvent): Promise<void> => {
    const body = Buffer.from(JSON.stringify(event))
    const once = async (): Promise<void> => {
      for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
        await sleep(mood.delayMs + attempt * RETRY_MS)
        const timestamp = String(clock.now())
        const headers = { 'sandbox-timestamp': timestamp, 'sandbox-signature': signature({ key, timestamp, body }) }
        if (await deliver({ headers, body })) return
      }
    }
    await Promise.all(Array.from({ length: mood.copies }, once))
  }

  const channel: PaymentChannel = {
    name: 'sandbox',
    prepay: async ({ number, cents }) => {
      if (mood.isDown) throw new Error('the sandbox is down')
      if (orders.size >= MAX_ORDERS) orders.clear()
      orders.set(number, cents)
      return { parameters: { number, cents: String(cents) } }
    },
    refund: async ({ refundNumber, cents }) => {
      if (mood.isDown || mood.refusesRefunds) throw new Error('the sandbox refuses the refund')
      const at = clock.now()
      const event = {
        kind: 'refunded',
        number: refundNumber,
        tradeNumber: `sandbox-${refundNumber}`,
        cents,
        at,
      } as const
      void tell({ eventId: randomId(random), ...event })
      return 'pending'
    },
    read: (callBack) => readCallBack({ clock, key, callBack }),
    answer: (isTaken) => ({
      status: isTaken ? 200 : 500,
      contentType: 'text/plain',
      body: isTaken ? 'success' : 'failure',
    }),
  }
  return {
    channel,
    setMood: (change) => {
      mood = { ...mood, ...change }
    },
    pay: async (number) => {
      const cents = orders.get(number)
      if (cents === undefined) throw new Error(`the sandbox knows no order ${number}`)
      const eventId = randomId(random)
      await tell({ eventId, kind: 'paid', number, tradeNumber: `sandbox-${number}`, cents, at: clock.now() })
      return eventId
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
