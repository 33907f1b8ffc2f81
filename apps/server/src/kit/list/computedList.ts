import type { AnyList, Direction } from '@saddle/contract/list.ts'
import type { z } from 'zod'
import type { SessionCall } from '#kit/call.ts'
import type { Field } from '@saddle/contract/list.ts'
import { readCursor, writeCursor } from './cursor.ts'
import { listFile, type FileHandler, type ListDeps } from './listFile.ts'
import { detailOf, type FilterOf, type Question, type SortOf } from './serveList.ts'

type RowOf<L extends AnyList> = z.core.input<L['row']>

interface ComputedSource<L extends AnyList> {
  /** Names the list in its cursors and its file. */
  readonly name: string
  /** All rows of a filter with their figures, in any order; the source bounds their number. */
  readonly all: (filter: FilterOf<L>, call: SessionCall) => Promise<readonly RowOf<L>[]>
  readonly sorted: (rows: readonly RowOf<L>[], sort: SortOf<L>, direction: Direction) => readonly RowOf<L>[]
  /** Left out where the contract names no file. */
  readonly file?: {
    readonly action: string
    readonly fields: Readonly<Record<string, Field | undefined>>
    readonly present?: (row: RowOf<L>) => object
  }
}

function fileOf<L extends AnyList>({ name, file }: ComputedSource<L>): NonNullable<ComputedSource<L>['file']> {
  if (file === undefined) throw new Error(`the list ${name} has no file`)
  return file
}

/**
 * The handlers of a list whose figures are computed over all of its rows, so that no index can order them: for lists of a
 * bounded number of rows. The cursor is a number of rows.
 */
export function serveComputedList<L extends AnyList>(deps: ListDeps, list: L, source: ComputedSource<L>) {
  const part = async (question: Question<L>, call: SessionCall, limit: number) => {
    const { filter, sort, direction = list.sorts[sort] ?? 'desc' } = question
    const order = { list: source.name, sort, direction }
    const [from] = readCursor(question.cursor, order, ['whole']) ?? [0]
    const rows = source.sorted(await source.all(filter, call), sort, direction)
    const shown = rows.slice(Number(from), Number(from) + limit)
    const next = Number(from) + shown.length
    return {
      rows: shown,
      isFirst: from === 0,
      count: rows.length,
      nextCursor: next < rows.length ? writeCursor(order, [next]) : null,
    }
  }

  const sortedRows = async ({ filter, sort, direction }: Question<L>, call: SessionCall) =>
    source.sorted(await source.all(filter, call), sort, direction ?? list.sorts[sort] ?? 'desc')

  return {
    /** All rows, for files of other formats. */
    rows: sortedRows,
    page: async (question: Question<L> & { readonly pageSize: number }, call: SessionCall) => {
      const { rows, count, isFirst, nextCursor } = await part(question, call, question.pageSize)
      const isCountCut = count > list.countMax
      const shownCount = isCountCut ? list.countMax : count
      const data = { list: [...rows], nextCursor, count: isFirst ? shownCount : null, isCountCut }
      return { suc: true as const, data }
    },
    get file(): FileHandler<Question<L>> {
      const { action, fields, present } = fileOf(source)
      return listFile<Question<L>>(deps, {
        name: source.name,
        action,
        fields,
        detail: ({ filter }) => detailOf(list, filter),
        check: async () => {},
        count: async (question, call) => (await source.all(question.filter, call)).length,
        parts: async function* parts(question, call) {
          yield (await sortedRows(question, call)).map((row) => present?.(row) ?? row)
        },
      })
    },
  }
}
