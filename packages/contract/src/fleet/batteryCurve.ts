/** The curve of a battery pack: which voltage at rest means how many per cent. Both sides draw and read it. */

export interface CurvePoint {
  readonly voltageV: number
  readonly percent: number
}

const curvePointsMin = 2
export const curvePointsMax = 50
export const curveVoltageMaxV = 200

const curveFaults = ['few', 'many', 'number', 'start', 'end', 'order'] as const
type CurveFault = (typeof curveFaults)[number]
export const curveFaultLabels: Readonly<Record<CurveFault, string>> = {
  few: '曲线至少要有两个点',
  many: '曲线最多 50 个点',
  number: '电压为 1 至 200 伏、最多两位小数，电量为 0 至 100 的整数',
  start: '第一个点的电量须为 0%',
  end: '最后一个点的电量须为 100%',
  order: '电压与电量都须逐点升高',
}

const isPoint = ({ voltageV, percent }: CurvePoint): boolean =>
  voltageV >= 1 &&
  voltageV <= curveVoltageMaxV &&
  Math.abs(Math.round(voltageV * 100) - voltageV * 100) < 1e-6 &&
  Number.isInteger(percent) &&
  percent >= 0 &&
  percent <= 100

/** What is wrong with a curve, and at which of its points; null: nothing. */
export function faultOfCurve(
  points: readonly CurvePoint[],
): { readonly fault: CurveFault; readonly at: number } | null {
  if (points.length > curvePointsMax) return { fault: 'many', at: curvePointsMax }
  const wrong = points.findIndex((point) => !isPoint(point))
  if (wrong !== -1) return { fault: 'number', at: wrong }
  const [first, last] = [points[0], points.at(-1)]
  if (first === undefined || last === undefined || points.length < curvePointsMin) return { fault: 'few', at: 0 }
  if (first.percent !== 0) return { fault: 'start', at: 0 }
  const fallen = points.findIndex((point, index) => {
    const before = points[index - 1]
    return before !== undefined && (point.voltageV <= before.voltageV || point.percent <= before.percent)
  })
  if (fallen !== -1) return { fault: 'order', at: fallen }
  return last.percent === 100 ? null : { fault: 'end', at: points.length - 1 }
}

/** The per cent at a voltage: straight lines between the points, flat beyond the first and the last. */
export function percentAt(points: readonly CurvePoint[], voltageV: number): number {
  const above = points.findIndex((point) => point.voltageV >= voltageV)
  if (above === -1) return points.at(-1)?.percent ?? 0
  const [low, high] = [points[above - 1], points[above]]
  if (low === undefined || high === undefined) return high?.percent ?? 0
  const share = (voltageV - low.voltageV) / (high.voltageV - low.voltageV)
  return low.percent + share * (high.percent - low.percent)
}

/** A reading below or above these shares of the curve's ends is not of this pack: some locks report their own cell. */
const packShares = { least: 0.7, most: 1.15 } as const

export function isOfPack(points: readonly CurvePoint[], voltageV: number): boolean {
  const [first, last] = [points[0], points.at(-1)]
  if (first === undefined || last === undefined) return false
  return voltageV >= first.voltageV * packShares.least && voltageV <= last.voltageV * packShares.most
}

const separator = /[,，;；\t ]+/

/**
 * Points from lines of a table, `voltage,percent`, with or without a title line, in any order; null with the number of a line
 * that is none.
 */
export function parseCurve(
  text: string,
): { readonly points: readonly CurvePoint[] } | { readonly points: null; readonly line: number } {
  const points: CurvePoint[] = []
  const lines = text.replace(/^\ufeff/, '').split(/\r?\n/)
  for (const [index, line] of lines.entries()) {
    const cells = line
      .trim()
      .split(separator)
      // A unit may stand behind its number or apart from it.
      .map((cell) => cell.replace(/%$|V$/i, ''))
      .filter((cell) => cell !== '')
    if (cells.length === 0) continue
    const [voltageV, percent] = cells.map(Number)
    if (voltageV === undefined || percent === undefined || Number.isNaN(voltageV) || Number.isNaN(percent)) {
      if (points.length === 0 && index === 0) continue
      return { points: null, line: index + 1 }
    }
    points.push({ voltageV, percent })
  }
  return { points: points.toSorted((one, other) => one.voltageV - other.voltageV) }
}

/** The curve as the lines that `parseCurve` reads. */
export const curveText = (points: readonly CurvePoint[]): string =>
  ['电压（V）,电量（%）', ...points.map(({ voltageV, percent }) => `${voltageV},${percent}`)].join('\r\n')

/** A usual pack of 13 lithium cells in a row, as a start for a new curve: 54.6 V full, 39 V empty. */
export const usualCurve: readonly CurvePoint[] = [
  { voltageV: 39, percent: 0 },
  { voltageV: 43.5, percent: 5 },
  { voltageV: 45.2, percent: 10 },
  { voltageV: 46.3, percent: 20 },
  { voltageV: 47.1, percent: 30 },
  { voltageV: 47.8, percent: 40 },
  { voltageV: 48.6, percent: 50 },
  { voltageV: 49.5, percent: 60 },
  { voltageV: 50.6, percent: 70 },
  { voltageV: 51.8, percent: 80 },
  { voltageV: 53.1, percent: 90 },
  { voltageV: 54.6, percent: 100 },
]
