import { visibleText } from '@saddle/contract/answers.ts'
import { phonePattern } from '@saddle/contract/constants.ts'
import type { TicketFilter } from '@saddle/contract/support/tickets.ts'

const ticketNumber = /^GD\d{12,16}$/

/** What was typed: a whole phone number, the number of a ticket, or that of a vehicle. */
export function readTicketWord(text: string): Pick<TicketFilter, 'phone' | 'number' | 'vehicleNumber'> {
  const word = visibleText(text).toUpperCase()
  if (word === '') return {}
  if (phonePattern.test(word)) return { phone: word }
  if (ticketNumber.test(word)) return { number: word }
  return { vehicleNumber: word.slice(0, 20) }
}

export const ticketWordOf = ({ phone, number, vehicleNumber }: TicketFilter): string =>
  phone ?? number ?? vehicleNumber ?? ''
