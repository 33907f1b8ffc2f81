import { lazy, Suspense, useState, type ReactNode } from 'react'
import { reportCalendarEndpoints, reportZoneLabels } from '@saddle/contract/reports/calendar.ts'
import { loadChunk } from '#kit/chunk.tsx'
import { t } from '#kit/i18n/index.ts'
import { useEndpoint } from '#kit/query.ts'
import { usePermissions } from '#kit/session/permissions.ts'
import { hourText } from './words.ts'

const CalendarDialog = lazy(async () => {
  const { CalendarDialog: Loaded } = await loadChunk(() => import('./CalendarDialog.tsx'))
  return { default: Loaded }
})

/** By which calendar the days of reports count; those who configure the company change it here. */
export function CalendarNote(): ReactNode {
  const { data } = useEndpoint(reportCalendarEndpoints.readReportCalendar, {}, { quiet: true })
  const mayChange = usePermissions().held.has('0502')
  const [isOpen, setOpen] = useState(false)
  if (data === undefined) return null
  const { zone, dayStartsAt, pending } = data.data
  const words =
    pending === null
      ? t('营业日：{{zone}} {{hour}} 起', { zone: t(reportZoneLabels[zone]), hour: hourText(dayStartsAt) })
      : t('正在按新的营业日重新归日')
  if (!mayChange) return <span className="report-calendar">{words}</span>
  return (
    <>
      <button type="button" className="filter-link report-calendar" onClick={() => setOpen(true)}>
        {words}
      </button>
      <Suspense fallback={null}>{isOpen && <CalendarDialog onClose={() => setOpen(false)} />}</Suspense>
    </>
  )
}
