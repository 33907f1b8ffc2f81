import { filePartRows, type Field } from '@saddle/contract/list.ts'
import type { SessionCall } from '#kit/call.ts'
import { listFile, type FileHandler, type ListDeps } from './listFile.ts'

/** Some rows as the fields name their values, and where to go on; null: these were the last ones. */
interface FilePage<Cursor> {
  readonly rows: readonly object[]
  readonly next: Cursor | null
}

interface PagedSource<Question, Cursor> {
  /** Names the file. */
  readonly name: string
  /** The audit action of an export. */
  readonly action: string
  readonly fields: Readonly<Record<string, Field | undefined>>
  /** What the audit log keeps of the question. */
  readonly detail: (question: Question) => Readonly<Record<string, unknown>>
  /** Throws where the call may not read these rows. */
  readonly page: (
    question: Question,
    call: SessionCall,
    at: { readonly after: Cursor | null; readonly size: number },
  ) => Promise<FilePage<Cursor>>
}

/** The file of rows that a call of its own reads page by page, where `serveList` has no common columns to serve. */
export function pagedFile<Question, Cursor>(
  deps: ListDeps,
  { page, ...source }: PagedSource<Question, Cursor>,
): FileHandler<Question> {
  return listFile<Question>(deps, {
    ...source,
    check: async (question, call) => void (await page(question, call, { after: null, size: 1 })),
    count: async () => null,
    parts: async function* parts(question, call) {
      let after: Cursor | null = null
      do {
        const found: FilePage<Cursor> = await page(question, call, { after, size: filePartRows })
        yield found.rows
        after = found.next
      } while (after !== null)
    },
  })
}
