import type { ReactNode } from 'react'
import { t } from '#kit/i18n/index.ts'
import { Button } from '#kit/plain/Button.tsx'
import { useExport, type ExportRead } from './useExport.ts'

/** Exports what is no list as a file. */
export function ExportButton({ onExport }: { readonly onExport: ExportRead }): ReactNode {
  const exporting = useExport()
  return (
    <Button busy={exporting.isBusy} onClick={() => void exporting.start(onExport)}>
      {t('导出')}
    </Button>
  )
}
