import { clearArrangement, createArrangement, type Arrangement } from './arrangement.ts'
import { createFrameMemory, type FrameMemory } from './frameMemory.ts'
import { blockSize, clearNews, crossedWords } from './news.ts'
import type { Table } from './table.ts'

/**
 * What changed between two ticks, until the next change. A part of the world is put in order when the first client needs it,
 * and every other client copies from the same memory.
 */
export type Changes = {
  /** It holds all changes after sequence `from` up to sequence `to`. */
  from: number
  to: number
  /** The cells of the tree with this mark are those in which something changed. */
  mark: number
  /** From where on the news counted patches. */
  firstPatch: number
  farCount: number
  crossedCount: number
  readonly arrangement: Arrangement
  /** Where the frames that tell of them are. */
  readonly frames: FrameMemory
}

export const createChanges = (): Changes => ({
  from: -1,
  to: 0,
  mark: 0,
  firstPatch: 0,
  farCount: 0,
  crossedCount: 0,
  arrangement: createArrangement(),
  frames: createFrameMemory(),
})

/** Whether it covers all changes since a moment, and nothing has changed after it. */
export const tellsAll = ({ from, to }: Changes, table: Table, since: number): boolean =>
  from === since && to === table.sequence

/** Takes what changed since the last time. */
export function gather({ news, tree, sequence }: Table, changes: Changes): void {
  changes.from = changes.to
  changes.to = sequence
  changes.mark = tree.mark
  tree.mark += 1
  changes.firstPatch = news.firstPatch
  changes.farCount = news.farCount
  changes.crossedCount = news.crossedCount
  clearArrangement(changes.arrangement, { places: news.blocks * blockSize, patches: news.patches })
  if (!clearNews(news)) changes.from = -1
}

export type Crossing = { readonly slot: number; readonly x: number; readonly y: number; readonly reach: number }

/** Visits the vehicles that left a cell of these reaches, with where they were in it. Needs `tellsAll`. */
export function eachCrossing(
  { news }: Table,
  { crossedCount }: Changes,
  { reaches, visit }: { readonly reaches: Uint8Array; readonly visit: (crossing: Crossing) => void },
): void {
  const { crossed } = news
  for (let at = 0, end = crossedCount * crossedWords; at < end; at += crossedWords) {
    const reach = crossed[at + 3] ?? 0
    if (reaches[reach] === 1) visit({ slot: crossed[at] ?? 0, x: crossed[at + 1] ?? 0, y: crossed[at + 2] ?? 0, reach })
  }
}
