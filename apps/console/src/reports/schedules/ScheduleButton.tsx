import { lazy, Suspense, useState, type ReactNode } from 'react'
import type { ScheduledReport } from '@saddle/contract/reports/schedules.ts'
import { loadChunk } from '#kit/chunk.tsx'
import { t } from '#kit/i18n/index.ts'
import { Button } from '#kit/plain/Button.tsx'

const SchedulesSheet = lazy(async () => {
  const { SchedulesSheet: Loaded } = await loadChunk(() => import('./SchedulesSheet.tsx'))
  return { default: Loaded }
})

/** Opens the reports that are sent regularly. */
export function ScheduleButton({ report }: { readonly report: ScheduledReport }): ReactNode {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>{t('定时发送')}</Button>
      <Suspense fallback={null}>{isOpen && <SchedulesSheet report={report} onClose={() => setOpen(false)} />}</Suspense>
    </>
  )
}
