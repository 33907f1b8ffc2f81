import type { BillFormat } from '../channelBills/bill.ts'
import type { Channel } from '../ledger/recipes.ts'

/** A channel's report about a payment or refund, after its signature was verified. */
export type ChannelEvent = {
  /** The channel's own number of this message: a repeated one is the same. */
  readonly eventId: string
  readonly kind: 'paid' | 'refunded' | 'refund_failed'
  /** Our number of the payment or refund. */
  readonly number: string
  /** The channel's number of it. */
  readonly tradeNumber: string
  readonly cents: number
  /** Milliseconds since 1970. */
  readonly at: number
  /** Of a payment: whoever paid, as the channel knows them; absent where it does not say. */
  readonly payer?: string | undefined
}

export type CallBack = {
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>
  /** The bytes as they came: signatures cover these and nothing that was parsed and printed again. */
  readonly body: Buffer
}

/** A call-back that is not the channel's word for us; the message is for the log. */
export class CallBackError extends Error {
  override readonly name = 'CallBackError'
}

export type Prepaid = {
  /** What the rider's app hands to the channel's own code. */
  readonly parameters: Readonly<Record<string, string>>
}

export type RefundOrder = {
  readonly number: string
  readonly refundNumber: string
  readonly cents: number
  readonly totalCents: number
  readonly reason: string
}

/** The bill of a day as a channel gives it out. */
export type DailyBill = {
  readonly format: BillFormat
  /** Of the file, in hexadecimal digits; null where the channel gives none beside it. */
  readonly sha1: string | null
  readonly chunks: AsyncIterable<Uint8Array>
}

/** A payment channel. The sandbox and the real ones behave the same. */
export type PaymentChannel = {
  readonly name: Channel
  prepay(order: {
    number: string
    cents: number
    description: string
    /** The rider as the channel knows them, where it asks for that. */
    payer: string | null
  }): Promise<Prepaid>
  /** What a payer scans with their own application to pay an order; left out by a channel that has no such thing. */
  code?(order: { number: string; cents: number; description: string }): Promise<string>
  /** `pending`: a call-back reports the result. Throws when the channel refuses. */
  refund(order: RefundOrder): Promise<'done' | 'pending'>
  /** What the call-back says; null for a true one that is not about the end of a payment or refund. Throws CallBackError. */
  read(callBack: CallBack): ChannelEvent | null
  /** What it took and gave back on a business day; null while the bill is not there yet. Throws when the channel refuses. */
  bill(day: string): Promise<DailyBill | null>
  /** The answer that the channel expects. */
  answer(isTaken: boolean): { status: number; contentType: string; body: string }
}

export type HttpCall = { method: string; url: string; headers: Record<string, string>; body: string }
export type HttpAnswer = { status: number; headers: Readonly<Record<string, string | undefined>>; body: string }
/** How adapters reach their channel; tests put a recorded channel here. */
export type Send = (call: HttpCall) => Promise<HttpAnswer>

/** How adapters fetch a file that is too long to be held: its bytes as they come. Throws unless the answer is 200. */
export type Download = (call: Omit<HttpCall, 'body'>) => Promise<AsyncIterable<Uint8Array>>

const TIMEOUT_MS = 10_000
/** A bill of a million lines on a slow line. */
const DOWNLOAD_TIMEOUT_MS = 1_800_000
const MAX_ANSWER_BYTES = 1_000_000

export const sendOverHttps: Send = async ({ method, url, headers, body }) => {
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const response = await fetch(url, { method, headers, signal, redirect: 'error', ...(body === '' ? {} : { body }) })
  const text = await response.text()
  if (text.length > MAX_ANSWER_BYTES) throw new Error('the answer of the payment channel is too long')
  return { status: response.status, headers: Object.fromEntries(response.headers), body: text }
}

export const downloadOverHttps: Download = async ({ method, url, headers }) => {
  const response = await fetch(url, {
    method,
    headers,
    signal: AbortSignal.timeout(DOWNLOAD_TIMEOUT_MS),
    redirect: 'error',
  })
  if (response.status !== 200 || response.body === null) {
    await response.body?.cancel()
    throw new Error(`the payment channel answers ${response.status} for a file`)
  }
  return response.body
}
