import type { ReactNode } from 'react'
import { t } from '#kit/i18n/index.ts'
import { Button } from '#kit/plain/Button.tsx'
import { useExport, type ExportRead } from './useExport.ts'

/** Exports a list as a file and shows the progress. */
export function ExportButton({ onExport }: { readonly onExport: ExportRead }): ReactNode {
  const exporting = useExport()
  if (exporting.rows !== null) {
    return <Button onClick={exporting.cancel}>{t('已取 {{count}} 行，取消', { count: exporting.rows })}</Button>
  }
  return <Button onClick={() => void exporting.start(onExport)}>{t('导出')}</Button>
}
