import { liveRecordBytes } from '@saddle/contract/telemetry/frame.ts'
import { beforeWords, clearNews, isNews, nowhere } from './news.ts'
import { eastOf, latOf, lngOf, northOf, type Table } from './table.ts'
import { leafShift, type Box } from './tree.ts'

export const recordWords = liveRecordBytes / 4
const none = -1

/**
 * What changed between two ticks, by cell of the tree. A cell's changes are encoded when the first client needs them, as
 * frames carry them, and every other client that sees the cell copies the same range of memory. Changes elsewhere cost a
 * client nothing.
 */
export type Changes = {
  /** It holds all changes after sequence `from` up to sequence `to`. */
  from: number
  to: number
  /** By node, valid where its mark is the current one: something changed in it. */
  nodes: Nodes
  mark: number
  /** A bit for each slot that changed. */
  bits: Uint32Array
  records: Records
  /** Vehicles that left their cell. */
  left: Left
}

type Nodes = {
  mark: Uint32Array
  /** Of a leaf, valid where `encoded` is the current mark: its range of the records. */
  encoded: Uint32Array
  first: Int32Array
  end: Int32Array
}

type Records = {
  count: number
  words: Uint32Array
  /** The same memory. */
  signed: Int32Array
  /** Where the vehicle was before, if it was in the same cell; otherwise -1. */
  beforeX: Int32Array
  beforeY: Int32Array
}

/** Five numbers for each vehicle: slot, its previous position and reach, and the next one that left nearby. */
type Left = { words: Int32Array; count: number; heads: Int32Array }

const leftWords = 5
/** Vehicles that left are found by squares of 2^14 millionths of a degree; 64 by 64 of them, then they repeat. */
const squareShift = 14
const squares = 64
const squareOf = (column: number, row: number): number => ((row & (squares - 1)) * squares) | (column & (squares - 1))

function createRecords(size: number): Records {
  const words = new Uint32Array(size * recordWords)
  const signed = new Int32Array(words.buffer)
  return { count: 0, words, signed, beforeX: new Int32Array(size), beforeY: new Int32Array(size) }
}

const createNodes = (size: number): Nodes => ({
  mark: new Uint32Array(size),
  encoded: new Uint32Array(size),
  first: new Int32Array(size),
  end: new Int32Array(size),
})

export function createChanges(): Changes {
  return {
    from: -1,
    to: 0,
    nodes: createNodes(0),
    mark: 0,
    bits: new Uint32Array(0),
    records: createRecords(0),
    left: { words: new Int32Array(1_024 * leftWords), count: 0, heads: new Int32Array(squares * squares).fill(none) },
  }
}

/** Whether it covers all changes since a moment, and nothing has changed after it. */
export const tellsAll = ({ from, to }: Changes, table: Table, since: number): boolean =>
  from === since && to === table.sequence

/** Collects what changed since the last time. */
export function gather(table: Table, changes: Changes): void {
  const { news } = table
  makeRoom(table, changes)
  changes.mark += 1
  changes.from = changes.to
  changes.to = table.sequence
  changes.records.count = 0
  markCells(table, changes)
  changes.left.count = 0
  changes.left.heads.fill(none)
  for (let n = 0; n < news.crossedCount; n += 1) noteLeft(table, changes, news.crossed[n] ?? 0)
  clearNews(news)
}

export const isMarked = ({ nodes, mark }: Pick<Changes, 'nodes' | 'mark'>, node: number): boolean =>
  node !== none && nodes.mark[node] === mark

function makeRoom({ news, tree }: Table, changes: Changes): void {
  if (changes.records.beforeX.length < news.count) changes.records = createRecords(Math.ceil(news.count * 1.5))
  if (changes.nodes.mark.length >= tree.nodes.parent.length) return
  changes.nodes = createNodes(tree.nodes.parent.length)
}

/** Marks the cells of the vehicles that changed, and all enclosing ones. */
function markCells({ news, tree }: Table, changes: Changes): void {
  const { nodes, mark } = changes
  const { slots, bits } = news
  const { leaf: leaves } = tree
  const { parent } = tree.nodes
  for (let n = 0; n < news.count; n += 1) {
    let node = leaves[slots[n] ?? 0] ?? none
    while (node !== none && nodes.mark[node] !== mark) {
      nodes.mark[node] = mark
      node = parent[node] ?? none
    }
  }
  if (changes.bits.length < bits.length) changes.bits = new Uint32Array(bits.length)
  changes.bits.set(bits)
}

/** Visits the vehicles of a marked leaf that changed. */
export function eachOfLeaf({ tree }: Table, { bits }: Changes, leaf: number, visit: (slot: number) => void): void {
  const { child, count } = tree.nodes
  const { slots } = tree.buckets
  const start = child[leaf * 4] ?? 0
  for (let at = start, end = start + (count[leaf] ?? 0); at < end; at += 1) {
    const slot = slots[at] ?? 0
    if (((bits[slot >>> 5] ?? 0) & (1 << (slot & 31))) !== 0) visit(slot)
  }
}

/**
 * Encodes what changed in a marked leaf, unless a client before has needed it. Places are read from the leaf's bucket, one
 * behind the other; only `before` and the status are looked up for each vehicle.
 */
export function encodeLeaf(
  { columns, news, tree }: Table,
  { nodes, mark, bits, records }: Changes,
  leaf: number,
): void {
  if (nodes.encoded[leaf] === mark) return
  const { before } = news
  const { status } = columns
  const { slots, xs, ys } = tree.buckets
  const { words, beforeX, beforeY } = records
  nodes.encoded[leaf] = mark
  nodes.first[leaf] = records.count
  const start = tree.nodes.child[leaf * 4] ?? 0
  const end = start + (tree.nodes.count[leaf] ?? 0)
  // A leaf holds vehicles of one reach.
  const reach = columns.reach[slots[start] ?? 0] ?? nowhere
  let to = records.count
  for (let at = start; at < end; at += 1) {
    const slot = slots[at] ?? 0
    if (((bits[slot >>> 5] ?? 0) & (1 << (slot & 31))) === 0) continue
    const x = xs[at] ?? 0
    const y = ys[at] ?? 0
    const was = slot * beforeWords
    const wasX = before[was] ?? 0
    const wasY = before[was + 1] ?? 0
    const stayed = before[was + 2] === reach && ((wasX ^ x) | (wasY ^ y)) >>> leafShift === 0
    beforeX[to] = stayed ? wasX : none
    beforeY[to] = stayed ? wasY : none
    words[to * recordWords] = before[was + 3] ?? 0
    words[to * recordWords + 1] = lngOf(x)
    words[to * recordWords + 2] = latOf(y)
    words[to * recordWords + 3] = status[slot] ?? 0
    to += 1
  }
  records.count = to
  nodes.end[leaf] = to
}

/** Notes a vehicle that is no longer in the cell where it was at the last tick. */
function noteLeft({ columns, news, tree }: Table, { left }: Changes, slot: number): void {
  // Of several crossings the first one counts.
  if (!isNews(news, slot)) return
  news.bits[slot >>> 5] = (news.bits[slot >>> 5] ?? 0) & ~(1 << (slot & 31))
  const x = news.before[slot * beforeWords] ?? 0
  const y = news.before[slot * beforeWords + 1] ?? 0
  const reach = news.before[slot * beforeWords + 2] ?? nowhere
  if (reach === nowhere) return
  const moved = (x ^ eastOf(columns.lng[slot] ?? 0)) | (y ^ northOf(columns.lat[slot] ?? 0))
  const isBack = tree.leaf[slot] !== none && columns.reach[slot] === reach && moved >>> leafShift === 0
  if (isBack) return
  const at = left.count * leftWords
  if (at === left.words.length) {
    const wider = new Int32Array(at * 2)
    wider.set(left.words)
    left.words = wider
  }
  const square = squareOf(x >>> squareShift, y >>> squareShift)
  left.words[at] = slot
  left.words[at + 1] = x
  left.words[at + 2] = y
  left.words[at + 3] = reach
  left.words[at + 4] = left.heads[square] ?? none
  left.heads[square] = at
  left.count += 1
}

export type Leaving = { readonly slot: number; readonly x: number; readonly y: number; readonly reach: number }

/** Visits the vehicles that left a cell of these reaches: where they are now, and where they were. */
export function eachLeft({ left }: Changes, reaches: Uint8Array, visit: (leaving: Leaving) => void): void {
  const { words } = left
  for (let at = 0, end = left.count * leftWords; at < end; at += leftWords) {
    const reach = words[at + 3] ?? 0
    if (reaches[reach] === 1) visit({ slot: words[at] ?? 0, x: words[at + 1] ?? 0, y: words[at + 2] ?? 0, reach })
  }
}

type Leftover = { readonly reaches: Uint8Array; readonly box: Box }

/** Visits the slots of those that were in this box and these reaches, and left their cell. */
export function eachLeftIn({ left }: Changes, { reaches, box }: Leftover, visit: (slot: number) => void): void {
  const { west, south, east, north } = box
  const { words, heads } = left
  const look = (at: number): void => {
    const x = words[at + 1] ?? 0
    const y = words[at + 2] ?? 0
    // Outside of the box one of the four is negative.
    if (((x - west) | (east - x) | (y - south) | (north - y)) < 0) return
    if (reaches[words[at + 3] ?? 0] === 1) visit(words[at] ?? 0)
  }
  const [firstColumn, lastColumn] = [west >>> squareShift, east >>> squareShift]
  const [firstRow, lastRow] = [south >>> squareShift, north >>> squareShift]
  if (lastColumn - firstColumn >= squares || lastRow - firstRow >= squares) {
    for (let at = 0, end = left.count * leftWords; at < end; at += leftWords) look(at)
    return
  }
  for (let row = firstRow; row <= lastRow; row += 1) {
    for (let column = firstColumn; column <= lastColumn; column += 1) {
      for (let at = heads[squareOf(column, row)] ?? none; at !== none; at = words[at + 4] ?? none) look(at)
    }
  }
}
