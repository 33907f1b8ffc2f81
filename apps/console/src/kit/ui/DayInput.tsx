import { lazy, Suspense, type ReactNode } from 'react'

const Calendar = lazy(() => import('./DayCalendar.tsx'))

export interface DayInputProps {
  readonly label: string
  /** `YYYY-MM-DD`; '' for none. */
  readonly value: string
  readonly onChange: (day: string) => void
  /** With hours and minutes: `YYYY-MM-DD HH:mm`; the time can be removed again. */
  readonly withTime?: boolean
  /** The first day that may be chosen. */
  readonly min?: string
  /** The last one. */
  readonly max?: string
  /** Disabled. */
  readonly isOptional?: boolean
}

/** Input for one business day in the console's language, not the browser's; loads the calendar on first use. */
export function DayInput(props: DayInputProps): ReactNode {
  return (
    <Suspense fallback={<input className="text-input" aria-label={props.label} value={props.value} readOnly />}>
      <Calendar {...props} />
    </Suspense>
  )
}
