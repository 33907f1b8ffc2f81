import type { ReactNode } from 'react'
import dayjs from 'dayjs'
import { BusinessDatePicker } from './BusinessDatePicker.ts'
import { useCalendarLanguage } from './calendarLanguage.ts'
import type { DayInputProps } from './DayInput.tsx'

const dayFormat = 'YYYY-MM-DD'
const timeFormat = 'HH:mm'

export default function DayCalendar({
  label,
  value,
  onChange,
  min,
  max,
  withTime = false,
  isOptional = withTime,
}: DayInputProps): ReactNode {
  useCalendarLanguage()
  const format = withTime ? `${dayFormat} ${timeFormat}` : dayFormat
  return (
    <BusinessDatePicker
      aria-label={label}
      format={format}
      allowClear={isOptional}
      {...(withTime && { showTime: { format: timeFormat }, needConfirm: false })}
      value={value === '' ? null : dayjs(value)}
      {...(min !== undefined && { minDate: dayjs(min) })}
      {...(max !== undefined && { maxDate: dayjs(max).endOf('day') })}
      // Enter chooses the typed day; it must not submit the surrounding form.
      onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
      onChange={(date) => onChange(date === null ? '' : date.format(format))}
    />
  )
}
