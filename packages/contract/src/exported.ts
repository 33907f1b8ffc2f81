import { z } from 'zod'
import { answerOf } from './answers.ts'
import { languages } from './constants.ts'

/** Lists that come page by page, and files that come part by part: the same for every one of them. */

/** Titles of the last two columns of every file: of which export a row is, and who took it out. */
export const exportOriginTitles = ['导出编号', '导出人'] as const

export const exportInput = {
  /** Where a part begins, and of which file it is one; absent with the first. */
  cursor: z.string().max(200).optional(),
  exportId: z.uuid().optional(),
  /** Of titles and labels; absent: Chinese. */
  language: z.enum(languages).optional(),
}

export const exportAnswer = answerOf(
  z.object({
    exportId: z.string(),
    fileName: z.string(),
    text: z.string(),
    rows: z.int(),
    /** Null: this was the last part. */
    nextCursor: z.string().nullable(),
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
