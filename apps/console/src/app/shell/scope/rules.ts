/** An entry of a scope selector. */
export interface ScopeOption {
  readonly id: number
  readonly title: string
}

/** What is stored for a choice: undefined, meaning all, when it equals the full set (section 2). */
export function selectionOf(chosen: ReadonlySet<number>, all: readonly ScopeOption[]): number[] | undefined {
  if (all.every((option) => chosen.has(option.id))) return undefined
  return all.filter((option) => chosen.has(option.id)).map((option) => option.id)
}

/** The ids that a stored selection means among the options that exist now. */
export function chosenOf(selection: readonly number[] | undefined, all: readonly ScopeOption[]): ReadonlySet<number> {
  if (selection === undefined) return new Set(all.map((option) => option.id))
  return new Set(all.filter((option) => selection.includes(option.id)).map((option) => option.id))
}

/** 全选 or a count followed by 个. */
export function scopeLabel(
  selection: readonly number[] | undefined,
  t: (key: string, values?: { readonly context: string }) => string,
): string {
  return selection === undefined
    ? t('全选', { context: 'scope' })
    : `${selection.length}${t('个', { context: 'scope' })}`
}

/** What is left of a stored selection when some of it is no longer granted; all when nothing is left. */
export function stillGranted(
  selection: readonly number[] | undefined,
  all: readonly ScopeOption[],
): number[] | undefined {
  if (selection === undefined) return undefined
  const left = chosenOf(selection, all)
  return left.size === 0 ? undefined : selectionOf(left, all)
}
