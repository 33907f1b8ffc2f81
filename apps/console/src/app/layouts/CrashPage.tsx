import type { ReactNode } from 'react'
import { t } from '#kit/i18n/index.ts'
import { Button } from '#kit/plain/Button.tsx'
import { ToastRegion } from '#kit/plain/ToastRegion.tsx'
import { ErrorState } from '#kit/ui/states.tsx'
import { Watermark } from '../Watermark.tsx'

/** Shown when rendering a page has failed. */
export function CrashPage(): ReactNode {
  return (
    <main>
      <ErrorState
        size="page"
        title={t('页面出错了')}
        text={t('页面在显示时出错，重新载入通常可以恢复。')}
        action={
          <Button look="primary" onClick={() => location.reload()}>
            {t('重新载入')}
          </Button>
        }
      />
      <ToastRegion />
      <Watermark />
    </main>
  )
}
