import { useState } from 'react'
import { useNavigate } from 'react-router'
import type { Language } from '@saddle/contract/constants.ts'
import { isApiError, wordsOf } from '#kit/api/client.ts'
import { bytesOf, saveBytes, saveFile } from '#kit/exports/save.ts'
import { watchExport } from '#kit/exports/open.ts'
import { t, useLanguage } from '#kit/i18n/index.ts'
import { notify } from '#kit/notify.ts'

/** A file, or the notice that it is made in the background, as the server's exports answer. */
interface ExportedFile {
  readonly exportId: string
  readonly fileName: string
  readonly state: 'done' | 'queued'
  readonly rows: number
  readonly text: string
  readonly base64: string | null
}

/** Asks the server for a file, in the reader's language. */
export type ExportRead = (at: { readonly language: Language }) => Promise<ExportedFile>

export interface Exporting {
  readonly isBusy: boolean
  readonly start: (read: ExportRead) => Promise<void>
}

/** Saves a small file at once; a large one goes to the export centre, which tells when it is ready. */
export function useExport(): Exporting {
  const [isBusy, setBusy] = useState(false)
  const language = useLanguage()
  const navigate = useNavigate()
  return {
    isBusy,
    start: async (read) => {
      if (isBusy) return
      setBusy(true)
      try {
        const file = await read({ language })
        const action = { label: t('导出中心'), run: () => void navigate(exportCentrePath) }
        if (file.state === 'queued') {
          watchExport({ exportId: file.exportId, fileName: file.fileName })
          notify.info({ title: t('数据较多，正在后台生成'), text: t('完成后会提醒您下载，可以离开本页。'), action })
        } else {
          if (file.base64 === null) saveFile(file.fileName, [file.text])
          else saveBytes(file.fileName, [bytesOf(file.base64)])
          notify.success({ text: t('已导出 {{count}} 行', { count: file.rows }), action })
        }
      } catch (error) {
        notify.error({ title: t('导出失败'), text: isApiError(error) ? wordsOf(error) : t('请稍后再试') })
      } finally {
        setBusy(false)
      }
    },
  }
}

export const exportCentrePath = '/exports'
