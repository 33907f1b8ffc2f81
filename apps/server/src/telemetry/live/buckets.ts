/**
 * The vehicles of each leaf of the tree, contiguous in memory: a search reads positions in sequence instead of looking them
 * up in the columns of the whole fleet, which would take most of its time. A bucket holds 4, 8, 16, … vehicles and is
 * replaced by the next size when it is full; freed buckets are reused for the same size.
 */
export type Buckets = {
  /** The vehicle's slot; in a bucket that is free, the start of the next free one of its size. */
  slots: Int32Array
  /** Millionths of a degree from the south-west corner of the world. */
  xs: Int32Array
  ys: Int32Array
  /** How much of the memory has been allocated so far. */
  used: number
  /** By size: the first free bucket, or -1. */
  readonly free: Int32Array
}

const none = -1
const smallest = 4
const sizes = 29

export const roomOf = (size: number): number => smallest << size

export function createBuckets(): Buckets {
  const memory = (): Int32Array => new Int32Array(1_024)
  return { slots: memory(), xs: memory(), ys: memory(), used: 0, free: new Int32Array(sizes).fill(none) }
}

/** Where a bucket of this size begins. */
export function takeBucket(buckets: Buckets, size: number): number {
  const known = buckets.free[size] ?? none
  if (known !== none) {
    buckets.free[size] = buckets.slots[known] ?? none
    return known
  }
  const start = buckets.used
  buckets.used += roomOf(size)
  if (buckets.used > buckets.slots.length) {
    const length = Math.ceil(buckets.used * 1.5)
    for (const name of ['slots', 'xs', 'ys'] as const) {
      const wider = new Int32Array(length)
      wider.set(buckets[name])
      buckets[name] = wider
    }
  }
  return start
}

export function freeBucket(buckets: Buckets, start: number, size: number): void {
  buckets.slots[start] = buckets.free[size] ?? none
  buckets.free[size] = start
}

/** Copies a number of vehicles from one position to another. */
export function moveBucket({ slots, xs, ys }: Buckets, move: { from: number; to: number; count: number }): void {
  const { from, to, count } = move
  slots.copyWithin(to, from, from + count)
  xs.copyWithin(to, from, from + count)
  ys.copyWithin(to, from, from + count)
}
