import type { Language } from '@saddle/contract/constants.ts'
import { exportAtOnceRows, exportOriginTitles, exportRowsMax, type ExportFormat } from '@saddle/contract/exported.ts'
import { AppError } from '@saddle/contract/errors.ts'
import type { Field } from '@saddle/contract/list.ts'
import { businessDayOf } from '@saddle/contract/time.ts'
import type { SessionCall } from '#kit/call.ts'
import { createCsv } from '#kit/files/csv.ts'
import type { Column, TableWriter } from '#kit/files/table.ts'
import { createXlsx } from '#kit/files/xlsx.ts'
import type { Sink } from '#kit/files/zip.ts'
import type { Kit } from '#kit/kit.ts'
import { inLanguage } from '#kit/language.ts'
import { randomUuid } from '#kit/random.ts'
import { fileColumns } from './fileCells.ts'

export interface ListDeps {
  readonly kit: Pick<Kit, 'db' | 'clock' | 'random'>
  readonly audit: {
    /** Records that a file leaves the platform. */
    noteExport(
      call: SessionCall,
      file: {
        readonly exportId: string
        readonly action: string
        readonly detail: Readonly<Record<string, unknown>>
      },
    ): Promise<void>
  }
}

/** What a file is asked for, beside the conditions and the order of its list. */
export interface FileChoices {
  readonly format?: ExportFormat | undefined
  readonly leftOut?: readonly string[] | undefined
  readonly language?: Language | undefined
}

/** Where the rows of a file come from. */
interface FileSource<Question> {
  /** Names the file. */
  readonly name: string
  /** The audit action of an export. */
  readonly action: string
  readonly fields: Readonly<Record<string, Field | undefined>>
  readonly detail: (question: Question) => Readonly<Record<string, unknown>>
  /** Throws where the call may not read these rows. */
  readonly check: (question: Question, call: SessionCall) => Promise<void>
  /** The number of rows up to `limit`; null where the list is not counted. */
  readonly count: (question: Question, call: SessionCall, limit: number) => Promise<number | null>
  /** The rows as the fields name their values, some at a time. */
  readonly parts: (question: Question, call: SessionCall) => AsyncIterable<readonly unknown[]>
  /** A file of more rows ends there, with a line that says so. */
  readonly cut?: { readonly rows: number; readonly text: string } | undefined
}

/** A file of a list that is being written. */
interface FileTarget {
  readonly exportId: string
  readonly sink: Sink
  /** Hears of the number of rows so far, and ends the file by throwing. */
  readonly onRows: (rows: number) => Promise<void> | void
}

/** The file of a list, for whoever asks for it and whoever makes it in the background. */
export interface ListFile<Question> {
  readonly source: FileSource<Question>
  /** Writes all rows as they are at one moment; resolves to their number. */
  readonly write: (question: Question & FileChoices, call: SessionCall, target: FileTarget) => Promise<number>
}

export interface FileAnswer {
  readonly suc: true
  readonly data: {
    readonly exportId: string
    readonly fileName: string
    readonly state: 'done' | 'queued'
    readonly rows: number
    readonly text: string
    readonly base64: string | null
  }
}

/**
 * The handler of a list's file call: it answers a small file at once. A larger one is answered as queued, with its audit
 * record; who serves the calls of the platform lets the worker make it, by `file`.
 */
export interface FileHandler<Question> {
  (question: Question & FileChoices, call: SessionCall): Promise<FileAnswer>
  readonly file: ListFile<Question>
}

/** Ends a file that has more rows than are answered at once. */
class TooManyRows extends Error {
  override readonly name = 'TooManyRows'
}

export function listFile<Question>({ kit, audit }: ListDeps, source: FileSource<Question>): FileHandler<Question> {
  const file: ListFile<Question> = {
    source,
    write: (question, call, target) =>
      kit.db.fromReadDatabase(() => kit.db.snapshot(() => writeFile(source, question, call, target))),
  }
  const answer = async (question: Question & FileChoices, call: SessionCall): Promise<FileAnswer> => {
    const { format = 'csv' } = question
    await source.check(question, call)
    const exportId = randomUuid(kit.random)
    const fileName = `${source.name}-${businessDayOf(kit.clock.now())}-${exportId.slice(0, 8)}.${format}`
    await audit.noteExport(call, { exportId, action: source.action, detail: source.detail(question) })
    const chunks: Buffer[] = []
    const target: FileTarget = {
      exportId,
      // A copy: the bytes are reused.
      sink: async (bytes) => void chunks.push(Buffer.from(bytes)),
      onRows: (rows) => {
        if (rows > exportAtOnceRows) throw new TooManyRows()
      },
    }
    try {
      const rows = await file.write(question, call, target)
      const bytes = Buffer.concat(chunks)
      const content =
        format === 'csv' ? { text: bytes.toString(), base64: null } : { text: '', base64: bytes.toString('base64') }
      return { suc: true, data: { exportId, fileName, state: 'done', rows, ...content } }
    } catch (error) {
      if (!(error instanceof TooManyRows)) throw error
      return { suc: true, data: { exportId, fileName, state: 'queued', rows: 0, text: '', base64: null } }
    }
  }
  return Object.assign(answer, { file })
}

/** The same file for those who pass a check of the call's own. */
export function guardedFile<Question>(
  handler: FileHandler<Question>,
  check: (question: Question, call: SessionCall) => Promise<void> | void,
): FileHandler<Question> {
  const { source, write } = handler.file
  const checked = async (question: Question, call: SessionCall): Promise<void> => {
    await check(question, call)
    await source.check(question, call)
  }
  const guarded: FileHandler<Question>['file'] = { source: { ...source, check: checked }, write }
  const answer = async (question: Question & FileChoices, call: SessionCall): Promise<FileAnswer> => {
    await check(question, call)
    return handler(question, call)
  }
  return Object.assign(answer, { file: guarded })
}

/** One file call of several lists: its question says which. They write the audit action of `first`. */
export function chosenFile<Question>(
  first: FileHandler<Question>,
  choose: (question: Question) => FileHandler<Question>,
): FileHandler<Question> {
  const sourceOf = (question: Question) => choose(question).file.source
  const file: ListFile<Question> = {
    source: {
      ...first.file.source,
      detail: (question) => sourceOf(question).detail(question),
      check: (question, call) => sourceOf(question).check(question, call),
      count: (question, call, limit) => sourceOf(question).count(question, call, limit),
      parts: (question, call) => sourceOf(question).parts(question, call),
    },
    write: (question, call, target) => choose(question).file.write(question, call, target),
  }
  const answer = (question: Question & FileChoices, call: SessionCall) => choose(question)(question, call)
  return Object.assign(answer, { file })
}

async function writeFile<Question>(
  source: FileSource<Question>,
  question: Question & FileChoices,
  call: SessionCall,
  { exportId, sink, onRows }: FileTarget,
): Promise<number> {
  const { format = 'csv', language = 'zh', leftOut } = question
  const { columns, cellsOf } = fileColumns(source.fields, { language, leftOut })
  const origin = [exportId, call.caller.name]
  const writer = createWriter(format, { columns: [...columns, ...originColumns(language)], sink, name: source.name })
  const most = source.cut?.rows ?? exportRowsMax
  let rows = 0
  for await (const part of source.parts(question, call)) {
    const taken = part.slice(0, most - rows)
    rows += taken.length
    await onRows(rows)
    await writer.write(taken.map((row) => [...cellsOf(row), ...origin]))
    if (taken.length === part.length) continue
    if (source.cut === undefined) throw new AppError('export_too_large')
    await writer.write([[inLanguage(language, source.cut.text).replace('{{rows}}', String(most))]])
    break
  }
  await writer.end()
  return rows
}

/** Every row ends with the file's id and the person who made it, so that the titles stay the first line. */
const originColumns = (language: Language): Column[] =>
  exportOriginTitles.map((title) => ({ title: inLanguage(language, title), format: 'text' }))

function createWriter(
  format: ExportFormat,
  { columns, sink, name }: { readonly columns: readonly Column[]; readonly sink: Sink; readonly name: string },
): TableWriter {
  return format === 'csv' ? createCsv({ columns, sink }) : createXlsx({ columns, sink, sheetName: name })
}
