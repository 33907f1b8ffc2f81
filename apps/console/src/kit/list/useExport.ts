import { useRef, useState } from 'react'
import type { Language } from '@saddle/contract/constants.ts'
import { isApiError, wordsOf } from '#kit/api/client.ts'
import { t, useLanguage } from '#kit/i18n/index.ts'
import { notify } from '#kit/notify.ts'

/** One piece of a file, as the server's exports answer. */
export interface ExportPart {
  readonly exportId: string
  readonly fileName: string
  readonly text: string
  readonly rows: number
  readonly nextCursor: string | null
}

interface ExportAt {
  readonly language: Language
  readonly cursor?: string
  readonly exportId?: string
}

/** Asks for the next piece; with the first, `at` has the language only. */
export type ExportRead = (at: ExportAt, signal: AbortSignal) => Promise<ExportPart>

export interface Exporting {
  /** Number of rows received; null while no export runs. */
  readonly rows: number | null
  readonly start: (read: ExportRead) => Promise<void>
  readonly cancel: () => void
}

/** Fetches a file piece by piece and saves it; the server checks permission and scope again with every piece. */
export function useExport(): Exporting {
  const [rows, setRows] = useState<number | null>(null)
  const language = useLanguage()
  const running = useRef<AbortController | null>(null)
  return {
    rows,
    cancel: () => running.current?.abort(),
    start: async (read) => {
      if (running.current !== null) return
      const control = new AbortController()
      running.current = control
      setRows(0)
      try {
        const pieces: string[] = []
        let at: ExportAt = { language }
        let count = 0
        for (;;) {
          const part = await read(at, control.signal)
          control.signal.throwIfAborted()
          pieces.push(part.text)
          count += part.rows
          setRows(count)
          if (part.nextCursor === null) {
            saveFile(part.fileName, pieces)
            notify.success({ text: t('已导出 {{count}} 行', { count }) })
            break
          }
          at = { language, cursor: part.nextCursor, exportId: part.exportId }
        }
      } catch (error) {
        if (control.signal.aborted) notify.warning({ text: t('已取消导出') })
        else notify.error({ title: t('导出失败'), text: isApiError(error) ? wordsOf(error) : t('请稍后再试') })
      } finally {
        running.current = null
        setRows(null)
      }
    },
  }
}

/** Makes the browser save a file. */
export function saveFile(name: string, pieces: readonly BlobPart[], type = 'text/csv;charset=utf-8'): void {
  const url = URL.createObjectURL(new Blob([...pieces], { type }))
  saveAddress(name, url)
  // The browser has taken it by the end of the turn; some need a moment more.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}

/** Makes the browser save what an address names. */
export function saveAddress(name: string, url: string): void {
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
}
