import { visibleText } from '@saddle/contract/answers.ts'

/** Where each column stands in a file; null: the file has none of it. */
export type ColumnPlaces<C extends string> = Readonly<Record<C, number | null>>

const plain = (title: string): string =>
  visibleText(title)
    .replaceAll(/[\s_()（）-]/g, '')
    .toLowerCase()

/** The columns by the titles of the first line; those that every file must have and this one lacks. */
export function placesOf<C extends string>(
  titles: readonly string[],
  {
    columns,
    names,
    needed,
  }: {
    readonly columns: readonly C[]
    /** What a column may be called, its title in the template first. */
    readonly names: Readonly<Record<C, readonly [string, ...string[]]>>
    readonly needed: readonly C[]
  },
): { places: ColumnPlaces<C>; missing: string[] } {
  const known = titles.map(plain)
  const placeOf = (column: C): number | null => {
    const wanted = new Set(names[column].map(plain))
    const place = known.findIndex((title) => wanted.has(title))
    return place === -1 ? null : place
  }
  const places = Object.fromEntries(columns.map((column) => [column, placeOf(column)])) as ColumnPlaces<C>
  const missing = needed.filter((column) => places[column] === null).map((column) => names[column][0])
  return { places, missing }
}
