import type { ReactNode } from 'react'
import {
  dayStartMax,
  reportCalendarEndpoints,
  reportZoneLabels,
  reportZones,
  type ReportCalendar,
  type ReportZone,
} from '@saddle/contract/reports/calendar.ts'
import { reportFigureEndpoints } from '@saddle/contract/reports/figures.ts'
import { FormDialog } from '#kit/form/FormDialog.tsx'
import { select } from '#kit/form/choiceFields.tsx'
import { dateTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { useEndpoint } from '#kit/query.ts'
import { hourText } from './words.ts'

/** Which hours make a business day of the company's reports. */
export function CalendarDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  const { data } = useEndpoint(reportCalendarEndpoints.readReportCalendar, {})
  if (data === undefined) return null
  const { zone, dayStartsAt, pending, changedAt, changedBy } = data.data
  const start: ReportCalendar = pending ?? { zone, dayStartsAt }
  return (
    <FormDialog
      key={`${start.zone} ${start.dayStartsAt}`}
      title={t('报表营业日')}
      call={reportCalendarEndpoints.changeReportCalendar}
      about="calendar"
      fields={{
        zone: select<ReportZone>({
          label: t('时区'),
          initial: start.zone,
          options: reportZones.map((value) => ({ value, label: t(reportZoneLabels[value]) })),
        }),
        dayStartsAt: select<number>({
          label: t('一天从几点开始'),
          initial: start.dayStartsAt,
          options: Array.from({ length: dayStartMax + 1 }, (_, hour) => ({ value: hour, label: hourText(hour) })),
        }),
      }}
      input={(inputs) => inputs}
      submit={t('更改营业日')}
      stale={[
        reportCalendarEndpoints.readReportCalendar,
        reportFigureEndpoints.readReport,
        reportFigureEndpoints.listReportRows,
      ]}
      done={() => t('营业日已更改，以往的数字正在重新归日')}
      undo={({ data: { before } }) => before}
      onClose={onClose}
    >
      <p>
        {t(
          '本公司报表的每一天按此划分。更改后，以往各日、各月的数字按新的营业日重新归日，合计不变；车辆日仍按北京时间。',
        )}
      </p>
      {pending !== null && <p>{t('正在按上次的更改重新归日。')}</p>}
      {changedAt !== null && changedBy !== null && (
        <p className="form-hint">{t('{{name}} 于 {{at}} 更改', { name: changedBy, at: dateTime(changedAt) })}</p>
      )}
    </FormDialog>
  )
}
