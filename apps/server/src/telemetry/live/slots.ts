/**
 * Vehicle id → row, as an open hash table of integers: a Map of a million entries would take five times the memory.
 * Entries are never taken out.
 */
export type Slots = { ids: Uint32Array; rows: Int32Array; used: number }

const sizeFor = (count: number): number => 2 ** Math.ceil(Math.log2(count * 1.6))

export function createSlots(capacity: number): Slots {
  const size = sizeFor(capacity)
  return { ids: new Uint32Array(size), rows: new Int32Array(size).fill(-1), used: 0 }
}

/** Fibonacci hashing spreads consecutive ids. */
function placeOf({ ids, rows }: Slots, id: number): number {
  const mask = ids.length - 1
  let at = (Math.imul(id, 0x9e37_79b1) >>> 7) & mask
  while (rows[at] !== -1 && ids[at] !== id) at = (at + 1) & mask
  return at
}

/** The row of a vehicle, or -1. */
export function findSlot(slots: Slots, id: number): number {
  return slots.rows[placeOf(slots, id)] ?? -1
}

/** Stores the row of a vehicle that has none yet. Throws a RangeError on an id that frames cannot carry. */
export function noteSlot(slots: Slots, { id, slot }: { id: number; slot: number }): void {
  if (!Number.isInteger(id) || id < 0 || id > 0xffff_ffff) throw new RangeError(`vehicle id ${id}`)
  if (slots.used * 4 > slots.ids.length * 3) widen(slots)
  const at = placeOf(slots, id)
  slots.ids[at] = id
  slots.rows[at] = slot
  slots.used += 1
}

function widen(slots: Slots): void {
  const { ids, rows } = slots
  slots.ids = new Uint32Array(ids.length * 2)
  slots.rows = new Int32Array(ids.length * 2).fill(-1)
  for (let from = 0; from < ids.length; from += 1) {
    const row = rows[from] ?? -1
    if (row === -1) continue
    const at = placeOf(slots, ids[from] ?? 0)
    slots.ids[at] = ids[from] ?? 0
    slots.rows[at] = row
  }
}
