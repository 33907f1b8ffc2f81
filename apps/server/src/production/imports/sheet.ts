import { Worker } from 'node:worker_threads'
import { AppError } from '@saddle/contract/errors.ts'
import { importColumns, importRowsMax, importUnpackedBytesMax } from '@saddle/contract/production/importWords.ts'
import type { SheetLine } from './rules.ts'

type Posted = { readonly rows: readonly SheetLine[] } | { readonly end: true } | { readonly fault: string }

/** Longest time that a file is read, and memory of the thread that reads it. */
const readMs = 20_000
const heapMib = 160
/** More cells of a line than a file of ours has; what stands behind them is nobody's. */
const cellsMax = importColumns.length * 4
const mib = importUnpackedBytesMax / 1_048_576

const faults = {
  sheet_format: () => new AppError('sheet_format'),
  sheet_rows: () => new AppError('sheet_rows', { values: { rows: importRowsMax } }),
  sheet_too_large: () => new AppError('sheet_too_large', { values: { mib } }),
} as const

/**
 * The lines of a workbook or a CSV text, its titles first. They are read by a thread of its own, so that a large file holds
 * nobody up, and one that unfolds without end takes only that thread. Throws sheet_format, sheet_rows, sheet_too_large.
 */
export async function* readSheet(bytes: Buffer): AsyncGenerator<readonly SheetLine[]> {
  const posts: Posted[] = []
  let wake = (): void => {}
  const post = (posted: Posted): void => {
    posts.push(posted)
    wake()
  }
  const worker = new Worker(new URL('./sheetWorker.ts', import.meta.url), {
    workerData: { bytes, linesMax: importRowsMax + 1, unpackedMax: importUnpackedBytesMax, cellsMax },
    resourceLimits: { maxOldGenerationSizeMb: heapMib },
    execArgv: ['--disable-warning=ExperimentalWarning'],
  })
  const timer = setTimeout(() => post({ fault: 'sheet_too_large' }), readMs)
  worker.on('message', post)
  // Out of memory, or a fault of the library: the thread is gone, the server is not.
  worker.on('error', () => post({ fault: 'sheet_too_large' }))
  try {
    for (;;) {
      const posted = posts.shift()
      if (posted === undefined) {
        await new Promise<void>((resolve) => {
          wake = resolve
          if (posts.length > 0) resolve()
        })
      } else if ('rows' in posted) yield posted.rows
      else if ('end' in posted) return
      else throw (Reflect.get(faults, posted.fault) as (() => AppError) | undefined)?.() ?? new AppError('sheet_format')
    }
  } finally {
    clearTimeout(timer)
    await worker.terminate()
  }
}
