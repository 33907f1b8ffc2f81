import { exportEndpoints } from '@saddle/contract/exports/jobs.ts'
import { call, isApiError, wordsOf } from '#kit/api/client.ts'
import { t } from '#kit/i18n/index.ts'
import { notify } from '#kit/notify.ts'
import { bytesOf, saveBytes } from './save.ts'

/** Fetches a file of the export centre part by part and saves it; the server checks permission and scope with each. */
export async function downloadExport(exportId: string, onPart?: (share: number) => void): Promise<void> {
  const pieces: Uint8Array<ArrayBuffer>[] = []
  try {
    for (let part = 0; ; part += 1) {
      const { data } = await call(exportEndpoints.readExportPart, { exportId, part }, { quiet: true })
      pieces.push(bytesOf(data.base64))
      onPart?.((part + 1) / data.parts)
      if (part + 1 < data.parts) continue
      saveBytes(data.fileName, pieces)
      return
    }
  } catch (error) {
    notify.error({ title: t('下载失败'), text: isApiError(error) ? wordsOf(error) : t('请稍后再试') })
  }
}
