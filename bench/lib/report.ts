/** How a figure is judged beside its reference: the ratio has to be at least, or at most, the goal. */
type Goal = { readonly atLeast: number } | { readonly atMost: number }

type Compared = {
  readonly what: string
  /** The figure and its reference as text, with units. */
  readonly figure: string
  readonly reference: string
  readonly ratio: number
  readonly goal: Goal
}

const width = 44

export const say = (text: string): void => void process.stdout.write(`${text}\n`)

/** A figure that stands alone. */
export const state = (what: string, figure: string): void => say(`${what.padEnd(width)} ${figure}`)

/** One line: a figure, what it is beside, their ratio, and whether that is what was wanted. */
export function compare({ what, figure, reference, ratio, goal }: Compared): void {
  const isMet = 'atLeast' in goal ? ratio >= goal.atLeast : ratio <= goal.atMost
  const wanted = 'atLeast' in goal ? `>= ${goal.atLeast}` : `<= ${goal.atMost}`
  const verdict = isMet ? 'met' : 'MISSED'
  say(`${what.padEnd(width)} ${figure} beside ${reference}: x ${short(ratio)} (goal ${wanted}, ${verdict})`)
}

/** One line: a figure with a goal of its own. */
export function judge(options: { what: string; figure: string; isMet: boolean; goal: string }): void {
  const { what, figure, isMet, goal } = options
  say(`${what.padEnd(width)} ${figure} (goal ${goal}, ${isMet ? 'met' : 'MISSED'})`)
}

const short = (ratio: number): string => (ratio < 0.1 ? ratio.toPrecision(2) : ratio.toFixed(2))

export const whole = (value: number): string => Math.round(value).toLocaleString('en')

export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

export const median = (values: readonly number[]): number => quantile(values, 0.5)

/** Every long bench also has a form that ends within 20 seconds. */
export const isQuick = process.argv.includes('--quick')
