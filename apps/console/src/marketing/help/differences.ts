/** One line of two texts held against each other. */
export interface DifferentLine {
  readonly kind: 'same' | 'gone' | 'new'
  readonly text: string
}

const linesMax = 400

/** The lines of two texts by their longest common sequence. Beyond `linesMax` lines the rest is left out. */
export function differentLines(before: string, after: string): DifferentLine[] {
  const a = before.split('\n').slice(0, linesMax)
  const b = after.split('\n').slice(0, linesMax)
  const lengths = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1))
  const at = (i: number, j: number): number => lengths[i]?.[j] ?? 0
  for (let i = a.length - 1; i >= 0; i -= 1) {
    const row = lengths[i]
    if (row === undefined) continue
    for (let j = b.length - 1; j >= 0; j -= 1) {
      row[j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
    }
  }
  const lines: DifferentLine[] = []
  let [i, j] = [0, 0]
  while (i < a.length || j < b.length) {
    const [gone, added] = [a[i], b[j]]
    if (gone !== undefined && gone === added) {
      lines.push({ kind: 'same', text: gone })
      i += 1
      j += 1
    } else if (gone !== undefined && (added === undefined || at(i + 1, j) >= at(i, j + 1))) {
      lines.push({ kind: 'gone', text: gone })
      i += 1
    } else {
      lines.push({ kind: 'new', text: added ?? '' })
      j += 1
    }
  }
  return lines
}
