import type { BillLineState } from '@saddle/contract/finance/channelBills.ts'

/** Why a bill is not compared: it cannot be read, it is cut short, or it is of another merchant or day. */
export type BillFault = 'channel_bill_unreadable' | 'channel_bill_incomplete' | 'channel_bill_foreign'

/** A bill that is not compared; the message says where. Nothing of it is kept. */
export class BillError extends Error {
  override readonly name = 'BillError'
  readonly code: BillFault
  constructor(
    message: string,
    { code = 'channel_bill_unreadable', cause }: { code?: BillFault; cause?: unknown } = {},
  ) {
    super(message, { cause })
    this.code = code
  }
}

/** A line of a channel's bill, whichever channel wrote it. */
export type BillLine = {
  /** Place among the lines of the bill, from 1. */
  readonly n: number
  readonly isRefund: boolean
  /** Of the payment or refund, as the platform gave it to the channel. */
  readonly number: string
  /** Of the payment that a refund belongs to; a payment's own. */
  readonly orderNumber: string
  readonly tradeNumber: string
  readonly at: number
  readonly cents: number
  /** Thousandths of a cent, because channels tell fees with five decimals; below zero where a refund gives it back. */
  readonly feeMillicents: number
  readonly status: BillLineState
}

export const billFormats = ['wechat', 'alipay'] as const
export type BillFormat = (typeof billFormats)[number]

/** Reads a bill in batches: neither the file nor its lines are ever in memory as a whole. Throws BillError. */
export type BillReader = (lines: AsyncIterable<readonly string[]>) => AsyncGenerator<readonly BillLine[]>

const maxNumberLength = 64
const yuanText = /^(-?)(\d{1,10})(?:\.(\d{1,2}))?$/
const feeText = /^(-?)(\d{1,10})(?:\.(\d{1,5}))?$/

export function centsOf(text: string, where: string): number {
  const found = yuanText.exec(text)
  if (found === null) throw new BillError(`${where}: "${text.slice(0, 40)}" is no amount`)
  const [, sign = '', whole = '', part = ''] = found
  const cents = Number(whole) * 100 + Number(part.padEnd(2, '0'))
  return sign === '' || cents === 0 ? cents : -cents
}

export function millicentsOf(text: string, where: string): number {
  const found = feeText.exec(text)
  if (found === null) throw new BillError(`${where}: "${text.slice(0, 40)}" is no fee`)
  const [, sign = '', whole = '', part = ''] = found
  const fee = Number(whole) * 100_000 + Number(part.padEnd(5, '0'))
  return sign === '' || fee === 0 ? fee : -fee
}

const hourOfBusiness = 8
/** `2026-11-20 12:00:01` of business time. */
export function instantOf(text: string, where: string): number {
  const [year, month, day] = [Number(text.slice(0, 4)), Number(text.slice(5, 7)), Number(text.slice(8, 10))]
  const [hour, minute, second] = [Number(text.slice(11, 13)), Number(text.slice(14, 16)), Number(text.slice(17, 19))]
  const at = Date.UTC(year, month - 1, day, hour - hourOfBusiness, minute, second)
  if (text.length !== 19 || Number.isNaN(at)) throw new BillError(`${where}: "${text.slice(0, 40)}" is no time`)
  return at
}

export function wordOf(text: string, where: string): string {
  if (text.length > maxNumberLength || text.includes('\0')) throw new BillError(`${where}: a number is too long`)
  return text
}

/** The places of columns by their titles. Throws where one is missing. */
export function columnsOf<const N extends string>(titles: readonly string[], wanted: Readonly<Record<N, string>>) {
  const places = new Map(titles.map((title, place) => [title, place]))
  return Object.fromEntries(
    Object.entries<string>(wanted).map(([name, title]) => {
      const place = places.get(title)
      if (place === undefined) throw new BillError(`the column ${title} is missing`)
      return [name, place]
    }),
  ) as Record<N, number>
}
