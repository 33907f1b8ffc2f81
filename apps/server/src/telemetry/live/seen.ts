import type { LiveFrameBytes } from '@saddle/contract/telemetry/frame.ts'
import { eachLeftIn, eachOfLeaf, encodeLeaf, recordWords, type Changes } from './changes.ts'
import { beginFrame, dropFrame, finishFrame, frameMemory, recordWordsSoFar, reserveWords } from './frameMemory.ts'
import { isInside, type Lens } from './query.ts'
import { eastOf, northOf, type Table } from './table.ts'
import { leafShift, walk, type Box } from './tree.ts'

type Seeing = { readonly changes: Changes; readonly lens: Lens; readonly sequence: number }
export type Seen = { readonly bytes: LiveFrameBytes | null; readonly count: number }

/**
 * The frame of changes for a client without a filter that was up to date when the changes begin; null bytes when there are
 * none. Needs `tellsAll`.
 */
export function frameOfChanges(table: Table, { changes, lens, sequence }: Seeing): Seen {
  const removed: number[] = []
  beginFrame()
  for (const box of lens.boxes) {
    putChanges(table, { changes, lens, box, removed })
    eachLeftIn(changes, { reaches: lens.reaches, box }, (slot) => {
      if (!isInside(table, slot, lens)) removed.push(table.columns.id[slot] ?? 0)
    })
  }
  const count = recordWordsSoFar() / recordWords
  if (count > 0 || removed.length > 0) {
    return { bytes: finishFrame({ kind: 'vehicles', snapshot: false, sequence, count }, removed), count }
  }
  dropFrame()
  return { bytes: null, count }
}

/** Shorter ranges are copied faster by a loop than by a call. */
const copyAbove = 64

const isIn = ({ west, south, east, north }: Box, x: number, y: number): boolean =>
  x >= west && x <= east && y >= south && y <= north

type Putting = Omit<Seeing, 'sequence'> & { readonly box: Box; readonly removed: number[] }

/** Puts the records of the changed vehicles that the box shows into the frame, cell by cell. */
function putChanges(table: Table, { changes, lens, box, removed }: Putting): void {
  const { nodes, records } = changes
  const { words, signed, beforeX, beforeY } = records
  const { west, south, east, north } = box
  const isElsewhere = (x: number, y: number): boolean => lens.boxes.some((other) => isIn(other, x, y))
  const cell = (leaf: number, _x: number, _y: number, isWhole: boolean): void => {
    encodeLeaf(table, changes, leaf)
    const first = (nodes.first[leaf] ?? 0) * recordWords
    const end = (nodes.end[leaf] ?? 0) * recordWords
    const out = reserveWords(end - first)
    let at = frameMemory.end
    if (isWhole) {
      if (end - first > copyAbove) out.set(words.subarray(first, end), at)
      else for (let word = first; word < end; word += 1) out[at + word - first] = words[word] ?? 0
      frameMemory.end = at + end - first
      return
    }
    for (let word = first; word < end; word += recordWords) {
      const x = eastOf(signed[word + 1] ?? 0)
      const y = northOf(signed[word + 2] ?? 0)
      out[at] = words[word] ?? 0
      out[at + 1] = words[word + 1] ?? 0
      out[at + 2] = words[word + 2] ?? 0
      out[at + 3] = words[word + 3] ?? 0
      // Outside of the box one of the four is negative, and the next record takes the place.
      if (((x - west) | (east - x) | (y - south) | (north - y)) >= 0) {
        at += recordWords
        continue
      }
      const wasX = beforeX[word / recordWords] ?? -1
      const wasY = beforeY[word / recordWords] ?? -1
      if (isIn(box, wasX, wasY) && !isElsewhere(x, y)) removed.push(words[word] ?? 0)
    }
    frameMemory.end = at
  }
  walk(table.tree, { reaches: lens.reaches, box, stopShift: leafShift, cell, only: changes })
}

/**
 * The slots of all changed vehicles that a client with a filter may see or may have seen, if it was up to date when the
 * changes begin: those of the cells that touch the lens. Needs `tellsAll`.
 */
export function eachChangeNear(
  table: Table,
  { changes, lens }: Omit<Seeing, 'sequence'>,
  visit: (slot: number) => void,
): void {
  const cell = (leaf: number): void => eachOfLeaf(table, changes, leaf, visit)
  const { reaches } = lens
  for (const box of lens.boxes) {
    walk(table.tree, { reaches, box, stopShift: leafShift, cell, only: changes })
    eachLeftIn(changes, { reaches, box }, (slot) => {
      if (!isInside(table, slot, lens)) visit(slot)
    })
  }
}
