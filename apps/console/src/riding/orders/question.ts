import { phonePattern } from '@saddle/contract/constants.ts'
import { orderFilterSchema, type OrderFilter } from '@saddle/contract/riding/orders.ts'

const orderNumber = /^\d{16}$/

/** What was typed: a whole phone number, the number of an order, or that of a vehicle. */
export function readKeyword(text: string): Pick<OrderFilter, 'phone' | 'number' | 'vehicleNumber'> {
  const word = text.trim()
  if (word === '') return {}
  if (phonePattern.test(word)) return { phone: word }
  if (orderNumber.test(word)) return { number: word }
  return { vehicleNumber: word }
}

export const keywordOf = ({ phone, number, vehicleNumber }: OrderFilter): string =>
  phone ?? number ?? vehicleNumber ?? ''

/** The filter that the address holds; nothing where it makes no sense. */
export function readFilter(params: URLSearchParams): OrderFilter {
  try {
    return orderFilterSchema.parse(JSON.parse(params.get('filter') ?? '{}'))
  } catch {
    return {}
  }
}

/** A phone number is kept out of the address, and so out of history, bookmarks and screenshots. */
export function writeFilter(filter: OrderFilter): string | null {
  const text = JSON.stringify({ ...filter, phone: undefined })
  return text === '{}' ? null : text
}

const dayMs = 24 * 3_600_000
const businessShiftMs = 8 * 3_600_000

/** The beginning of a business day, `YYYY-MM-DD`; undefined for no day. */
export function startOfDay(day: string): number | undefined {
  const at = Date.parse(`${day}T00:00:00+08:00`)
  return Number.isNaN(at) ? undefined : at
}

/** The end of a business day: the beginning of the next. */
export function endOfDay(day: string): number | undefined {
  const start = startOfDay(day)
  return start === undefined ? undefined : start + dayMs
}

/** `YYYY-MM-DD` of an instant by business time; '' for none. */
export const dayOf = (atMs: number | undefined): string =>
  atMs === undefined ? '' : new Date(atMs + businessShiftMs).toISOString().slice(0, 10)
