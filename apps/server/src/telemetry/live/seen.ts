import { createFrame } from '@saddle/contract/telemetry/frame.ts'
import { isMarked, leftWords, recordWords, type Changes } from './changes.ts'
import { isInside, type Lens } from './query.ts'
import { eastOf, northOf, type Table } from './table.ts'
import { leafShift, walk, type Box } from './tree.ts'

/** Ranges of records that go into the frame, as pairs of start and end; memory that the next frame reuses. */
let stretches = new Int32Array(2_048)
let used = 0
let count = 0

function addStretch(first: number, end: number): void {
  if (first === end) return
  count += end - first
  if (used > 0 && stretches[used - 1] === first) {
    stretches[used - 1] = end
    return
  }
  if (used + 2 > stretches.length) {
    const wider = new Int32Array(stretches.length * 2)
    wider.set(stretches)
    stretches = wider
  }
  stretches[used] = first
  stretches[used + 1] = end
  used += 2
}

type Seeing = { readonly changes: Changes; readonly lens: Lens; readonly sequence: number }
export type Seen = { readonly bytes: Uint8Array | null; readonly count: number; readonly removed: number }

/**
 * The frame of changes for a client without a filter that was up to date when the changes begin; null bytes when there are
 * none. Needs `tellsAll`.
 */
export function frameOfChanges(table: Table, { changes, lens, sequence }: Seeing): Seen {
  used = 0
  count = 0
  const removed: number[] = []
  for (const box of lens.boxes) {
    findStretches(table, { changes, lens, box, removed })
    eachGone(table, { changes, lens, box }, (slot) => removed.push(table.columns.id[slot] ?? 0))
  }
  if (count === 0 && removed.length === 0) return { bytes: null, count, removed: 0 }
  const { bytes, words } = createFrame({ kind: 'vehicles', snapshot: false, sequence, count, removed })
  let at = 0
  for (let index = 0; index < used; index += 2) {
    const first = (stretches[index] ?? 0) * recordWords
    const end = (stretches[index + 1] ?? 0) * recordWords
    if (end - first > copyAbove) words.set(changes.records.words.subarray(first, end), at)
    else for (let word = first; word < end; word += 1) words[at + word - first] = changes.records.words[word] ?? 0
    at += end - first
  }
  return { bytes, count, removed: removed.length }
}

/** Shorter ranges are copied faster by a loop than by a call. */
const copyAbove = 64

const isIn = ({ west, south, east, north }: Box, x: number, y: number): boolean =>
  x >= west && x <= east && y >= south && y <= north

type Finding = Omit<Seeing, 'sequence'> & { readonly box: Box; readonly removed: number[] }

function findStretches(table: Table, { changes, lens, box, removed }: Finding): void {
  const { nodes, records } = changes
  const { words, signed, beforeX, beforeY } = records
  const enter = (node: number, isWhole: boolean): boolean => {
    if (!isMarked(changes, node)) return false
    if (isWhole) addStretch(nodes.first[node] ?? 0, nodes.end[node] ?? 0)
    return !isWhole
  }
  const cell = (node: number): void => {
    const end = nodes.end[node] ?? 0
    for (let at = nodes.first[node] ?? 0; at < end; at += 1) {
      const x = eastOf(signed[at * recordWords + 1] ?? 0)
      const y = northOf(signed[at * recordWords + 2] ?? 0)
      if (isIn(box, x, y)) addStretch(at, at + 1)
      else if (isIn(box, beforeX[at] ?? -1, beforeY[at] ?? -1) && !lens.boxes.some((other) => isIn(other, x, y))) {
        removed.push(words[at * recordWords] ?? 0)
      }
    }
  }
  walk(table.tree, { reaches: lens.reaches, box, stopShift: leafShift, enter, cell })
}

/** Vehicles of the box that moved to another cell, where the lens no longer shows them. */
function eachGone(table: Table, { changes, lens, box }: Omit<Finding, 'removed'>, visit: (slot: number) => void): void {
  const { left, leftCount } = changes
  const { west, south, east, north } = box
  const { reaches } = lens
  for (let at = 0, end = leftCount * leftWords; at < end; at += leftWords) {
    const x = left[at + 1] ?? 0
    const y = left[at + 2] ?? 0
    // Outside of the box one of the four is negative.
    if (((x - west) | (east - x) | (y - south) | (north - y)) < 0) continue
    const slot = left[at] ?? 0
    if (reaches[left[at + 3] ?? 0] === 1 && !isInside(table, slot, lens)) visit(slot)
  }
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
  const { nodes, records } = changes
  const visitAll = (node: number): void => {
    const end = nodes.end[node] ?? 0
    for (let at = nodes.first[node] ?? 0; at < end; at += 1) visit(records.slots[at] ?? 0)
  }
  const enter = (node: number, isWhole: boolean): boolean => {
    if (!isMarked(changes, node)) return false
    if (isWhole) visitAll(node)
    return !isWhole
  }
  for (const box of lens.boxes) {
    walk(table.tree, { reaches: lens.reaches, box, stopShift: leafShift, enter, cell: visitAll })
    eachGone(table, { changes, lens, box }, visit)
  }
}
