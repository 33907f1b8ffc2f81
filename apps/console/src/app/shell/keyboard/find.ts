import { isRoutePermitted, menuRows, menuTrail } from '@saddle/contract/menu.ts'

export interface Found {
  /** Name of an icon of the shell. */
  readonly icon:
    | 'log'
    | 'vehicle'
    | 'riders'
    | 'feedback'
    | 'maintenance'
    | 'area'
    | 'person'
    | 'agent'
    | 'key'
    | 'finance'
  readonly to: string
  readonly title: string
  /** What it is and where it belongs. */
  readonly note: string
}

export const foundMax = 24
const pagesMax = 12
const namedMax = 4

/** Whether a text is spelled by Latin letters; null until the table of syllables is loaded. */
export type Spelled = ((text: string, letters: string) => boolean) | null

interface Asked {
  readonly text: string
  readonly held: ReadonlySet<string>
  readonly t: (key: string) => string
  readonly isSpelled: Spelled
}

/** Letters alone, which may be the first ones of Chinese syllables. */
export const isSpelling = (text: string): boolean => /^[a-z]{2,20}$/i.test(text.trim())

/** Pages that match the text, best first. */
export function findPages({ text, held, t, isSpelled }: Asked): readonly Found[] {
  const wanted = text.trim().toLowerCase()
  const ranked: { found: Found; rank: number }[] = []
  for (const row of menuRows) {
    const reachable = row.path === '/log' || (!row.hidden && !row.group)
    if (!reachable || row.public || !isRoutePermitted(row.path, held)) continue
    const above = menuTrail(row.path)
      .slice(0, -1)
      .map((each) => t(each.title))
    const spelled = isSpelled !== null && isSpelling(wanted) && isSpelled(row.title, wanted) ? spelledRank : null
    const rank = rankOf(wanted, [t(row.title), row.title, row.path, ...above]) ?? spelled
    if (rank !== null)
      ranked.push({ found: { icon: 'log', to: row.path, title: t(row.title), note: above.join(' / ') }, rank })
  }
  return ranked
    .toSorted((one, other) => one.rank - other.rank)
    .map((each) => each.found)
    .slice(0, pagesMax)
}

/** Behind what is written so in the title or the path. */
const spelledRank = 5.5

/** Smaller is better: a beginning of the title, then a part of it, then the Chinese title, the path, the group. */
function rankOf(wanted: string, texts: readonly string[]): number | null {
  if (wanted === '') return 0
  const at = texts.findIndex((text) => text.toLowerCase().includes(wanted))
  if (at === -1) return null
  return at * 2 + (texts[at]?.toLowerCase().startsWith(wanted) ? 0 : 1)
}

/** Those of a list of names that match the text, as written or as spelled. */
export function findNamed<T extends { readonly name: string }>(
  options: readonly T[],
  { text, isSpelled }: Pick<Asked, 'text' | 'isSpelled'>,
): readonly T[] {
  const wanted = text.trim().toLowerCase()
  if (wanted === '') return []
  const matches = ({ name }: T): boolean =>
    name.toLowerCase().includes(wanted) || (isSpelled !== null && isSpelling(wanted) && isSpelled(name, wanted))
  return options.filter(matches).slice(0, namedMax)
}
