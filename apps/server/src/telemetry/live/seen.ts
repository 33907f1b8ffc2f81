import type { LiveFrameBytes } from '@saddle/contract/telemetry/frame.ts'
import {
  arrangeFar,
  arrangePatch,
  columnShift,
  columnsOfPatch,
  eachFarIn,
  noStep,
  recordWords,
  rowShift,
  rowsOfPatch,
  stepEast,
  stepNorth,
} from './arrangement.ts'
import type { Changes } from './changes.ts'
import { beginFrame, dropFrame, finishFrame, putWords, recordWordsSoFar, reserveWords } from './frameMemory.ts'
import { homeWords, nearby, squareOf, squaresAcross, type News } from './news.ts'
import { isInside, type Lens } from './query.ts'
import { findSlot } from './slots.ts'
import { eastOf, northOf } from './earth.ts'
import { type Table } from './table.ts'
import { patchShift, rootShift, type Box } from './tree.ts'

type Seeing = { readonly changes: Changes; readonly lens: Lens; readonly sequence: number }
export type Seen = { readonly bytes: LiveFrameBytes | null; readonly count: number }

/**
 * The frame of changes for a client without a filter that was up to date when the changes begin; null bytes when there are
 * none. Needs `tellsAll`.
 */
export function frameOfChanges(table: Table, { changes, lens, sequence }: Seeing): Seen {
  const { frames } = changes
  const { words, signed, steps, far } = changes.arrangement
  const { boxes, reaches } = lens
  const removed: number[] = []
  beginFrame(frames)
  arrangeFar(table.news, changes.arrangement, changes.farCount)
  for (const box of boxes) {
    const { west, south, east, north } = box
    const copy = (first: number, end: number): void =>
      putWords(frames, words, { first: first * recordWords, end: end * recordWords })
    const test = (first: number, end: number): void => {
      const out = reserveWords(frames, (end - first) * recordWords)
      let to = frames.end
      for (let record = first; record < end; record += 1) {
        const at = record * recordWords
        const x = eastOf(signed[at + 1] ?? 0)
        const y = northOf(signed[at + 2] ?? 0)
        // Outside of the box one of the four is negative.
        if (((x - west) | (east - x) | (y - south) | (north - y)) >= 0) {
          out[to] = words[at] ?? 0
          out[to + 1] = words[at + 1] ?? 0
          out[to + 2] = words[at + 2] ?? 0
          out[to + 3] = words[at + 3] ?? 0
          to += recordWords
          continue
        }
        const step = steps[record] ?? noStep
        if (step === noStep || !isIn(box, x - stepEast(step), y - stepNorth(step))) continue
        if (!boxes.some((other) => isIn(other, x, y))) removed.push(words[at] ?? 0)
      }
      frames.end = to
    }
    eachRangeNear(table, { changes, reaches, box }, { copy, test })
    eachFarIn(far, { reaches, box }, (slot) => {
      if (!isInside(table, slot, lens)) removed.push(table.columns.id[slot] ?? 0)
    })
  }
  const count = recordWordsSoFar(frames) / recordWords
  if (count > 0 || removed.length > 0) {
    return { bytes: finishFrame(frames, { kind: 'vehicles', snapshot: false, sequence, count }, removed), count }
  }
  dropFrame(frames)
  return { bytes: null, count }
}

/**
 * The slots of all changed vehicles that a client with a filter may see or may have seen, if it was up to date when the
 * changes begin; some of them twice. Needs `tellsAll`.
 */
export function eachChangeNear(
  table: Table,
  { changes, lens }: Omit<Seeing, 'sequence'>,
  visit: (slot: number) => void,
): void {
  const { words, far } = changes.arrangement
  const { reaches } = lens
  const visitAll = (first: number, end: number): void => {
    for (let record = first; record < end; record += 1) visit(findSlot(table.slots, words[record * recordWords] ?? 0))
  }
  arrangeFar(table.news, changes.arrangement, changes.farCount)
  for (const box of lens.boxes) {
    eachRangeNear(table, { changes, reaches, box }, { copy: visitAll, test: visitAll })
    eachFarIn(far, { reaches, box }, visit)
  }
}

const isIn = ({ west, south, east, north }: Box, x: number, y: number): boolean =>
  x >= west && x <= east && y >= south && y <= north

type Near = { readonly changes: Changes; readonly reaches: Uint8Array; readonly box: Box }
type Ranges = {
  /** Of these all are in the box. */
  readonly copy: (first: number, end: number) => void
  /** These lie at its edge: inside, or so near that they may have been inside. */
  readonly test: (first: number, end: number) => void
}

const worldEnd = 2 ** rootShift - 1
const patchSize = 1 << patchShift
const patchRows = 1 << rowShift
const patchColumns = 1 << columnShift

/** Visits the ranges of the records in the box, and of those near it. */
function eachRangeNear({ news }: Table, { changes, reaches, box }: Near, { copy, test }: Ranges): void {
  const { arrangement } = changes
  const { west, south, east, north } = box
  const wide = {
    west: Math.max(0, west - nearby),
    south: Math.max(0, south - nearby),
    east: Math.min(worldEnd, east + nearby),
    north: Math.min(worldEnd, north + nearby),
  }
  const look = (patch: number): void => {
    const home = patch * homeWords
    const [left, bottom] = [(news.homes[home] ?? 0) << patchShift, (news.homes[home + 1] ?? 0) << patchShift]
    if (left > wide.east || bottom > wide.north || left + patchSize <= wide.west || bottom + patchSize <= wide.south)
      return
    if (reaches[news.homes[home + 2] ?? 0] !== 1) return
    arrangePatch(news, arrangement, patch)
    const { patches, starts } = arrangement
    const table = patches.cells[patch] ?? 0
    const [first, end] = [patches.firsts[patch] ?? 0, patches.ends[patch] ?? 0]
    if (first === end) return
    if (left >= west && bottom >= south && left + patchSize - 1 <= east && bottom + patchSize - 1 <= north) {
      return copy(first, end)
    }
    if (table < 0) return test(first, end)
    // Columns from the outermost to test up to the first that is inside as a whole, and from the last one such on.
    const outerWest = Math.max(0, (wide.west - left) >> columnShift)
    const outerEast = Math.min(columnsOfPatch, ((wide.east - left) >> columnShift) + 1)
    const innerWest = Math.max(0, (west - left + patchColumns - 1) >> columnShift)
    const innerEast = Math.min(columnsOfPatch, (east + 1 - left) >> columnShift)
    const lastRow = Math.min(rowsOfPatch - 1, (wide.north - bottom) >> rowShift)
    for (let row = Math.max(0, (wide.south - bottom) >> rowShift); row <= lastRow; row += 1) {
      const line = table + row * columnsOfPatch
      const from = starts[line + outerWest] ?? 0
      const to = starts[line + outerEast] ?? 0
      if (from === to) continue
      const low = bottom + row * patchRows
      if (low < south || low + patchRows - 1 > north || innerWest >= innerEast) {
        test(from, to)
        continue
      }
      const inner = starts[line + innerWest] ?? 0
      const outer = starts[line + innerEast] ?? 0
      if (inner > from) test(from, inner)
      if (outer > inner) copy(inner, outer)
      if (to > outer) test(outer, to)
    }
  }
  eachPatchNear(news, changes, { box: wide, look })
}

/** Looks at the patches of the squares that the box touches; some of them lie elsewhere. */
function eachPatchNear(
  { homes, squares }: News,
  { firstPatch, arrangement }: Changes,
  { box, look }: { readonly box: Box; readonly look: (patch: number) => void },
): void {
  const [firstColumn, lastColumn] = [box.west >>> patchShift, box.east >>> patchShift]
  const [firstRow, lastRow] = [box.south >>> patchShift, box.north >>> patchShift]
  if (lastColumn - firstColumn >= squaresAcross || lastRow - firstRow >= squaresAcross) {
    for (let patch = 1; patch < arrangement.patches.count; patch += 1) look(patch)
    return
  }
  for (let row = firstRow; row <= lastRow; row += 1) {
    for (let column = firstColumn; column <= lastColumn; column += 1) {
      let patch = (squares[squareOf(column, row)] ?? 0) - firstPatch
      while (patch >= 0) {
        look(patch)
        patch = (homes[patch * homeWords + 3] ?? 0) - firstPatch
      }
    }
  }
}
