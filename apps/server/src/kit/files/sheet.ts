import { Worker } from 'node:worker_threads'
import { AppError } from '@saddle/contract/errors.ts'
import { sheetUnpackedBytesMax } from '@saddle/contract/sheets.ts'

/** A line of a file: its cells as texts by the columns that the file has. */
export interface SheetLine {
  readonly line: number
  readonly cells: readonly string[]
}

type Posted = { readonly rows: readonly SheetLine[] } | { readonly end: true } | { readonly fault: string }

/** Longest time that a file is read, and memory of the thread that reads it. */
const readMs = 20_000
const heapMib = 160
const mib = sheetUnpackedBytesMax / 1_048_576

const faults = {
  sheet_format: () => new AppError('sheet_format'),
  sheet_rows: ({ rowsMax }: SheetBounds) => new AppError('sheet_rows', { values: { rows: rowsMax } }),
  sheet_too_large: () => new AppError('sheet_too_large', { values: { mib } }),
} as const

interface SheetBounds {
  /** Lines below the titles. */
  readonly rowsMax: number
  /** Columns that a file of ours has. Of a line four times as many cells are read; what stands behind them is nobody's. */
  readonly columns: number
}

/**
 * The lines of a workbook or a CSV text, its titles first. They are read by a thread of its own, so that a large file holds
 * nobody up, and one that unfolds without end takes only that thread. Throws sheet_format, sheet_rows, sheet_too_large.
 */
export async function* readSheet(bytes: Buffer, bounds: SheetBounds): AsyncGenerator<readonly SheetLine[]> {
  const posts: Posted[] = []
  let wake = (): void => {}
  const post = (posted: Posted): void => {
    posts.push(posted)
    wake()
  }
  const worker = new Worker(new URL('./sheetWorker.ts', import.meta.url), {
    workerData: {
      bytes,
      linesMax: bounds.rowsMax + 1,
      unpackedMax: sheetUnpackedBytesMax,
      cellsMax: bounds.columns * 4,
    },
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
      else throw faultOf(posted.fault, bounds)
    }
  } finally {
    clearTimeout(timer)
    await worker.terminate()
  }
}

function faultOf(fault: string, bounds: SheetBounds): AppError {
  const make = Reflect.get(faults, fault) as ((bounds: SheetBounds) => AppError) | undefined
  return make?.(bounds) ?? new AppError('sheet_format')
}
