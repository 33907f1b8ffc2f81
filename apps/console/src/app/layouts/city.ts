/** Shapes of the drawn city behind the login pages, generated from a fixed seed. */

export interface District {
  readonly angleDeg: number
  readonly streets: string
  readonly avenues: string
  readonly blocks: string
  /** Crossings of streets, in the district's own turned coordinates. */
  readonly crossings: readonly (readonly [number, number])[]
}

export const river = 'M-60 690C170 640 300 560 450 566S700 660 840 560S1060 250 1260 236'
export const northClip = `${river}V-60H-60Z`
export const southClip = `${river}V1060H-60Z`

/** Long roads that cross everything; some vehicles travel along them. */
export const arterials = [
  'M-40 250C180 300 330 260 520 330S860 460 1240 400',
  'M300 -40C330 160 360 300 352 470S420 800 400 1040',
  'M760 -40C720 150 700 320 712 520S840 820 820 1040',
  'M-40 870C200 820 420 830 640 800S1000 690 1240 740',
] as const

/** Numbers between 0 and 1, the same each time (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let word = Math.imul(state ^ (state >>> 15), 1 | state)
    word = (word + Math.imul(word ^ (word >>> 7), 61 | word)) ^ word
    return ((word ^ (word >>> 14)) >>> 0) / 4_294_967_296
  }
}

interface DistrictOptions {
  readonly seed: number
  readonly angleDeg: number
  /** Typical distance of two streets. */
  readonly pitch: number
}

const from = -420
const to = 1_620

export function makeDistrict({ seed, angleDeg, pitch }: DistrictOptions): District {
  const random = seeded(seed)
  const spread = (): number[] => {
    const places: number[] = []
    for (let at = from; at < to; at += pitch * (0.72 + random() * 0.66)) places.push(Math.round(at))
    return places
  }
  const columns = spread()
  const rows = spread()
  const line = (across: boolean, at: number): string => (across ? `M${from} ${at}H${to}` : `M${at} ${from}V${to}`)
  const isAvenue = (_: number, index: number): boolean => index % 5 === 2
  const isStreet = (_: number, index: number): boolean => index % 5 !== 2
  const draw = (keep: (at: number, index: number) => boolean): string =>
    columns
      .filter(keep)
      .map((at) => line(false, at))
      .join('') +
    rows
      .filter(keep)
      .map((at) => line(true, at))
      .join('')
  return {
    angleDeg,
    streets: draw(isStreet),
    avenues: draw(isAvenue),
    blocks: blocksOf(columns, rows, random),
    crossings: rows.flatMap((y, row) =>
      columns.filter((_, column) => (row + column) % 3 === 0).map((x) => [x, y] as const),
    ),
  }
}

/** Buildings in some of the blocks. */
function blocksOf(columns: readonly number[], rows: readonly number[], random: () => number): string {
  const inset = 7
  let path = ''
  for (const [row, top] of rows.entries()) {
    const bottom = rows[row + 1]
    if (bottom === undefined) break
    for (const [column, left] of columns.entries()) {
      const right = columns[column + 1]
      if (right === undefined || random() > 0.62) continue
      const width = right - left - inset * 2
      const height = bottom - top - inset * 2
      const part = 0.45 + random() * 0.55
      path +=
        random() > 0.5
          ? rectangle(left + inset, top + inset, width * part, height)
          : rectangle(left + inset, top + inset, width, height * part)
    }
  }
  return path
}

function rectangle(x: number, y: number, width: number, height: number): string {
  return `M${Math.round(x)} ${Math.round(y)}h${Math.round(width)}v${Math.round(height)}h${-Math.round(width)}z`
}
