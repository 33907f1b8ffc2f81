/** Follows the cents of a company's own part through its book, first in, first out. */

/** What a settlement did with cents of a day, as its row says. */
export type SettledDay = {
  readonly day: string
  readonly ownerCents: number
  readonly repaidCents: number
  /** Below zero: so much came back out of the reserve. */
  readonly reservedCents: number
}

/** An entry that settled a day or changed the available balance, in the order of the book. */
export type BookEvent = {
  readonly entryNumber: number
  readonly reference: string
  /** What it added to the available balance or, below zero, took from it. */
  readonly cents: number
  readonly settled: SettledDay | null
}

/** A stretch of cents. Those of a day are numbered from 0, in the order in which they were settled. */
export type Piece = {
  /** Null: of no day, such as an entry by hand. */
  readonly day: string | null
  readonly from: number
  readonly cents: number
  /** Of the entry that made it available, or that kept it. */
  readonly entryNumber: number
  readonly isOfReserve: boolean
}

/** Where all cents are after the last entry. */
export type Followed = {
  readonly repaid: readonly Piece[]
  readonly reserved: readonly Piece[]
  readonly available: readonly Piece[]
  /** What has left the available balance, by the reference of the entry that took it. */
  readonly taken: ReadonlyMap<string, readonly Piece[]>
}

/** Stretches that are taken from their front. What is given back stands at the front again. */
class Queue {
  #pieces: Piece[] = []
  #first = 0

  add(piece: Piece): void {
    if (piece.cents > 0) this.#pieces.push(piece)
  }

  take(wanted: number): Piece[] {
    const taken: Piece[] = []
    let left = wanted
    while (left > 0) {
      const piece = this.#pieces[this.#first]
      if (piece === undefined) break
      const cents = Math.min(left, piece.cents)
      taken.push({ ...piece, cents })
      left -= cents
      if (cents === piece.cents) this.#first += 1
      else this.#pieces[this.#first] = { ...piece, from: piece.from + cents, cents: piece.cents - cents }
    }
    return taken
  }

  giveBack(pieces: readonly Piece[]): void {
    this.#pieces = [...pieces, ...this.#pieces.slice(this.#first)]
    this.#first = 0
  }

  get left(): readonly Piece[] {
    return this.#pieces.slice(this.#first)
  }
}

/**
 * A settlement repays what is owed, then fills the reserve, and the rest is available, in the order of the day's cents. What
 * leaves the available balance is taken from the oldest; what comes back under the same reference is what was taken, its end
 * first. So every cent is in one place at any time, and the same book gives the same answer.
 */
export function follow(events: readonly BookEvent[]): Followed {
  const repaid: Piece[] = []
  const reserve = new Queue()
  const available = new Queue()
  const taken = new Map<string, readonly Piece[]>()
  const settledOf = new Map<string, number>()
  for (const { entryNumber, reference, cents, settled } of events) {
    if (settled !== null) {
      settle({ entryNumber, settled, settledOf, repaid, reserve, available })
    } else if (cents < 0) {
      taken.set(reference, [...(taken.get(reference) ?? []), ...available.take(-cents)])
    } else if (cents > 0) {
      const { back, kept, rest } = backOf(taken.get(reference) ?? [], cents)
      if (back.length > 0) {
        taken.set(reference, kept)
        available.giveBack(back)
      }
      available.add({ day: null, from: 0, cents: rest, entryNumber, isOfReserve: false })
    }
  }
  return { repaid, reserved: reserve.left, available: available.left, taken }
}

type Settling = {
  readonly entryNumber: number
  readonly settled: SettledDay
  /** How many cents of each day were settled so far. */
  readonly settledOf: Map<string, number>
  readonly repaid: Piece[]
  readonly reserve: Queue
  readonly available: Queue
}

function settle({ entryNumber, settled, settledOf, repaid, reserve, available }: Settling): void {
  const { day, ownerCents, repaidCents, reservedCents } = settled
  const before = settledOf.get(day) ?? 0
  const own = { day, entryNumber, isOfReserve: false }
  if (ownerCents > 0) {
    settledOf.set(day, before + ownerCents)
    const kept = Math.max(0, reservedCents)
    if (repaidCents > 0) repaid.push({ ...own, from: before, cents: repaidCents })
    reserve.add({ ...own, from: before + repaidCents, cents: kept })
    available.add({ ...own, from: before + repaidCents + kept, cents: ownerCents - repaidCents - kept })
  }
  if (reservedCents < 0) {
    for (const piece of reserve.take(-reservedCents)) available.add({ ...piece, entryNumber, isOfReserve: true })
  }
}

/** What of taken stretches comes back: their end. `rest` is what nobody had taken. */
function backOf(
  pieces: readonly Piece[],
  cents: number,
): { readonly back: readonly Piece[]; readonly kept: readonly Piece[]; readonly rest: number } {
  const kept = [...pieces]
  const back: Piece[] = []
  let rest = cents
  while (rest > 0) {
    const piece = kept.pop()
    if (piece === undefined) break
    const part = Math.min(rest, piece.cents)
    if (part < piece.cents) kept.push({ ...piece, cents: piece.cents - part })
    back.unshift({ ...piece, from: piece.from + piece.cents - part, cents: part })
    rest -= part
  }
  return { back, kept, rest }
}

/** The part of some stretches that lies within the cents of a day. */
export function within(pieces: readonly Piece[], of: { day: string; from: number; to: number }): Piece[] {
  return pieces.flatMap((piece): Piece[] => {
    const from = Math.max(piece.from, of.from)
    const cents = Math.min(piece.from + piece.cents, of.to) - from
    return piece.day === of.day && cents > 0 ? [{ ...piece, from, cents }] : []
  })
}

export const centsOf = (pieces: readonly Pick<Piece, 'cents'>[]): number =>
  pieces.reduce((sum, { cents }) => sum + cents, 0)
