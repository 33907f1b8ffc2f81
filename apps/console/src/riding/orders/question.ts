import { visibleText } from '@saddle/contract/answers.ts'
import { phonePattern } from '@saddle/contract/constants.ts'
import type { OrderFilter } from '@saddle/contract/riding/orders.ts'

const orderNumber = /^\d{16}$/

/** The conditions that a search text can be parsed into. */
export type KeywordFilter = Pick<OrderFilter, 'phone' | 'number' | 'vehicleNumber'>

/** What was typed: a whole phone number, the number of an order, or that of a vehicle. */
export function readKeyword(text: string): KeywordFilter {
  const word = visibleText(text)
  if (word === '') return {}
  if (phonePattern.test(word)) return { phone: word }
  if (orderNumber.test(word)) return { number: word }
  return { vehicleNumber: word }
}

export const keywordOf = ({ phone, number, vehicleNumber }: KeywordFilter): string =>
  phone ?? number ?? vehicleNumber ?? ''
