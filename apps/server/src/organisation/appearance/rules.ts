import { layoutSchema, logoPath, type Layout } from '@saddle/contract/organisation/appearance.ts'

/** What a column holds; settings that this version does not know count as unset. */
export function layoutOf(column: unknown): Layout {
  const { data } = layoutSchema.safeParse(column)
  return data ?? {}
}

/** The id of the photo that a logo's address names; null for other pictures. */
export function logoIdOf(webImg: string | null): string | null {
  return webImg?.startsWith(logoPath) === true ? webImg.slice(logoPath.length) : null
}

/** An empty text counts as none. */
export const textOrNone = (text: string | null): string | null => (text === null || text === '' ? null : text)

/** Names and values that are different; of the audit line. */
export function differenceOf(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): { readonly before: Record<string, unknown>; readonly after: Record<string, unknown> } {
  const names = Object.keys(after).filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
  const pick = (from: Readonly<Record<string, unknown>>) => Object.fromEntries(names.map((name) => [name, from[name]]))
  return { before: pick(before), after: pick(after) }
}
