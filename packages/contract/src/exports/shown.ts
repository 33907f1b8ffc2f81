import { z } from 'zod'
import { basePath } from '#contract/constants.ts'
import { bodyLimits, defineEndpoints } from '#contract/endpoint.ts'
import { exportAnswer, exportAtOnceRows, exportInput } from '#contract/exported.ts'

/**
 * Tables of figures that a page has computed or read as a whole, such as statistics by person: their rows come from the
 * browser, and the file is made, kept and recorded like that of a list.
 */

const columnsMax = 40
const titleMax = 120
const cellMax = 2_000
/** Characters of a table as JSON. */
const tableMax = 1_000_000

export const shownTableSchema = z
  .object({
    titles: z.array(z.string().max(titleMax)).min(1).max(columnsMax),
    rows: z.array(z.array(z.union([z.string().max(cellMax), z.number(), z.null()]))).max(exportAtOnceRows),
  })
  .refine(({ titles, rows }) => rows.every((row) => row.length === titles.length))
export type ShownTable = z.infer<typeof shownTableSchema>

export const shownTableEndpoints = defineEndpoints({
  exportShownTable: {
    host: 'platform',
    method: 'POST',
    path: `${basePath}/export/shown`,
    permission: 'session',
    scope: 'self',
    idempotency: 'none',
    load: 'file',
    bodyLimitBytes: bodyLimits.fences,
    summary: '把页面上已算出的表格导出为文件，存入导出中心',
    input: z.object({
      /** Of the file, without its end. */
      name: z
        .string()
        .max(60)
        .regex(/^[^\\/:*?"<>|\0]+$/u),
      /** A `ShownTable` as JSON: what it may bring is bounded as a whole. */
      table: z.string().max(tableMax),
      format: exportInput.format,
      language: exportInput.language,
    }),
    output: exportAnswer,
  },
})
