import { eastOf, northOf } from './earth.ts'
import { patchShift } from './tree.ts'

/** The reach of a vehicle that is on no map. */
export const nowhere = 0xffff
/**
 * Of a vehicle that changed, eight numbers: its record as frames carry it (id, lng, lat, status), where it was at the last
 * tick (x, y), the reach then in the upper half of a number and the one now in the lower, and its slot.
 */
export const newsWords = 8
const nowhereEver = 0xffff_ffff
/** Of a vehicle that left its cell, four numbers: its slot, and where it was in the cell (x, y, reach). */
export const crossedWords = 4
/** Who moved no further than this, 114 m to the north, is looked for near where it was. */
export const nearby = 1_024

/** So many vehicles of one patch lie one behind the other. */
const blockShift = 4
export const blockSize = 1 << blockShift
const none = -1
export const homeWords = 4
/** Patches are found by squares of the world, 64 by 64 of them, which then repeat. */
export const squaresAcross = 64
export const squareOf = (column: number, row: number): number =>
  ((row & (squaresAcross - 1)) * squaresAcross) | (column & (squaresAcross - 1))
/** Holds the vehicles that were taken off the map. */
const gonePatch = 0

/**
 * The vehicles that changed since the last tick, each once, by the patch of the world where they are now: a cell of the tree
 * of `patchShift`.
 */
export type News = {
  /** In blocks, `newsWords` numbers each. */
  words: Uint32Array
  /** By block: its patch, and the patch's next block or -1. */
  patchOf: Int32Array
  next: Int32Array
  blocks: number
  /** By patch: its first block, and the place after its last vehicle. */
  heads: Int32Array
  ends: Int32Array
  patches: number
  /** Of each patch: its column and row of the world, its reach, and the next one of its square counted from `firstPatch`. */
  homes: Int32Array
  /** By square: its latest patch counted from `firstPatch`, if not less than that. */
  squares: Int32Array
  /** By node of the tree: its patch counted from `firstPatch`, if not less than that. */
  patchAt: Uint32Array
  firstPatch: number
  /** By slot: the vehicle's place counted from `first`, if not less than that. */
  places: Uint32Array
  first: number
  /** The places of those that were seen far from where they were at the last tick. */
  far: Int32Array
  farCount: number
  /** Those that were put into another cell or taken off the map, `crossedWords` numbers each; some more than once. */
  crossed: Int32Array
  crossedCount: number
}

export function createNews(size: number): News {
  const numbers = (): Int32Array => new Int32Array(1_024)
  return {
    words: new Uint32Array(1_024 * newsWords),
    patchOf: numbers(),
    next: numbers(),
    blocks: 0,
    heads: numbers().fill(none),
    ends: numbers(),
    patches: 1,
    homes: new Int32Array(1_024 * homeWords),
    squares: new Int32Array(squaresAcross * squaresAcross),
    patchAt: new Uint32Array(1_024),
    firstPatch: 1,
    places: new Uint32Array(size),
    first: 1,
    far: numbers(),
    farCount: 0,
    crossed: numbers(),
    crossedCount: 0,
  }
}

function wider<T extends Int32Array | Uint32Array>(numbers: T, wanted: number): T {
  if (wanted <= numbers.length) return numbers
  const next = new (numbers.constructor as new (size: number) => T)(Math.max(wanted, numbers.length * 2))
  next.set(numbers)
  return next
}

/** Makes room for vehicles up to this slot. */
export function widenNews(news: News, size: number): void {
  news.places = wider(news.places, size)
}

type Place = { readonly x: number; readonly y: number; readonly reach: number }
type Before = Place & { readonly id: number }
type Now = {
  readonly lng: number
  readonly lat: number
  readonly status: number
  readonly reach: number
  /** The cell of the tree that is its patch. */
  readonly node: number
}

/** Notes that a vehicle changed: where it was until now, and what it is. */
export function noteNews(news: News, slot: number, before: Before, now: Now): void {
  const place = placeFor(news, slot, before, patchFor(news, now))
  const { words } = news
  const at = place * newsWords
  words[at + 1] = now.lng
  words[at + 2] = now.lat
  words[at + 3] = now.status
  const reaches = ((words[at + 6] ?? 0) & 0xffff_0000) | now.reach
  words[at + 6] = reaches
  const [x, y] = [eastOf(now.lng), northOf(now.lat)]
  if (reaches >>> 16 !== nowhere && !isNear(reaches, x - (words[at + 4] ?? 0), y - (words[at + 5] ?? 0))) {
    noteFar(news, place)
  }
}

/** Notes that a vehicle was taken off the map, and where it was. */
export function noteGone(news: News, slot: number, before: Before): void {
  const place = placeFor(news, slot, before, gonePatch)
  if ((news.words[place * newsWords + 6] ?? 0) >>> 16 !== nowhere) noteFar(news, place)
}

/** Whether a vehicle of these reaches that made this step is looked for near where it was. */
export const isNear = (reaches: number, x: number, y: number): boolean =>
  reaches >>> 16 === (reaches & 0xffff) && x <= nearby && x >= -nearby && y <= nearby && y >= -nearby

function noteFar(news: News, place: number): void {
  news.far = wider(news.far, news.farCount + 1)
  news.far[news.farCount] = place
  news.farCount += 1
}

/** The patch of a vehicle that is here now. */
function patchFor(news: News, { node, lng, lat, reach }: Now): number {
  const column = eastOf(lng) >>> patchShift
  const row = northOf(lat) >>> patchShift
  const known = (news.patchAt[node] ?? 0) - news.firstPatch
  const { homes } = news
  const at = known * homeWords
  // A cell of the tree may have been freed since and be another one now.
  if (known >= 0 && homes[at] === column && homes[at + 1] === row && homes[at + 2] === reach) return known
  const patch = addPatch(news, { column, row, reach })
  news.patchAt = wider(news.patchAt, node + 1)
  news.patchAt[node] = news.firstPatch + patch
  return patch
}

function addPatch(
  news: News,
  { column, row, reach }: { readonly column: number; readonly row: number; readonly reach: number },
): number {
  const patch = news.patches
  news.patches += 1
  news.heads = wider(news.heads, patch + 1)
  news.ends = wider(news.ends, patch + 1)
  news.homes = wider(news.homes, (patch + 1) * homeWords)
  news.heads[patch] = none
  const at = patch * homeWords
  const square = squareOf(column, row)
  news.homes[at] = column
  news.homes[at + 1] = row
  news.homes[at + 2] = reach
  news.homes[at + 3] = news.squares[square] ?? 0
  news.squares[square] = news.firstPatch + patch
  return patch
}

/** The vehicle's place in this patch, with where it was at the last tick. */
function placeFor(news: News, slot: number, before: Before, patch: number): number {
  const known = (news.places[slot] ?? 0) - news.first
  if (known >= 0 && news.patchOf[known >>> blockShift] === patch) return known
  const place = append(news, patch)
  news.places[slot] = news.first + place
  const { words } = news
  const at = place * newsWords
  words[at + 7] = slot
  if (known < 0) {
    words[at] = before.id
    words[at + 4] = before.x
    words[at + 5] = before.y
    words[at + 6] = (before.reach << 16) | nowhere
    return place
  }
  const from = known * newsWords
  words[at] = words[from] ?? 0
  words[at + 4] = words[from + 4] ?? 0
  words[at + 5] = words[from + 5] ?? 0
  words[at + 6] = (words[from + 6] ?? 0) | nowhere
  words[from + 6] = nowhereEver
  return place
}

function append(news: News, patch: number): number {
  const head = news.heads[patch] ?? none
  const end = news.ends[patch] ?? 0
  if (head !== none && (end & (blockSize - 1)) !== 0) {
    news.ends[patch] = end + 1
    return end
  }
  const block = news.blocks
  news.blocks += 1
  if (block >= news.next.length) {
    news.next = wider(news.next, block + 1)
    news.patchOf = wider(news.patchOf, block + 1)
  }
  news.words = wider(news.words, (block + 1) * blockSize * newsWords)
  news.next[block] = none
  news.patchOf[block] = patch
  if (head === none) news.heads[patch] = block
  else news.next[(end - 1) >>> blockShift] = block
  news.ends[patch] = block * blockSize + 1
  return block * blockSize
}

/** Notes that a vehicle leaves its cell. */
export function noteCrossing(news: News, slot: number, { x, y, reach }: Place): void {
  const at = news.crossedCount * crossedWords
  news.crossed = wider(news.crossed, at + crossedWords)
  news.crossed[at] = slot
  news.crossed[at + 1] = x
  news.crossed[at + 2] = y
  news.crossed[at + 3] = reach
  news.crossedCount += 1
}

const mostPlaces = 2 ** 31

/**
 * Begins anew. What was noted can be read until the next change; false: it cannot, because places are counted from the
 * beginning again.
 */
export function clearNews(news: News): boolean {
  news.first += news.blocks * blockSize
  news.firstPatch += news.patches
  news.blocks = 0
  news.patches = 1
  news.heads[gonePatch] = none
  news.farCount = 0
  news.crossedCount = 0
  if (news.first < mostPlaces) return true
  news.places.fill(0)
  news.patchAt.fill(0)
  news.squares.fill(0)
  news.first = 1
  news.firstPatch = 1
  return false
}
