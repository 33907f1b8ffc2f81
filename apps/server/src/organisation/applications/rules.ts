import { businessDayOf } from '@saddle/contract/time.ts'
import { randomBelow, type Random } from '#kit/random.ts'

/** How often the open form may be sent: from one address, and in all, so that nobody fills the table. */
export const applicationRate = { perAddressPerHour: 10, totalPerHour: 300, maxAddresses: 20_000 } as const

// Crockford's base 32: no letter that is taken for another when the number is read over the phone.
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const SUFFIX_LENGTH = 8

/** `JM20261121-4Z7KX2QM`: the business day and a suffix that cannot be guessed from another application's. */
export function applicationNumber(options: { nowMs: number; random: Random }): string {
  const { nowMs, random } = options
  const suffix = Array.from({ length: SUFFIX_LENGTH }, () => ALPHABET[randomBelow({ random, bound: ALPHABET.length })])
  return `JM${businessDayOf(nowMs).replaceAll('-', '')}-${suffix.join('')}`
}
