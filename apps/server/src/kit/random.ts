import { randomBytes } from 'node:crypto'

/** A source of random bytes. Everything that guards something uses `secureRandom`; tests may pass a seeded one. */
export type Random = { bytes(length: number): Uint8Array }

export const secureRandom: Random = { bytes: (length) => new Uint8Array(randomBytes(length)) }

/** A repeatable source for tests (mulberry32). Never for secrets: 32 bits of state are guessed in minutes. */
export function createSeededRandom(seed: number): Random & { fraction(): number } {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return (mixed ^ (mixed >>> 14)) >>> 0
  }
  return {
    bytes: (length) => Uint8Array.from({ length }, () => next() & 0xff),
    fraction: () => next() / 0x1_0000_0000,
  }
}

/** A whole number from 0 (included) to `bound` (excluded), every one equally likely. `bound` is at most 2^32. */
export function randomBelow(options: { random: Random; bound: number }): number {
  const { random, bound } = options
  if (!Number.isInteger(bound) || bound < 1 || bound > 0x1_0000_0000) throw new RangeError(`bound ${bound}`)
  // Values above the last whole multiple are drawn again, otherwise small numbers would come up more often.
  const limit = Math.floor(0x1_0000_0000 / bound) * bound
  for (let attempt = 0; attempt < 128; attempt += 1) {
    const bytes = random.bytes(4)
    const value = new DataView(bytes.buffer, bytes.byteOffset, 4).getUint32(0)
    if (value < limit) return value % bound
  }
  throw new Error('the random source repeats itself')
}

/** A string of `length` decimal digits, for codes that people type. */
export function randomDigits(options: { random: Random; length: number }): string {
  return Array.from({ length: options.length }, () => randomBelow({ random: options.random, bound: 10 })).join('')
}

/** A version 4 UUID. */
export function randomUuid(random: Random): string {
  const bytes = random.bytes(16)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = Buffer.from(bytes).toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
