import { AppError } from '@saddle/contract/errors.ts'
import { shownTableSchema, type ShownTable, type shownTableEndpoints } from '@saddle/contract/exports/shown.ts'
import type { Field } from '@saddle/contract/list.ts'
import type { Handlers } from '#kit/call.ts'
import { chosenFile, listFile, type FileHandler, type ListDeps } from '#kit/list/listFile.ts'

interface Question {
  readonly name: string
  readonly table: string
}

function tableOf(text: string): ShownTable {
  try {
    return shownTableSchema.parse(JSON.parse(text))
  } catch {
    throw new AppError('bad_request', { values: { detail: 'table' } })
  }
}

/** A column of numbers stays numbers in a workbook. */
const isNumeric = (rows: ShownTable['rows'], column: number): boolean =>
  rows.every((row) => typeof row[column] !== 'string') && rows.some((row) => row[column] !== null)

const key = (column: number): string => `c${column}`

function fileOf(deps: ListDeps, { name, table }: Question): FileHandler<Question> {
  const { titles, rows } = tableOf(table)
  const fields = titles.map((title, column): [string, Field] => [
    key(column),
    isNumeric(rows, column) ? { title, as: 'count' } : title,
  ])
  return listFile<Question>(deps, {
    name,
    action: 'export.shown',
    fields: Object.fromEntries(fields),
    detail: () => ({ name }),
    check: async () => undefined,
    count: async () => rows.length,
    parts: async function* parts() {
      yield rows.map((row) => Object.fromEntries(row.map((cell, column) => [key(column), cell])))
    },
  })
}

/** Files of tables that a page has; they stand in the export centre beside those of lists. */
export function createShownHandlers(deps: ListDeps): Handlers<typeof shownTableEndpoints> {
  const empty = fileOf(deps, { name: 'table', table: JSON.stringify({ titles: [''], rows: [] }) })
  return { exportShownTable: chosenFile(empty, (question) => fileOf(deps, question)) }
}
