import { useRef, useState, type ReactNode } from 'react'
import dayjs, { type Dayjs } from 'dayjs'
import { businessOffsetMs, dayMs } from '@saddle/contract/time.ts'
import { serverNow } from '#kit/clock.ts'
import { startOfDay } from '#kit/day.ts'
import { dateOnly, dateTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { BusinessDatePicker } from '#kit/ui/BusinessDatePicker.ts'
import { useCalendarLanguage } from '#kit/ui/calendarLanguage.ts'
import { presets } from './presets.ts'

interface Props {
  readonly title: string
  /** Milliseconds since 1970: inclusive start and exclusive end. */
  readonly from: number | undefined
  readonly to: number | undefined
  readonly withTime: boolean
  /** Future days have no data and cannot be chosen. */
  readonly isPast?: boolean
  readonly onChange: (range: { readonly from?: number; readonly to?: number } | null) => void
}

const format = { day: 'YYYY-MM-DD', time: 'YYYY-MM-DD HH:mm' } as const

/** The picker of date ranges: presets by one press, others by the calendar; business days, 24-hour clock. */
export default function RangePanel({ title, from, to, withTime, isPast = false, onChange }: Props): ReactNode {
  useCalendarLanguage()
  const host = useRef<HTMLDivElement>(null)
  const [draft, setDraft] = useState<readonly [Dayjs | null, Dayjs | null]>(() => [
    shownOf(from),
    shownOf(to === undefined ? undefined : withTime ? to : to - 1),
  ])
  return (
    <div className="filter-range">
      <ul aria-label={t('常用时间范围')}>
        {presets().map(({ label, span }) => {
          const [first, end] = [startOfDay(span.from), startOfDay(span.to)]
          if (first === undefined || end === undefined) return null
          const isOn = first === from && end + dayMs === to
          return (
            <li key={label}>
              <button type="button" aria-pressed={isOn} onClick={() => onChange({ from: first, to: end + dayMs })}>
                {label}
              </button>
            </li>
          )
        })}
        {!isPast && (from !== undefined || to !== undefined) && (
          <li>
            <button type="button" onClick={() => onChange(null)}>
              {t('不限')}
            </button>
          </li>
        )}
      </ul>
      <div ref={host} className="filter-calendar">
        <BusinessDatePicker.RangePicker
          aria-label={title}
          open
          allowEmpty={[true, true]}
          needConfirm={withTime}
          {...(isPast && { maxDate: dayjs(dateOnly(serverNow())) })}
          format={withTime ? format.time : format.day}
          {...(withTime && { showTime: { format: 'HH:mm' } })}
          value={[draft[0], draft[1]]}
          getPopupContainer={() => host.current ?? document.body}
          onCalendarChange={(dates) => setDraft([dates?.[0] ?? null, dates?.[1] ?? null])}
          onChange={(dates) => {
            const [first, last] = [instantOf(dates?.[0], withTime), instantOf(dates?.[1], withTime)]
            if (first === undefined && last === undefined) return onChange(null)
            const end = last === undefined || withTime ? last : last + dayMs
            onChange({ ...(first !== undefined && { from: first }), ...(end !== undefined && { to: end }) })
          }}
        />
      </div>
    </div>
  )
}

/** The calendar shows business time in every browser time zone, so it works on digits, not instants. */
function shownOf(at: number | undefined): Dayjs | null {
  return at === undefined ? null : dayjs(dateTime(at).replace(' ', 'T'))
}

function instantOf(date: Dayjs | null | undefined, withTime: boolean): number | undefined {
  if (date === null || date === undefined) return undefined
  return withTime
    ? Date.parse(`${date.format('YYYY-MM-DDTHH:mm')}:00Z`) - businessOffsetMs
    : startOfDay(date.format('YYYY-MM-DD'))
}
