import { liveRecordBytes } from '@saddle/contract/telemetry/frame.ts'
import { eastOf, isLogged, loggedSlot, northOf, type Table } from './table.ts'
import { leafShift, rootShift, type Tree } from './tree.ts'

export const recordWords = liveRecordBytes / 4
const none = -1
/** The reach of a vehicle that was on no map. */
const nowhere = 0xffff

/**
 * What changed between two ticks, encoded once for all clients: the records as frames carry them, those of a cell
 * contiguous, and cells in the order of the tree. A client that sees a whole cell gets one range of memory, however many
 * vehicles moved in it, and changes elsewhere cost it nothing.
 */
export type Changes = {
  /** It holds all changes after sequence `from` up to sequence `to`. */
  from: number
  to: number
  records: Records
  /** By node: its range of the records, valid where its mark is the current one. */
  nodes: { first: Int32Array; end: Int32Array; mark: Uint32Array }
  mark: number
  /** Vehicles that left their cell, four numbers each: slot, and their previous position and reach. */
  left: Int32Array
  leftCount: number
  /** Memory for the slots that changed, and a bit for each of them. */
  slots: Int32Array
  bits: Uint32Array
  /** By slot: where the vehicle was at `to`. */
  told: { lat: Int32Array; lng: Int32Array; reach: Uint16Array }
}

type Records = {
  words: Uint32Array
  /** The same memory. */
  signed: Int32Array
  slots: Int32Array
  /** Where the vehicle was before, if it was in the same cell; otherwise -1. */
  beforeX: Int32Array
  beforeY: Int32Array
}

function createRecords(count: number): Records {
  const words = new Uint32Array(count * recordWords)
  const signed = new Int32Array(words.buffer)
  const [slots, beforeX, beforeY] = [new Int32Array(count), new Int32Array(count), new Int32Array(count)]
  return { words, signed, slots, beforeX, beforeY }
}

const createNodes = (size: number): Changes['nodes'] => ({
  first: new Int32Array(size),
  end: new Int32Array(size),
  mark: new Uint32Array(size),
})

const createTold = (size: number): Changes['told'] => ({
  lat: new Int32Array(size),
  lng: new Int32Array(size),
  reach: new Uint16Array(size).fill(nowhere),
})

export function createChanges(): Changes {
  return {
    from: -1,
    to: 0,
    records: createRecords(0),
    nodes: createNodes(0),
    mark: 0,
    left: new Int32Array(1_024),
    leftCount: 0,
    slots: new Int32Array(0),
    bits: new Uint32Array(0),
    told: createTold(0),
  }
}

/** Whether it covers all changes since a moment, and nothing has changed after it. */
export const tellsAll = ({ from, to }: Changes, table: Table, since: number): boolean =>
  from === since && to === table.sequence

/** Collects what changed since the last time. */
export function gather(table: Table, changes: Changes): void {
  makeRoom(table, changes)
  changes.leftCount = 0
  changes.mark += 1
  let slots = changes.slots.subarray(0, 0)
  if (isLogged(table, changes.to)) {
    changes.from = changes.to
    slots = changedSlots(table, changes)
  } else {
    // More than the log keeps: a client that was up to date then has to compare everything.
    changes.from = table.sequence
    tellAnew(table, changes)
  }
  changes.to = table.sequence
  const count = markCells(table.tree, changes, slots)
  if (changes.records.beforeX.length < count) changes.records = createRecords(Math.ceil(count * 1.5))
  let at = 0
  for (const node of table.tree.roots) {
    if (isMarked(changes, node)) at = layOut(table.tree, changes, { node, shift: rootShift, at })
  }
  for (const slot of slots) noteRecord(table, changes, slot)
}

export const isMarked = ({ nodes, mark }: Pick<Changes, 'nodes' | 'mark'>, node: number): boolean =>
  node !== none && nodes.mark[node] === mark

function makeRoom({ columns, tree }: Table, changes: Changes): void {
  if (changes.told.lat.length < columns.id.length) {
    const told = createTold(columns.id.length)
    for (const name of ['lat', 'lng', 'reach'] as const) told[name].set(changes.told[name])
    changes.told = told
    changes.slots = new Int32Array(columns.id.length)
    changes.bits = new Uint32Array((columns.id.length + 31) >>> 5)
  }
  if (changes.nodes.first.length >= tree.nodes.parent.length) return
  changes.nodes = createNodes(tree.nodes.parent.length)
  changes.mark = 0
}

function tellAnew({ columns, tree, count }: Table, { told }: Changes): void {
  told.lat.set(columns.lat)
  told.lng.set(columns.lng)
  for (let slot = 0; slot < count; slot += 1) {
    told.reach[slot] = tree.leaf[slot] === none ? nowhere : (columns.reach[slot] ?? nowhere)
  }
}

/** Each slot once and in memory order, so that the columns are read sequentially. */
function changedSlots(table: Table, { from, slots, bits }: Changes): Int32Array {
  for (let at = from + 1; at <= table.sequence; at += 1) {
    const slot = loggedSlot(table, at)
    bits[slot >>> 5] = (bits[slot >>> 5] ?? 0) | (1 << (slot & 31))
  }
  let count = 0
  for (let word = 0; word < bits.length; word += 1) {
    for (let left = bits[word] ?? 0; left !== 0; left &= left - 1) {
      slots[count] = word * 32 + 31 - Math.clz32(left & -left)
      count += 1
    }
    bits[word] = 0
  }
  return slots.subarray(0, count)
}

/** Marks the cells of these vehicles and all enclosing cells; a leaf's end holds its number of vehicles for now. */
function markCells(tree: Tree, { nodes, mark }: Changes, slots: Int32Array): number {
  let count = 0
  for (const slot of slots) {
    const leaf = tree.leaf[slot] ?? none
    if (leaf === none) continue
    count += 1
    if (nodes.mark[leaf] !== mark) nodes.end[leaf] = 0
    nodes.end[leaf] = (nodes.end[leaf] ?? 0) + 1
    for (let node = leaf; node !== none && nodes.mark[node] !== mark; node = tree.nodes.parent[node] ?? none) {
      nodes.mark[node] = mark
    }
  }
  return count
}

type Laying = { readonly node: number; readonly shift: number; readonly at: number }

/** Gives a marked cell its range of the records and returns its end; the end of a leaf starts at its beginning. */
function layOut(tree: Tree, changes: Changes, { node, shift, at }: Laying): number {
  const { nodes } = changes
  nodes.first[node] = at
  if (shift === leafShift) {
    const count = nodes.end[node] ?? 0
    nodes.end[node] = at
    return at + count
  }
  let end = at
  for (let index = 0; index < 4; index += 1) {
    const child = tree.nodes.child[node * 4 + index] ?? none
    if (isMarked(changes, child)) end = layOut(tree, changes, { node: child, shift: shift - 1, at: end })
  }
  nodes.end[node] = end
  return end
}

function noteRecord({ columns, tree }: Table, changes: Changes, slot: number): void {
  const { nodes, records, told } = changes
  const leaf = tree.leaf[slot] ?? none
  const reach = leaf === none ? nowhere : (columns.reach[slot] ?? nowhere)
  const lat = columns.lat[slot] ?? 0
  const lng = columns.lng[slot] ?? 0
  const beforeX = eastOf(told.lng[slot] ?? 0)
  const beforeY = northOf(told.lat[slot] ?? 0)
  const beforeReach = told.reach[slot] ?? nowhere
  const moved = ((beforeX ^ eastOf(lng)) | (beforeY ^ northOf(lat))) >>> leafShift
  const stayed = beforeReach === reach && moved === 0
  if (!stayed && beforeReach !== nowhere) noteLeft(changes, slot, { x: beforeX, y: beforeY, reach: beforeReach })
  told.lat[slot] = lat
  told.lng[slot] = lng
  told.reach[slot] = reach
  if (leaf === none) return
  const at = nodes.end[leaf] ?? 0
  nodes.end[leaf] = at + 1
  records.beforeX[at] = stayed ? beforeX : none
  records.beforeY[at] = stayed ? beforeY : none
  records.slots[at] = slot
  records.words[at * recordWords] = columns.id[slot] ?? 0
  records.signed[at * recordWords + 1] = lng
  records.signed[at * recordWords + 2] = lat
  records.words[at * recordWords + 3] = columns.status[slot] ?? 0
}

export const leftWords = 4

function noteLeft(changes: Changes, slot: number, before: { x: number; y: number; reach: number }): void {
  const at = changes.leftCount * leftWords
  if (at === changes.left.length) {
    const wider = new Int32Array(at * 2)
    wider.set(changes.left)
    changes.left = wider
  }
  const { left } = changes
  left[at] = slot
  left[at + 1] = before.x
  left[at + 2] = before.y
  left[at + 3] = before.reach
  changes.leftCount += 1
}
