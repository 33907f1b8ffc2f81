import { explainedAreasMax, type AreaChange, type Factors, type Pair } from '@saddle/contract/reports/overview.ts'

const delta = ({ now, before }: Pair): number => now - before

export function sumOf(pairs: readonly Pair[]): Pair {
  return pairs.reduce<Pair>((sum, { now, before }) => ({ now: sum.now + now, before: sum.before + before }), {
    now: 0,
    before: 0,
  })
}

/** The areas that changed most, and all others together: both add up to the whole. */
export function strongestAreas(areas: readonly AreaChange[]): { areas: AreaChange[]; otherAreas: Pair } {
  const order = areas.toSorted((a, b) => Math.abs(delta(b)) - Math.abs(delta(a)) || a.areaId - b.areaId)
  return { areas: order.slice(0, explainedAreasMax), otherAreas: sumOf(order.slice(explainedAreasMax)) }
}

interface HourChange extends Pair {
  readonly hour: string
}

/** The run of hours whose changes add up to most in the direction of the whole; null where nothing has changed. */
export function strongestHours(hours: readonly HourChange[]): (Pair & { from: string; to: string }) | null {
  const sign = Math.sign(delta(sumOf(hours)))
  if (sign === 0) return null
  let best = { from: 0, to: 0, sum: Number.NEGATIVE_INFINITY }
  let [from, sum] = [0, 0]
  for (const [index, hour] of hours.entries()) {
    if (sum <= 0) [from, sum] = [index, 0]
    sum += sign * delta(hour)
    if (sum > best.sum) best = { from, to: index, sum }
  }
  const run = hours.slice(best.from, best.to + 1)
  return { from: run[0]?.hour ?? '', to: run.at(-1)?.hour ?? '', ...sumOf(run) }
}

/**
 * Divides the change of a sum into the change of how many there were and of how much each brought, each at the mean of the
 * other: the two add up to the change. Null where one of the two days has none to divide by.
 */
export function factorsOf(sum: Pair, count: Pair): Factors | null {
  if (count.now <= 0 || count.before <= 0) return null
  const second = { now: sum.now / count.now, before: sum.before / count.before }
  const byFirst = (delta(count) * (second.now + second.before)) / 2
  return { first: { now: count.now, before: count.before }, byFirst, second, bySecond: delta(sum) - byFirst }
}
