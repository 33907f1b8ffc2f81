import { z } from 'zod'
import { answerOf } from './answers.ts'
import { pageSizeMax } from './constants.ts'
import { exportAnswer, exportInput, pagedAnswer } from './exported.ts'

/** How a value of a row is written: in a table with the reader's units, in a file as a spreadsheet takes it. */
export type FieldKind = 'text' | 'count' | 'cents' | 'instant' | 'date' | 'metres' | 'minutes' | 'percent' | 'flag'

/**
 * One value of a row: its title (Chinese, translated on the screen), kind, and the labels of its codes. A plain string is
 * the title of a text.
 */
export type Field =
  | string
  | {
      readonly title: string
      readonly as?: FieldKind
      /** Text for each code that the value may have; `null`: for no value. */
      readonly labels?: Readonly<Record<string, string>>
      /** The sense of labels that mean several things, where the catalogue of another language tells them apart. */
      readonly context?: 'alarm'
      /** Unit of a number, behind its title. */
      readonly unit?: string
      /** `false`: shown, and left out of the file. */
      readonly file?: false
    }

/** Values of a row in the order of the file's columns. */
export type Fields<Row> = { readonly [K in keyof Row & string]?: Field }

/** Declares the fields of a row; every key is one of the row's. */
export function fields<Row>() {
  return <const F extends Fields<Row>>(declared: F & Readonly<Record<Exclude<keyof F, keyof Row>, never>>): F =>
    declared
}

export type Direction = 'asc' | 'desc'
export const directions = ['asc', 'desc'] as const

/** Rows of a list that are counted at most; beyond it the count is told as "so many or more". */
export const listCountMax = 10_000
/** Rows of a list that are added up at most, unless the list adds up whatever it has; beyond it the sum is not told. */
export const listSumMax = 200_000
/** Rows of one part of a file. */
export const filePartRows = 1_000
export const pageSizes = [20, 50, 100, 200] as const

interface ListOptions<
  Row extends z.core.$ZodType,
  Filter extends z.ZodObject,
  Sorts extends Readonly<Record<string, Direction>>,
  Sums extends string,
> {
  readonly row: Row
  /** Conditions that a row must all meet; each may be left out. */
  readonly filter: Filter
  /** What may be sorted by, with the direction that comes first; the first one is the usual order. */
  readonly sorts: Sorts
  readonly countMax?: number
  /** Fields in cents that are added up over all rows of the filter. */
  readonly sums?: readonly Sums[]
  /** Conditions that name a person: they stand in no address and in no audit record. */
  readonly secret?: readonly (keyof z.core.output<Filter> & string)[]
}

/** What `list` returned, for code that takes any list. */
export interface AnyList {
  readonly row: z.core.$ZodType
  readonly filter: z.core.$ZodType
  readonly sorts: Readonly<Record<string, Direction>>
  readonly countMax: number
  readonly sumNames: readonly string[]
  readonly secret: readonly string[]
}

/**
 * A list that is paged by cursor, sorted, counted, added up and written into a file. Its parts are spread into the rows of
 * `defineEndpoints`: `page` (GET), `sums` (GET) and `file` (POST) lack only path, permission, scope and summary.
 */
export function list<
  Row extends z.core.$ZodType,
  Filter extends z.ZodObject,
  const Sorts extends Readonly<Record<string, Direction>>,
  const Sums extends string = never,
>(options: ListOptions<Row, Filter, Sorts, Sums>) {
  const { row, filter, sorts, countMax = listCountMax, sums = [], secret = [] } = options
  const [usual, ...others] = Object.keys(sorts) as (keyof Sorts & string)[]
  if (usual === undefined) throw new Error('A list needs an order')
  const question = {
    // Parsed when it is left out, so that its own defaults apply.
    filter: filter.prefault({} as never),
    sort: z.enum([usual, ...others]).default(usual as never),
    /** Absent: the usual direction of the sort. */
    direction: z.enum(directions).optional(),
  }
  const sumShape = Object.fromEntries(sums.map((name) => [name, z.int()])) as Record<Sums, z.ZodInt>
  return {
    row,
    filter,
    sorts,
    countMax,
    sumNames: sums,
    secret,
    page: {
      method: 'GET',
      idempotency: 'none',
      input: z.object({
        ...question,
        cursor: z.string().max(200).optional(),
        pageSize: z.coerce.number().int().min(1).max(pageSizeMax).default(pageSizes[1]),
      }),
      output: pagedAnswer(row),
    },
    sums: {
      method: 'GET',
      idempotency: 'none',
      input: z.object({ filter: question.filter }),
      output: answerOf(
        z.object({
          rows: z.int(),
          /** More than `listSumMax` rows: the sums are null. */
          isCut: z.boolean(),
          sums: z.object(sumShape).nullable(),
        }),
      ),
    },
    file: {
      method: 'POST',
      idempotency: 'none',
      load: 'file',
      input: z.object({ ...question, ...exportInput }),
      output: exportAnswer,
    },
  } as const
}
