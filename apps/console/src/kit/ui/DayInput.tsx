import { lazy, Suspense, type ReactNode } from 'react'

const Calendar = lazy(() => import('./DayCalendar.tsx'))

export interface DayInputProps {
  readonly label: string
  /** `YYYY-MM-DD`; '' for none. */
  readonly value: string
  readonly onChange: (day: string) => void
  /** With hours and minutes: `YYYY-MM-DD HH:mm`; it can be taken away again. */
  readonly withTime?: boolean
  /** The first day that may be chosen. */
  readonly min?: string
  /** None may be chosen. */
  readonly isOptional?: boolean
}

/** One business day, in the console's language whatever the browser's is; the calendar is fetched when it is first shown. */
export function DayInput(props: DayInputProps): ReactNode {
  return (
    <Suspense fallback={<input className="filter-input" aria-label={props.label} value={props.value} readOnly />}>
      <Calendar {...props} />
    </Suspense>
  )
}
