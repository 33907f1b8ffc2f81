import type { ReactNode } from 'react'
import DatePicker from 'antd/es/date-picker'
import dayjs from 'dayjs'
import { useCalendarLanguage } from './calendarLanguage.ts'
import type { DayInputProps } from './DayInput.tsx'

const format = 'YYYY-MM-DD'

export default function DayCalendar({ label, value, onChange, min }: DayInputProps): ReactNode {
  useCalendarLanguage()
  return (
    <DatePicker
      aria-label={label}
      format={format}
      allowClear={false}
      value={value === '' ? null : dayjs(value)}
      {...(min !== undefined && { minDate: dayjs(min) })}
      onChange={(date) => onChange(date === null ? '' : date.format(format))}
    />
  )
}
