import type { AnyList, Direction } from '@saddle/contract/list.ts'
import type { z } from 'zod'
import type { SessionCall } from '#kit/call.ts'
import { businessDayOf } from '@saddle/contract/time.ts'
import { filePartRows, type Field } from '@saddle/contract/list.ts'
import { randomUuid } from '#kit/random.ts'
import { readCursor, writeCursor } from './cursor.ts'
import {
  detailOf,
  filePart,
  type FileQuestion,
  type FilterOf,
  type ListDeps,
  type Question,
  type SortOf,
} from './serveList.ts'

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
  const { kit, audit } = deps

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

  /** One part of a file in any format, with its name and its audit record. */
  const filed = async (question: FileQuestion<L>, call: SessionCall) => {
    const { rows, isFirst, nextCursor } = await part(question, call, filePartRows)
    const exportId = question.exportId ?? randomUuid(kit.random)
    const detail = detailOf(list, question.filter)
    await audit.noteExport(call, { exportId, action: fileOf(source).action, detail, isFirst })
    const fileName = `${source.name}-${businessDayOf(kit.clock.now())}-${exportId.slice(0, 8)}`
    return { rows, isFirst, nextCursor, exportId, fileName }
  }

  return {
    filed,
    page: async (question: Question<L> & { readonly pageSize: number }, call: SessionCall) => {
      const { rows, count, isFirst, nextCursor } = await part(question, call, question.pageSize)
      const isCountCut = count > list.countMax
      const shownCount = isCountCut ? list.countMax : count
      const data = { list: [...rows], nextCursor, count: isFirst ? shownCount : null, isCountCut }
      return { suc: true as const, data }
    },
    file: async (question: FileQuestion<L>, call: SessionCall) => {
      const { rows, isFirst, nextCursor, exportId, fileName } = await filed(question, call)
      const shown = rows.map((row) => source.file?.present?.(row) ?? row)
      const text = filePart(fileOf(source), shown, { ...question, exportId, isFirst, operatorName: call.caller.name })
      return {
        suc: true as const,
        data: { exportId, fileName: `${fileName}.csv`, text, rows: rows.length, nextCursor },
      }
    },
  }
}
