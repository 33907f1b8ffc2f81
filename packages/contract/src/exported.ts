import { z } from 'zod'
import { answerOf } from './answers.ts'
import { languages } from './constants.ts'

/** Lists that come page by page, and their files: the same for every one of them. */

/** Titles of the last two columns of every file: of which export a row is, and who took it out. */
export const exportOriginTitles = ['导出编号', '导出人'] as const

export const exportFormats = ['xlsx', 'csv'] as const
export type ExportFormat = (typeof exportFormats)[number]
export const exportFormatLabels: Readonly<Record<ExportFormat, string>> = { xlsx: 'Excel', csv: 'CSV' }

/** A file of at most so many rows comes with the answer; a larger one is made by the worker. */
export const exportAtOnceRows = 5_000
/** Rows of one file; what asks for more fails and says so. */
export const exportRowsMax = 3_000_000
export const exportLeftOutMax = 30
export const exportFieldPattern = /^\w{1,36}$/

export const exportInput = {
  /** Absent: CSV. */
  format: z.enum(exportFormats).optional(),
  /** Names of fields that the file does without, such as those of columns that the person has hidden. */
  leftOut: z.array(z.string().regex(exportFieldPattern)).max(exportLeftOutMax).optional(),
  /** Of titles and labels; absent: Chinese. */
  language: z.enum(languages).optional(),
}

export const exportAnswer = answerOf(
  z.object({
    exportId: z.uuid(),
    fileName: z.string(),
    /** `queued`: more rows than `exportAtOnceRows`; the file is made in the background. */
    state: z.enum(['done', 'queued']),
    /** 0 while it is queued. */
    rows: z.int(),
    /** The file, where it is a text; else empty. */
    text: z.string(),
    /** The file, where it is no text. */
    base64: z.base64().nullable(),
  }),
)

const page = <T extends z.core.$ZodType>(row: T) => ({
  list: z.array(row),
  /** Null: this was the last page. */
  nextCursor: z.string().nullable(),
  /** Only with the first page; no more than the list tells. */
  count: z.int().nullable(),
  isCountCut: z.boolean(),
})

export const pagedAnswer = <T extends z.core.$ZodType>(row: T) => answerOf(z.object(page(row)))
