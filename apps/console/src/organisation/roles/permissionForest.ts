import type { GrantRow } from '@saddle/contract/organisation/roles.ts'

/** A line of the permission tree in its order, with how deep it stands. */
export interface TreeLine extends GrantRow {
  readonly depth: number
  readonly children: readonly string[]
}

export type Tick = 'on' | 'mixed' | 'off'

export interface PermissionForest {
  readonly lines: readonly TreeLine[]
  readonly byCode: ReadonlyMap<string, TreeLine>
}

/** Rows in the order of the tree: each after its parent, with everything below it before its next neighbour. */
export function forestOf(rows: readonly GrantRow[]): PermissionForest {
  const childrenOf = new Map<string | null, GrantRow[]>()
  for (const row of rows) childrenOf.set(row.parent, [...(childrenOf.get(row.parent) ?? []), row])
  const lines: TreeLine[] = []
  const add = (parent: string | null, depth: number): void => {
    for (const row of childrenOf.get(parent) ?? []) {
      lines.push({ ...row, depth, children: (childrenOf.get(row.code) ?? []).map((child) => child.code) })
      add(row.code, depth + 1)
    }
  }
  add(null, 0)
  return { lines, byCode: new Map(lines.map((line) => [line.code, line])) }
}

/** The code and everything below it. */
export function withBelow({ byCode }: PermissionForest, code: string): string[] {
  const line = byCode.get(code)
  return line === undefined ? [] : [code, ...line.children.flatMap((child) => withBelow({ lines: [], byCode }, child))]
}

function above({ byCode }: PermissionForest, code: string): string[] {
  const parent = byCode.get(code)?.parent ?? null
  return parent === null ? [] : [parent, ...above({ lines: [], byCode }, parent)]
}

/** How the box of every line looks: mixed where it is held with only a part of what is below it, or a part alone. */
export function ticksOf(forest: PermissionForest, held: ReadonlySet<string>): ReadonlyMap<string, Tick> {
  const ticks = new Map<string, Tick>()
  // From the bottom up, so that a line's children are known before it.
  for (const { code, children } of forest.lines.toReversed()) {
    const below = children.map((child) => ticks.get(child) ?? 'off')
    const isHeld = held.has(code)
    if (isHeld && below.every((tick) => tick === 'on')) ticks.set(code, 'on')
    else ticks.set(code, isHeld || below.some((tick) => tick !== 'off') ? 'mixed' : 'off')
  }
  return ticks
}

/**
 * What is held after a click on a line. Ticking takes everything below along, and everything above, without which the
 * menu would not lead there; unticking empties it, and a group at the top that nothing is left of. Codes that cannot be
 * granted stay as they are.
 */
export function toggled(forest: PermissionForest, held: ReadonlySet<string>, code: string): ReadonlySet<string> {
  const free = (one: string): boolean => forest.byCode.get(one)?.grantable === true
  const own = withBelow(forest, code).filter(free)
  const next = new Set(held)
  if (own.some((one) => !held.has(one))) {
    for (const one of [...own, ...above(forest, code).filter(free)]) next.add(one)
    return next
  }
  for (const one of own) next.delete(one)
  for (const group of above(forest, code)) {
    const isTop = forest.byCode.get(group)?.parent === null
    const isEmpty = withBelow(forest, group).every((one) => one === group || !next.has(one))
    if (isTop && isEmpty && free(group)) next.delete(group)
  }
  return next
}

/** Lines that the words find, with those above them; all lines for no words. */
export function foundLines(forest: PermissionForest, words: string): ReadonlySet<string> | null {
  const wanted = words.trim().toLowerCase()
  if (wanted === '') return null
  const found = forest.lines.filter(({ code, title }) => `${title} ${code}`.toLowerCase().includes(wanted))
  return new Set(found.flatMap(({ code }) => above(forest, code).concat(withBelow(forest, code))))
}

/** Codes that only one of two roles holds, in the order of the tree, with the titles above them. */
export function differences(forest: PermissionForest, left: readonly string[], right: readonly string[]) {
  const [ofLeft, ofRight] = [new Set(left), new Set(right)]
  const titleOf = (code: string): string => forest.byCode.get(code)?.title ?? code
  const trail = (code: string): readonly string[] => above(forest, code).toReversed().map(titleOf)
  const only = (one: ReadonlySet<string>, other: ReadonlySet<string>) =>
    forest.lines
      .filter(({ code }) => one.has(code) && !other.has(code))
      .map(({ code, title }) => ({ code, title, trail: trail(code) }))
  return { left: only(ofLeft, ofRight), right: only(ofRight, ofLeft) }
}
