import { clusterRecordBytes } from '@saddle/contract/telemetry/frame.ts'
import { eachCrossing, tellsAll, type Changes, type Crossing } from './changes.ts'
import type { Lens } from './query.ts'
import { eastOf, northOf } from './earth.ts'
import { type Table } from './table.ts'
import { rootShift, type Box, type Tree } from './tree.ts'

export const clusterWords = clusterRecordBytes / 4
const none = -1
/** A cluster whose centre moved less than this share of its cell is not told again. */
export const stillShare = 1 / 16

/**
 * The clusters of one size for all clients that may see the same, as these clients were told of them. What there is to tell
 * since the last tick is found once for all of them, in the order of rows and columns, so that a client copies a range for
 * each row of its view.
 */
export type ClusterLayer = {
  readonly shift: number
  readonly reaches: Uint8Array
  /** It tells what changed after sequence `from` up to sequence `to`. */
  from: number
  to: number
  /** The mark of the changes when a client last asked. */
  usedAt: number
  readonly cells: Cells
  readonly told: ClusterNews
  readonly gone: ClusterNews
}

type Cells = {
  /** By key: the place of its record. */
  readonly places: Map<number, number>
  readonly free: number[]
  words: Int32Array
  /** By place: the round in which it was looked at last, and by how many vehicles it grew. */
  round: Uint32Array
  grown: Int32Array
  now: number
}

/** Cells in the order of their keys. */
export type ClusterNews = {
  count: number
  /** Key and place in one number each, so that they are sorted together. */
  sorted: Float64Array
  keys: Uint32Array
  words: Int32Array
  /** By how many vehicles all cells before this one grew together. */
  grown: Int32Array
  /** The rows that have cells: their number from the south, and where their cells begin. The last one's end follows. */
  rowCount: number
  rows: Int32Array
  starts: Int32Array
}

const placesMax = 2 ** 20

const createNews = (size: number): ClusterNews => ({
  count: 0,
  sorted: new Float64Array(size),
  keys: new Uint32Array(size),
  words: new Int32Array(size * clusterWords),
  grown: new Int32Array(size + 1),
  rowCount: 0,
  rows: new Int32Array(size),
  starts: new Int32Array(size + 1),
})

const createCellMemory = (size: number) => ({
  words: new Int32Array(size * clusterWords),
  round: new Uint32Array(size),
  grown: new Int32Array(size),
})

const firstSize = 256

const createLayer = (shift: number, reaches: Uint8Array): ClusterLayer => ({
  shift,
  reaches,
  from: -1,
  to: -1,
  usedAt: 0,
  cells: { places: new Map(), free: [], ...createCellMemory(firstSize), now: 0 },
  told: createNews(firstSize),
  gone: createNews(firstSize),
})

export const layerKey = (shift: number, { reaches }: Lens): string => `${shift}/${reaches.join('')}`

export type ClusterLayers = Map<string, ClusterLayer>
/** Layers that no client has asked for in so many ticks are forgotten. */
const forgottenAfter = 20

export function forgetLayers(layers: ClusterLayers, { mark }: Changes): void {
  for (const [key, { usedAt }] of layers) if (mark - usedAt > forgottenAfter) layers.delete(key)
}

/** The layer of a key, brought up to date; null while the changes do not tell all, and a client has to look for itself. */
export function layerAt(
  { table, changes, layers }: { readonly table: Table; readonly changes: Changes; readonly layers: ClusterLayers },
  { key, shift, lens }: { readonly key: string; readonly shift: number; readonly lens: Lens },
): ClusterLayer | null {
  if (changes.to !== table.sequence) return null
  let layer = layers.get(key)
  if (layer === undefined) {
    layer = createLayer(shift, lens.reaches)
    layers.set(key, layer)
  }
  layer.usedAt = changes.mark
  if (layer.to !== table.sequence) bringUpToDate(table, changes, layer)
  return layer
}

function bringUpToDate(table: Table, changes: Changes, layer: ClusterLayer): void {
  const { cells, told, gone } = layer
  const isNext = tellsAll(changes, table, layer.to)
  layer.from = isNext ? layer.to : table.sequence
  layer.to = table.sequence
  cells.now += 1
  told.count = 0
  gone.count = 0
  if (!isNext) {
    cells.places.clear()
    cells.free.length = 0
  }
  visitCells(table.tree, layer, isNext ? changes : null)
  if (isNext) visitLeft(table, changes, layer)
  // Whoever follows a layer that was made anew does not know what it was told.
  else told.count = 0
  sortNews(told, layer)
  sortNews(gone, layer)
}

/** The nodes of one cell in the trees of several reaches, one cell's behind the other's. */
let nodeStack = new Int32Array(4_096)
const sum = new Float64Array(6)

/** Looks at the cells of the layer's size in which something changed, or at all of them. */
function visitCells(tree: Tree, layer: ClusterLayer, changes: Changes | null): void {
  const { nodes, roots } = tree
  const { reaches, shift } = layer
  const isWanted = (node: number): boolean => changes === null || nodes.mark[node] === changes.mark
  const visit = (level: number, x: number, y: number, range: { first: number; end: number }): void => {
    const { first, end } = range
    let isDue = false
    for (let at = first; at < end && !isDue; at += 1) isDue = isWanted(nodeStack[at] ?? none)
    if (!isDue) return
    if (level === shift) {
      sum.fill(0)
      for (let at = first; at < end; at += 1) addNode(tree, nodeStack[at] ?? 0)
      noteCell(layer, keyOf(shift, x, y))
      return
    }
    const half = 2 ** (level - 1)
    for (let quarter = 0; quarter < 4; quarter += 1) {
      let top = end
      for (let at = first; at < end; at += 1) {
        const child = nodes.child[(nodeStack[at] ?? 0) * 4 + quarter] ?? none
        if (child === none) continue
        pushNode(top, child)
        top += 1
      }
      const [east, north] = [(quarter & 1) * half, (quarter >>> 1) * half]
      if (top > end) visit(level - 1, x + east, y + north, { first: end, end: top })
    }
  }
  let end = 0
  for (const [reach, root] of roots.entries()) {
    if (root === undefined || root === none || reaches[reach] !== 1) continue
    pushNode(end, root)
    end += 1
  }
  visit(rootShift, 0, 0, { first: 0, end })
}

function pushNode(at: number, node: number): void {
  if (at === nodeStack.length) {
    const wider = new Int32Array(at * 2)
    wider.set(nodeStack)
    nodeStack = wider
  }
  nodeStack[at] = node
}

function addNode({ nodes }: Tree, node: number): void {
  sum[0] = (sum[0] ?? 0) + (nodes.sumX[node] ?? 0)
  sum[1] = (sum[1] ?? 0) + (nodes.sumY[node] ?? 0)
  sum[2] = (sum[2] ?? 0) + (nodes.count[node] ?? 0)
  sum[3] = (sum[3] ?? 0) + (nodes.available[node] ?? 0)
  sum[4] = (sum[4] ?? 0) + (nodes.low[node] ?? 0)
  sum[5] = (sum[5] ?? 0) + (nodes.alarm[node] ?? 0)
}

const columnsOf = (shift: number): number => 2 ** (rootShift - shift)
const keyOf = (shift: number, x: number, y: number): number => (y >>> shift) * columnsOf(shift) + (x >>> shift)

/** Looks at cells that vehicles have left: no vehicle that is still in them need have changed. */
function visitLeft(table: Table, changes: Changes, layer: ClusterLayer): void {
  const { columns, tree } = table
  const { cells, reaches, shift } = layer
  const visit = ({ slot, x, y }: Crossing): void => {
    const key = keyOf(shift, x, y)
    const isHere = tree.leaf[slot] !== none && reaches[columns.reach[slot] ?? 0] === 1
    if (isHere && keyOf(shift, eastOf(columns.lng[slot] ?? 0), northOf(columns.lat[slot] ?? 0)) === key) return
    const place = cells.places.get(key)
    if (place === undefined || cells.round[place] === cells.now) return
    sum.fill(0)
    for (const [reach, root] of tree.roots.entries()) {
      if (reaches[reach] !== 1) continue
      let node = root ?? none
      for (let level = rootShift - 1; node !== none && level >= shift; level -= 1) {
        node = tree.nodes.child[node * 4 + (((x >>> level) & 1) | (((y >>> level) & 1) << 1))] ?? none
      }
      if (node !== none) addNode(tree, node)
    }
    if (sum[2] === 0) dropCell(layer, key, place)
    else noteCell(layer, key)
  }
  eachCrossing(table, changes, { reaches, visit })
}

/** Takes over the sum of a cell, and notes it for the clients when it is news. */
function noteCell({ cells, told, shift }: ClusterLayer, key: number): void {
  const known = cells.places.get(key)
  const place = known ?? takePlace(cells, key)
  cells.round[place] = cells.now
  const { words } = cells
  const at = place * clusterWords
  const count = sum[2] ?? 0
  const available = sum[3] ?? 0
  const low = sum[4] ?? 0
  const alarm = sum[5] ?? 0
  const lng = Math.round((sum[0] ?? 0) / count) - 180_000_000
  const lat = Math.round((sum[1] ?? 0) / count) - 90_000_000
  const still = 2 ** shift * stillShare
  const isOld =
    known !== undefined &&
    words[at + 3] === count &&
    words[at + 4] === available &&
    words[at + 5] === low &&
    words[at + 6] === alarm &&
    Math.abs((words[at + 1] ?? 0) - lng) <= still &&
    Math.abs((words[at + 2] ?? 0) - lat) <= still
  if (isOld) return
  cells.grown[place] = known === undefined ? count : count - (words[at + 3] ?? 0)
  words[at] = key
  words[at + 1] = lng
  words[at + 2] = lat
  words[at + 3] = count
  words[at + 4] = available
  words[at + 5] = low
  words[at + 6] = alarm
  addNews(told, key, place)
}

function takePlace(cells: Cells, key: number): number {
  // Without freed places they are all in use, one behind the other.
  const place = cells.free.pop() ?? cells.places.size
  if (place >= placesMax) throw new RangeError('too many cells for a layer of clusters')
  if (place >= cells.round.length) {
    const wider = createCellMemory(cells.round.length * 2)
    for (const name of ['words', 'round', 'grown'] as const) wider[name].set(cells[name])
    Object.assign(cells, wider)
  }
  cells.places.set(key, place)
  return place
}

function dropCell({ cells, gone }: ClusterLayer, key: number, place: number): void {
  cells.round[place] = cells.now
  cells.grown[place] = -(cells.words[place * clusterWords + 3] ?? 0)
  cells.places.delete(key)
  cells.free.push(place)
  addNews(gone, key, place)
}

function addNews(news: ClusterNews, key: number, place: number): void {
  if (news.count === news.sorted.length) {
    const wider = createNews(news.count * 2)
    wider.sorted.set(news.sorted)
    Object.assign(news, wider, { count: news.count })
  }
  news.sorted[news.count] = key * placesMax + place
  news.count += 1
}

/** Puts keys, records and growth in the order of the keys, and notes where the rows begin. */
function sortNews(news: ClusterNews, { cells, shift }: ClusterLayer): void {
  const { count, sorted, keys, rows, starts } = news
  const columns = columnsOf(shift)
  sorted.subarray(0, count).sort()
  news.rowCount = 0
  let grown = 0
  let row = none
  for (let n = 0; n < count; n += 1) {
    const both = sorted[n] ?? 0
    const place = both % placesMax
    const key = (both - place) / placesMax
    keys[n] = key
    news.grown[n] = grown
    grown += cells.grown[place] ?? 0
    for (let word = 0; word < clusterWords; word += 1) {
      news.words[n * clusterWords + word] = cells.words[place * clusterWords + word] ?? 0
    }
    const own = Math.floor(key / columns)
    if (own === row) continue
    row = own
    rows[news.rowCount] = row
    starts[news.rowCount] = n
    news.rowCount += 1
  }
  news.grown[count] = grown
  starts[news.rowCount] = count
}

/** Visits the ranges of the news that lie in a box of whole cells, row by row. */
export function eachRange(
  { shift }: ClusterLayer,
  { keys, rowCount, rows, starts }: ClusterNews,
  { box, visit }: { readonly box: Box; readonly visit: (first: number, end: number) => void },
): void {
  const columns = columnsOf(shift)
  const [west, east] = [box.west >>> shift, Math.min(columns - 1, box.east >>> shift)]
  const lastRow = box.north >>> shift
  for (let at = firstFrom(rows, 0, rowCount, box.south >>> shift); at < rowCount; at += 1) {
    const row = rows[at] ?? 0
    if (row > lastRow) return
    const rowEnd = starts[at + 1] ?? 0
    const first = firstFrom(keys, starts[at] ?? 0, rowEnd, row * columns + west)
    const end = firstFrom(keys, first, rowEnd, row * columns + east + 1)
    if (end > first) visit(first, end)
  }
}

/** The first place from which on numbers are at least so large. */
function firstFrom(numbers: Uint32Array | Int32Array, from: number, end: number, least: number): number {
  let low = from
  let high = end
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((numbers[middle] ?? 0) < least) low = middle + 1
    else high = middle
  }
  return low
}
