import { visibleText } from '@saddle/contract/answers.ts'
import { phonePattern } from '@saddle/contract/constants.ts'
import { certNumberPattern } from '@saddle/contract/rider/people.ts'

/** What was typed: a whole phone number, a certificate's, a rider's own number, or a name. */
export function readWord(text: string): {
  readonly phone?: string
  readonly certNumber?: string
  readonly riderId?: number
  readonly name?: string
} {
  const word = visibleText(text)
  if (word === '') return {}
  if (phonePattern.test(word)) return { phone: word }
  const upper = word.toUpperCase()
  // A name in capitals looks like a certificate's number; it has no digit.
  if (/\d/.test(upper) && certNumberPattern.test(upper)) return { certNumber: upper }
  if (/^[1-9]\d{0,14}$/.test(word)) return { riderId: Number(word) }
  return { name: word }
}

export const wordOf = (filter: {
  readonly phone?: string | undefined
  readonly certNumber?: string | undefined
  readonly riderId?: number | undefined
  readonly name?: string | undefined
}): string => filter.phone ?? filter.certNumber ?? filter.riderId?.toString() ?? filter.name ?? ''
