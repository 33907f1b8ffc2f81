/** The reach of a vehicle that was on no map. */
export const nowhere = 0xffff
/** Of a vehicle that changed, four numbers: where it was at the last tick (x, y, reach), and its id, which frames carry. */
export const beforeWords = 4

/** The vehicles that changed since the last tick, each once. */
export type News = {
  /** In the order of their first change. */
  slots: Int32Array
  count: number
  /** A bit for each slot that is among them. */
  bits: Uint32Array
  /** By slot, `beforeWords` numbers each. */
  before: Int32Array
  /** Those that were put into another cell or taken off the map; some of them more than once. */
  crossed: Int32Array
  crossedCount: number
}

const createNewsMemory = (size: number) => ({
  slots: new Int32Array(size),
  bits: new Uint32Array((size + 31) >>> 5),
  before: new Int32Array(size * beforeWords),
})

export const createNews = (size: number): News => ({
  ...createNewsMemory(size),
  count: 0,
  crossed: new Int32Array(1_024),
  crossedCount: 0,
})

/** Makes room for vehicles up to this slot. */
export function widenNews(news: News, size: number): void {
  const wider = createNewsMemory(size)
  for (const name of ['slots', 'bits', 'before'] as const) wider[name].set(news[name])
  Object.assign(news, wider)
}

export const isNews = ({ bits }: News, slot: number): boolean => ((bits[slot >>> 5] ?? 0) & (1 << (slot & 31))) !== 0

type Before = { readonly id: number; readonly x: number; readonly y: number; readonly reach: number }

/** Notes that a vehicle is about to change, and where it is. */
export function noteNews(news: News, slot: number, at: Before): void {
  if (isNews(news, slot)) return
  news.bits[slot >>> 5] = (news.bits[slot >>> 5] ?? 0) | (1 << (slot & 31))
  news.slots[news.count] = slot
  news.count += 1
  news.before[slot * beforeWords] = at.x
  news.before[slot * beforeWords + 1] = at.y
  news.before[slot * beforeWords + 2] = at.reach
  news.before[slot * beforeWords + 3] = at.id
}

/** Notes that a vehicle leaves its cell. */
export function noteCrossing(news: News, slot: number): void {
  if (news.crossedCount === news.crossed.length) {
    const wider = new Int32Array(news.crossed.length * 2)
    wider.set(news.crossed)
    news.crossed = wider
  }
  news.crossed[news.crossedCount] = slot
  news.crossedCount += 1
}

/** Forgets them all; where they were is known until they change again. */
export function clearNews(news: News): void {
  news.count = 0
  news.crossedCount = 0
  news.bits.fill(0)
}
