import { filePartRows, listSumMax, type AnyList, type Direction, type Field } from '@saddle/contract/list.ts'
import type { Language } from '@saddle/contract/constants.ts'
import type { RawBuilder } from 'kysely'
import type { z } from 'zod'
import type { SessionCall } from '#kit/call.ts'
import { forceCustomPlan } from '#kit/db/forceCustomPlan.ts'
import type { Scope } from '#kit/db/scope.ts'
import { readCursor, writeCursor, type Cursor, type KeyKind } from './cursor.ts'
import { listFile, type FileChoices, type FileHandler, type ListDeps } from './listFile.ts'

export type FilterOf<L extends AnyList> = z.core.output<L['filter']>
export type SortOf<L extends AnyList> = keyof L['sorts'] & string
export type SumsOf<L extends AnyList> = Record<L['sumNames'][number], number>
type ShownOf<L extends AnyList> = z.core.input<L['row']>

/** What a statement of a list is asked for. */
export interface ListQuery<L extends AnyList, Params> {
  readonly filter: FilterOf<L>
  /** What the filter needs beside itself, looked up before. */
  readonly params: Params
  readonly scope: Scope
  readonly sort: SortOf<L>
  readonly direction: Direction
  readonly after: Cursor | null
  readonly limit: number
}

/** The statements of a list. `tableList` writes those of an ordinary table. */
export interface ListRows<L extends AnyList, Params, Row> {
  /** The keys of each sort; the row's id comes last. */
  readonly keys: Readonly<Record<SortOf<L>, readonly KeyKind[]>>
  /** Up to `limit` rows after the cursor, in the order of the sort. */
  readonly select: (query: ListQuery<L, Params>) => RawBuilder<Row>
  /** The number of rows, counted up to `limit`; left out where counting would read far more than a page does. */
  readonly count?: (query: ListQuery<L, Params>) => RawBuilder<{ count: number }>
  /** Number and sums of up to `limit` rows; left out where the contract names no sums. */
  readonly sums?: ((query: ListQuery<L, Params>) => RawBuilder<{ rows: number } & SumsOf<L>>) | undefined
  readonly cursorOf: (row: Row, sort: SortOf<L>) => Cursor
}

export type CountedRows<L extends AnyList, Params, Row> = ListRows<L, Params, Row> &
  Required<Pick<ListRows<L, Params, Row>, 'count'>>

/** Looks up what the statements need beside the filter: ids of riders by a phone number, the caller, the time. */
type Prepare<L extends AnyList, Params> = (filter: FilterOf<L>, call: SessionCall) => Params | Promise<Params>
type Prepared<L extends AnyList, Params> = unknown extends Params
  ? { readonly prepare?: undefined }
  : { readonly prepare: Prepare<L, NoInfer<Params>> }

interface ListSource<L extends AnyList, Params, Row, Found> {
  /** Names the list in its cursors and its file. */
  readonly name: string
  readonly rows: ListRows<L, Params, Row>
  /** Whose rows are read; absent: those of the call's selection. */
  readonly scope?: (call: SessionCall) => Scope
  /** Adds up all rows, however many: for the rows behind a figure, whose sum has to be the figure. */
  readonly isSummedWhole?: boolean
  /** Rows of no tenant, which requests cannot read: read as the system; who may ask is for the handler to say. */
  readonly isSystem?: boolean
  /** What the rows of a page need beside their columns, looked up for all of them at once. */
  readonly lookUp?: (rows: readonly NoInfer<Row>[], call: SessionCall) => Promise<Found>
  readonly present: (row: NoInfer<Row>, call: SessionCall, found: NoInfer<Found>) => ShownOf<L>
  /** Left out where the contract names no file. */
  readonly file?: {
    /** The audit action of an export. */
    readonly action: string
    readonly fields: Readonly<Record<string, Field | undefined>>
    /** A file of more rows ends there, with a line that says so. */
    readonly cut?: { readonly rows: number; readonly text: string }
    /** Where a file contains more or less than the page. */
    readonly present?: (
      row: NoInfer<Row>,
      call: SessionCall,
      found: NoInfer<Found>,
      asked: { readonly language: Language; readonly filter: FilterOf<L> },
    ) => object
  }
}

export interface Question<L extends AnyList> {
  readonly filter: FilterOf<L>
  readonly sort: SortOf<L>
  readonly direction?: Direction | undefined
  readonly cursor?: string | undefined
}

/**
 * The handlers of a list that the contract declares: `page`, `sums` and `file`. Cursor, cut, count, order and the file are
 * the same for every list; a domain gives statements, presenter and fields.
 */
export function serveList<L extends AnyList, Params, Row, Found = undefined>(
  deps: ListDeps,
  list: L,
  source: ListSource<L, Params, Row, Found> & Prepared<L, Params>,
) {
  const { db } = deps.kit
  const { rows: statements } = source

  const ask = async (call: SessionCall, { filter, sort, direction = list.sorts[sort] ?? 'desc' }: Question<L>) => {
    const prepare: Prepare<L, Params> | undefined = source.prepare
    // Without `prepare` no statement looks at what it would have looked up.
    const params = (await prepare?.(filter, call)) as Params
    return { filter, params, scope: source.scope?.(call) ?? call.scope, sort, direction }
  }
  type Asked = Awaited<ReturnType<typeof ask>>
  const orderOf = ({ sort, direction }: Asked) => ({ list: source.name, sort, direction })
  const run = <T>(scope: Scope, statement: RawBuilder<T>): Promise<T[]> =>
    // The best plan depends on the values: on the conditions, and on how many companies and areas a person sees.
    source.isSystem === true
      ? db.systemRead((k) => forceCustomPlan(statement.compile(k)))
      : db.read(scope, (k) => forceCustomPlan(statement.compile(k)))

  const read = async (asked: Asked, at: { readonly after: Cursor | null; readonly limit: number }) => {
    // One more than is shown tells whether there is a next page.
    const found = await run(asked.scope, statements.select({ ...asked, after: at.after, limit: at.limit + 1 }))
    const rows = found.slice(0, at.limit)
    const last = found.length > at.limit ? rows.at(-1) : undefined
    return { rows, next: last === undefined ? null : statements.cursorOf(last, asked.sort) }
  }
  const countOf = async (asked: Asked): Promise<number | null> => {
    if (statements.count === undefined) return null
    const [row] = await run(asked.scope, statements.count({ ...asked, after: null, limit: list.countMax + 1 }))
    return row?.count ?? 0
  }
  // Without `lookUp` no presenter looks at what it would have found.
  const lookUp = async (rows: readonly Row[], call: SessionCall) => (await source.lookUp?.(rows, call)) as Found
  const begin = async (call: SessionCall, question: Question<L>) => {
    const asked = await ask(call, question)
    return { asked, after: readCursor(question.cursor, orderOf(asked), statements.keys[asked.sort]) }
  }

  return {
    page: async (question: Question<L> & { readonly pageSize: number }, call: SessionCall) => {
      const { asked, after } = await begin(call, question)
      const [{ rows, next }, total] = await Promise.all([
        read(asked, { after, limit: question.pageSize }),
        after === null ? countOf(asked) : null,
      ])
      const isCountCut = total !== null && total > list.countMax
      const found = await lookUp(rows, call)
      const shown = rows.map((row) => source.present(row, call, found))
      const count = isCountCut ? list.countMax : total
      const nextCursor = next === null ? null : writeCursor(orderOf(asked), next)
      return { suc: true as const, data: { list: shown, nextCursor, count, isCountCut } }
    },

    sums: async ({ filter }: Pick<Question<L>, 'filter'>, call: SessionCall) => {
      const asked = await ask(call, { filter, sort: Object.keys(list.sorts)[0] as SortOf<L> })
      if (statements.sums === undefined) throw new Error(`the list ${source.name} adds nothing up`)
      const max = sumMaxOf(source)
      const [found] = await run(asked.scope, statements.sums({ ...asked, after: null, limit: max + 1 }))
      if (found === undefined) throw new Error('an aggregate without a row')
      const { rows, ...sums } = found
      const isCut = rows > max
      return { suc: true as const, data: { rows: Math.min(rows, max), isCut, sums: isCut ? null : sums } }
    },

    /** Its call is `file` in the contract; a list without one has no file. */
    get file(): FileHandler<Question<L>> {
      if (source.file === undefined) throw new Error(`the list ${source.name} has no file`)
      const { action, fields, present = source.present, cut } = source.file
      return listFile<Question<L> & FileChoices>(deps, {
        name: source.name,
        action,
        fields,
        cut,
        detail: ({ filter }) => detailOf(list, filter),
        check: async (question, call) => void (await ask(call, question)),
        count: async (question, call, limit) => {
          if (statements.count === undefined) return null
          const asked = await ask(call, question)
          const [row] = await run(asked.scope, statements.count({ ...asked, after: null, limit }))
          return row?.count ?? 0
        },
        parts: async function* parts(question, call) {
          const asked = await ask(call, question)
          const of = { language: question.language ?? 'zh', filter: question.filter }
          let after: Cursor | null = null
          for (;;) {
            const part: { rows: Row[]; next: Cursor | null } = await read(asked, { after, limit: filePartRows })
            const found = await lookUp(part.rows, call)
            yield part.rows.map((row) => present(row, call, found, of))
            if (part.next === null) return
            after = part.next
          }
        },
      })
    },
  }
}

const sumMaxOf = ({ isSummedWhole }: { readonly isSummedWhole?: boolean }): number =>
  isSummedWhole === true ? Number.MAX_SAFE_INTEGER - 1 : listSumMax

/** The conditions of a file for its audit record: whom they name stays out of it. */
export function detailOf(list: AnyList, filter: unknown): Readonly<Record<string, unknown>> {
  const conditions = Object.entries(filter as object)
  const isSecret = (name: string): boolean => list.secret.includes(name)
  return {
    filter: Object.fromEntries(conditions.filter(([name]) => !isSecret(name))),
    byPhone: conditions.some(([name, value]) => isSecret(name) && value !== undefined),
  }
}
