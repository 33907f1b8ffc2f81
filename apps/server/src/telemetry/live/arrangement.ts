import { liveRecordBytes } from '@saddle/contract/telemetry/frame.ts'
import { blockSize, isNear, nearby, newsWords, nowhere, squareOf, squaresAcross, type News } from './news.ts'
import { eastOf, northOf } from './earth.ts'
import { patchShift, type Box } from './tree.ts'

export const recordWords = liveRecordBytes / 4
const none = -1

/** A row of a patch is 2^12 millionths of a degree high, about 455 m; its cells are half as wide. */
export const rowShift = 12
export const columnShift = 11
export const rowsOfPatch = 1 << (patchShift - rowShift)
export const columnsOfPatch = 1 << (patchShift - columnShift)
const cellsOfPatch = rowsOfPatch * columnsOfPatch
/** The records of a patch that has no more of them stay in no order. */
const fewRecords = 24

/**
 * The changed vehicles that are on the map, as frames carry them, patch by patch; those of a patch by row, then by cell from
 * west to east: what a view shows of a row is one range of memory. A patch is put in order when the first client needs it.
 */
export type Arrangement = {
  count: number
  words: Uint32Array
  /** The same memory. */
  signed: Int32Array
  /** By record: how far it came to be where it is, as `packStep` writes it. */
  steps: Int32Array
  /** By patch: its records, and where its cells are in `starts` or -1. No record: not yet in order. */
  patches: Patches
  /** Of the cells of a patch: where their records begin; and where the last one's end. */
  starts: Int32Array
  startsCount: number
  readonly far: Far
  isFarKnown: boolean
}

type Patches = { count: number; firsts: Int32Array; ends: Int32Array; cells: Int32Array }

/**
 * Vehicles that are no longer near where they were, or not on the map or in the reach. Five numbers for each: slot, its
 * previous position and reach, and the next one nearby.
 */
type Far = { words: Int32Array; count: number; heads: Int32Array }

const farWords = 5
/** Vehicles that went far are found by squares of 2^14 millionths of a degree. */
const squareShift = 14

const createPatches = (size: number): Patches => ({
  count: 0,
  firsts: new Int32Array(size),
  ends: new Int32Array(size),
  cells: new Int32Array(size),
})

function createRecords(size: number) {
  const words = new Uint32Array(size * recordWords)
  return { words, signed: new Int32Array(words.buffer), steps: new Int32Array(size) }
}

export const createArrangement = (): Arrangement => ({
  count: 0,
  ...createRecords(0),
  patches: createPatches(0),
  starts: new Int32Array(0),
  startsCount: 0,
  far: { words: new Int32Array(1_024 * farWords), count: 0, heads: new Int32Array(squaresAcross * squaresAcross) },
  isFarKnown: false,
})

/** Begins anew, with room for so many vehicles in so many patches. */
export function clearArrangement(
  arrangement: Arrangement,
  { places, patches }: { places: number; patches: number },
): void {
  arrangement.count = 0
  arrangement.startsCount = 0
  arrangement.isFarKnown = false
  if (arrangement.steps.length < places) Object.assign(arrangement, createRecords(Math.ceil(places * 1.5)))
  if (arrangement.patches.firsts.length < patches) arrangement.patches = createPatches(Math.ceil(patches * 1.5))
  arrangement.patches.count = patches
  arrangement.patches.firsts.fill(none, 0, patches)
}

/** Of one whose step is not known, because it went far or has appeared. */
export const noStep = -1
/** A step to the east and to the north in one number. */
const packStep = (x: number, y: number): number => ((x + nearby) << 12) | (y + nearby)
export const stepEast = (step: number): number => (step >>> 12) - nearby
export const stepNorth = (step: number): number => (step & 0xfff) - nearby

/** The places of a patch's vehicles that are on the map, and the cell of each; good until the next patch. */
let found = new Int32Array(1_024)
let cells = new Int32Array(1_024)
const counts = new Int32Array(cellsOfPatch)

/** Puts a patch in order unless it is. */
export function arrangePatch(news: News, arrangement: Arrangement, patch: number): void {
  const { patches } = arrangement
  if ((patches.firsts[patch] ?? 0) !== none) return
  const first = arrangement.count
  const count = readPatch(news, patch)
  patches.firsts[patch] = first
  patches.ends[patch] = first + count
  arrangement.count += count
  if (count <= fewRecords) {
    patches.cells[patch] = none
    for (let n = 0; n < count; n += 1) putRecord(news, arrangement, found[n] ?? 0, first + n)
    return
  }
  patches.cells[patch] = startCells(arrangement, first, count)
  for (let n = 0; n < count; n += 1) {
    const cell = cells[n] ?? 0
    const to = counts[cell] ?? 0
    counts[cell] = to + 1
    putRecord(news, arrangement, found[n] ?? 0, to)
  }
}

/** Finds the vehicles of a patch that are on the map, and their cells. */
function readPatch({ words, heads, ends, next }: News, patch: number): number {
  const last = ends[patch] ?? 0
  let count = 0
  for (let block = heads[patch] ?? none; block !== none; block = next[block] ?? none) {
    const start = block * blockSize
    const end = last > start && last <= start + blockSize ? last : start + blockSize
    if (count + blockSize > found.length) widenFound()
    for (let place = start; place < end; place += 1) {
      const at = place * newsWords
      if (((words[at + 6] ?? 0) & 0xffff) === nowhere) continue
      const x = eastOf((words[at + 1] ?? 0) | 0)
      const y = northOf((words[at + 2] ?? 0) | 0)
      found[count] = place
      cells[count] =
        (((y >>> rowShift) & (rowsOfPatch - 1)) << (patchShift - columnShift)) |
        ((x >>> columnShift) & (columnsOfPatch - 1))
      count += 1
    }
  }
  return count
}

function widenFound(): void {
  const [places, their] = [new Int32Array(found.length * 2), new Int32Array(found.length * 2)]
  places.set(found)
  their.set(cells)
  found = places
  cells = their
}

/** Counts the vehicles of each cell and notes where the cells begin; returns where that is noted. */
function startCells(arrangement: Arrangement, first: number, count: number): number {
  const table = arrangement.startsCount
  arrangement.startsCount += cellsOfPatch + 1
  if (arrangement.startsCount > arrangement.starts.length) {
    const wider = new Int32Array(arrangement.startsCount * 2)
    wider.set(arrangement.starts)
    arrangement.starts = wider
  }
  const { starts } = arrangement
  counts.fill(0)
  for (let n = 0; n < count; n += 1) {
    const cell = cells[n] ?? 0
    counts[cell] = (counts[cell] ?? 0) + 1
  }
  let start = first
  for (let cell = 0; cell < cellsOfPatch; cell += 1) {
    const end = start + (counts[cell] ?? 0)
    starts[table + cell] = start
    counts[cell] = start
    start = end
  }
  starts[table + cellsOfPatch] = start
  return table
}

function putRecord({ words: news }: News, { words, steps }: Arrangement, place: number, to: number): void {
  const at = place * newsWords
  const lng = news[at + 1] ?? 0
  const lat = news[at + 2] ?? 0
  words[to * recordWords] = news[at] ?? 0
  words[to * recordWords + 1] = lng
  words[to * recordWords + 2] = lat
  words[to * recordWords + 3] = news[at + 3] ?? 0
  const east = eastOf(lng | 0) - ((news[at + 4] ?? 0) | 0)
  const north = northOf(lat | 0) - ((news[at + 5] ?? 0) | 0)
  steps[to] = isNear(news[at + 6] ?? 0, east, north) ? packStep(east, north) : noStep
}

/** Finds the vehicles that went far. */
export function arrangeFar({ words, far }: News, arrangement: Arrangement, count: number): void {
  if (arrangement.isFarKnown) return
  arrangement.isFarKnown = true
  arrangement.far.count = 0
  arrangement.far.heads.fill(none)
  for (let n = 0; n < count; n += 1) {
    const at = (far[n] ?? 0) * newsWords
    const reaches = words[at + 6] ?? 0
    const [x, y] = [(words[at + 4] ?? 0) | 0, (words[at + 5] ?? 0) | 0]
    const east = eastOf((words[at + 1] ?? 0) | 0) - x
    const north = northOf((words[at + 2] ?? 0) | 0) - y
    if (reaches >>> 16 === nowhere || isNear(reaches, east, north)) continue
    noteFar(arrangement.far, { slot: words[at + 7] ?? 0, x, y, reach: reaches >>> 16 })
    // A place may be among them more than once.
    words[at + 6] = reaches | 0xffff_0000
  }
}

type Leaving = { readonly slot: number; readonly x: number; readonly y: number; readonly reach: number }

function noteFar(far: Far, { slot, x, y, reach }: Leaving): void {
  const at = far.count * farWords
  if (at === far.words.length) {
    const wider = new Int32Array(at * 2)
    wider.set(far.words)
    far.words = wider
  }
  const square = squareOf(x >>> squareShift, y >>> squareShift)
  far.words[at] = slot
  far.words[at + 1] = x
  far.words[at + 2] = y
  far.words[at + 3] = reach
  far.words[at + 4] = far.heads[square] ?? none
  far.heads[square] = at
  far.count += 1
}

/** Visits the slots of those that were in this box and these reaches, and went far. */
export function eachFarIn(
  { words, count, heads }: Far,
  { reaches, box }: { readonly reaches: Uint8Array; readonly box: Box },
  visit: (slot: number) => void,
): void {
  if (count === 0) return
  const { west, south, east, north } = box
  const look = (at: number): void => {
    const x = words[at + 1] ?? 0
    const y = words[at + 2] ?? 0
    // Outside of the box one of the four is negative.
    if (((x - west) | (east - x) | (y - south) | (north - y)) < 0) return
    if (reaches[words[at + 3] ?? 0] === 1) visit(words[at] ?? 0)
  }
  const [firstColumn, lastColumn] = [west >>> squareShift, east >>> squareShift]
  const [firstRow, lastRow] = [south >>> squareShift, north >>> squareShift]
  if (lastColumn - firstColumn >= squaresAcross || lastRow - firstRow >= squaresAcross) {
    for (let at = 0, end = count * farWords; at < end; at += farWords) look(at)
    return
  }
  for (let row = firstRow; row <= lastRow; row += 1) {
    for (let column = firstColumn; column <= lastColumn; column += 1) {
      for (let at = heads[squareOf(column, row)] ?? none; at !== none; at = words[at + 4] ?? none) look(at)
    }
  }
}
