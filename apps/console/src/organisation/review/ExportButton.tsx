import type { ReactNode } from 'react'
import { reviewEndpoints } from '@saddle/contract/organisation/review.ts'
import { call } from '#kit/api/client.ts'
import { t } from '#kit/i18n/index.ts'
import { useExport } from '#kit/list/useExport.ts'
import { Button } from '#kit/plain/Button.tsx'

/** The review as a file. */
export function ExportButton({ ask }: { readonly ask: { operatorId: number } | { code: string } }): ReactNode {
  const exporting = useExport()
  if (exporting.rows !== null) {
    return <Button onClick={exporting.cancel}>{t('取消导出（已读 {{count}} 行）', { count: exporting.rows })}</Button>
  }
  const start = () =>
    exporting.start(
      async (at, signal) => (await call(reviewEndpoints.exportReview, { ...ask, ...at }, { signal })).data,
    )
  return <Button onClick={() => void start()}>{t('导出')}</Button>
}
