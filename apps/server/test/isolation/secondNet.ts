/** Which filters are taken out of a statement: those of the areas, or those of the companies as well. */
export type Kind = 'company and area' | 'area'

/**
 * A statement whose filter holds back nothing by itself. Each entry means one statement of one form, which a test
 * checks; the longer checks also find entries that are not needed any more.
 */
export interface SecondNet {
  /** The whole statement with single spaces; ` … ` stands for a part in the middle that no other statement needs. */
  readonly statement: string
  readonly kinds: readonly Kind[]
  /** What holds back instead. */
  readonly because: string
  /** What the mutants before it have left decides whether it is noticed, so nothing says whether the entry is needed. */
  readonly isByOrder?: true
}

export const both: readonly Kind[] = ['area', 'company and area']
export const area: readonly Kind[] = ['area']
/** Where areas are of one company each, and the areas' own filter stays, or where the thing has no area. */
export const company: readonly Kind[] = ['company and area']
