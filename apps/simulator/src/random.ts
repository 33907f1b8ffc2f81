/** A seeded source of randomness; the same seed gives the same city and the same day. */
export type Random = {
  /** 0 ≤ value < 1. */
  next(): number
  between(low: number, high: number): number
  /** A whole number, 0 ≤ value < limit. */
  below(limit: number): number
  chance(probability: number): boolean
  pick<T>(items: readonly [T, ...T[]]): T
  /** Waiting time of events that come at random, with this mean. */
  exponential(mean: number): number
  /** Normal distribution around 0. */
  gauss(deviation: number): number
  /** How many events of this mean happen; for small means. */
  poisson(mean: number): number
  /** A seed from which the same values go on. */
  state(): number
}

/** Mulberry32: small, fast, and good enough for a city. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
  const below = (limit: number) => Math.floor(next() * limit)
  const poisson = (mean: number) => {
    const limit = Math.exp(-mean)
    let count = 0
    for (let product = next(); product > limit; product *= next()) count++
    return count
  }
  return {
    next,
    poisson,
    state: () => state,
    between: (low, high) => low + (high - low) * next(),
    below,
    chance: (probability) => next() < probability,
    pick: (items) => items[below(items.length)] ?? items[0],
    exponential: (mean) => -mean * Math.log(1 - next()),
    gauss: (deviation) => deviation * Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next()),
  }
}

/** An independent stream for one of many objects, so that adding a vehicle does not change the others' day. */
export function childSeed(seed: number, index: number): number {
  return Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(index + 1, 0xc2b2ae35)
}
