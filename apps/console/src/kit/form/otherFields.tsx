import { businessDayEnd, businessDayOf, businessDayStart, dayMs } from '@saddle/contract/time.ts'
import { serverNow } from '#kit/clock.ts'
import { t } from '#kit/i18n/index.ts'
import { PhotoPicker } from '#kit/photos/PhotoPicker.tsx'
import type { PickedPhoto } from '#kit/photos/shrink.ts'
import { DayInput } from '#kit/ui/DayInput.tsx'
import type { Common, ControlProps, Field } from './field.ts'

/** For a number of days from now, until the end of a chosen day, or without end. */
export interface Term {
  readonly kind: 'days' | 'day' | 'ever'
  readonly days: number
  /** `YYYY-MM-DD`. */
  readonly day: string
}

interface TermOptions extends Common {
  /** Lengths that one press chooses, in days; the first one is the default. */
  readonly days: readonly [number, ...number[]]
  readonly initialDays?: number
  /** It may have no end. */
  readonly canLast?: boolean
}

/** How long something is valid, sent as its end instant; `undefined`: it does not end. */
export function term(options: TermOptions): Field<Term, number | undefined> {
  const { days, initialDays = days[0], canLast = false, ...rest } = options
  return {
    ...rest,
    isGroup: true,
    initial: { kind: 'days', days: initialDays, day: businessDayOf(serverNow() + initialDays * dayMs) },
    read: (value) => {
      if (value.kind === 'ever') return { value: undefined }
      const end = value.kind === 'days' ? serverNow() + value.days * dayMs : businessDayEnd(value.day)
      if (Number.isNaN(end)) return { fault: t('请填写到期日期') }
      return end > serverNow() ? { value: end } : { fault: t('到期日期已经过去') }
    },
    control: (props) => <TermChoice {...props} days={days} canLast={canLast} />,
  }
}

function TermChoice(props: ControlProps<Term> & { readonly days: readonly number[]; readonly canLast: boolean }) {
  const { id, value, onChange, days, canLast } = props
  const offer = (label: string, isChosen: boolean, next: Term) => (
    <label key={label} className="form-choice">
      <input type="radio" name={id} checked={isChosen} onChange={() => onChange(next)} />
      <span>{label}</span>
    </label>
  )
  return (
    <span className="form-choices">
      {days.map((count) =>
        offer(t('{{count}} 天', { count }), value.kind === 'days' && value.days === count, {
          ...value,
          kind: 'days',
          days: count,
        }),
      )}
      {offer(t('到某日'), value.kind === 'day', { ...value, kind: 'day' })}
      {canLast && offer(t('永久'), value.kind === 'ever', { ...value, kind: 'ever' })}
      {value.kind === 'day' && (
        <DayInput
          label={t('到期日期')}
          min={businessDayOf(serverNow())}
          value={value.day}
          onChange={(day) => onChange({ ...value, day })}
        />
      )}
    </span>
  )
}

interface DayOptions extends Common {
  /** `YYYY-MM-DD`; absent: none. */
  readonly initial?: string
  readonly isOptional?: boolean
  /** Which instant of the day is sent. */
  readonly as: 'start' | 'end'
}

/** A business day, sent as the instant of its beginning or end. */
export function day(options: DayOptions): Field<string, number | undefined> {
  const { initial = '', isOptional = false, as, ...rest } = options
  return {
    ...rest,
    initial,
    read: (value) => {
      if (value === '')
        return isOptional ? { value: undefined } : { fault: t('请填写{{label}}', { label: rest.label }) }
      const at = as === 'start' ? businessDayStart(value) : businessDayEnd(value)
      return Number.isNaN(at) ? { fault: t('{{label}}格式不正确', { label: rest.label }) } : { value: at }
    },
    control: ({ label, value, onChange }) => (
      <DayInput label={label} value={value} onChange={onChange} isOptional={isOptional} />
    ),
  }
}

/** The instant of a moment of business time, `YYYY-MM-DD HH:mm`; undefined for none. */
export function instantOf(text: string): number | undefined {
  const at = Date.parse(`${text.replace(' ', 'T')}:00+08:00`)
  return Number.isNaN(at) ? undefined : at
}

/** A moment of business time, by day, hour and minute. `isOptional`: nothing is sent when it is empty. */
export function moment(
  options: Common & { readonly initial?: string; readonly isOptional?: boolean },
): Field<string, number | undefined> {
  const { initial = '', isOptional = false, ...rest } = options
  return {
    ...rest,
    initial,
    isGroup: true,
    read: (value) => {
      if (value === '')
        return isOptional ? { value: undefined } : { fault: t('请填写{{label}}', { label: rest.label }) }
      const at = instantOf(value)
      return at === undefined ? { fault: t('{{label}}格式不正确', { label: rest.label }) } : { value: at }
    },
    control: ({ label, value, onChange }) => <DayInput label={label} value={value} onChange={onChange} withTime />,
  }
}

/** Photos from the camera or the gallery, sent as base64. They are too large for a draft. */
export function photos(options: Common & { readonly max?: number }): Field<readonly PickedPhoto[], string[]> {
  const { max, ...rest } = options
  return {
    ...rest,
    initial: [],
    isSecret: true,
    isGroup: true,
    read: (value) => ({ value: value.map(({ base64 }) => base64) }),
    control: ({ label, value, onChange, limits }) => (
      <PhotoPicker value={value} onChange={onChange} max={max ?? limits.maxItems ?? 1} label={label} />
    ),
  }
}

/** A fixed value that cannot be changed here; `shown` is its text. */
export function fixed<T extends string | number>(
  options: Common & { readonly value: T; readonly shown?: string },
): Field<T, T> {
  const { value: settled, shown = String(settled), ...rest } = options
  return {
    ...rest,
    initial: settled,
    read: () => ({ value: settled }),
    control: ({ id, describedBy }) => (
      <input id={id} className="form-input" readOnly value={shown} aria-describedby={describedBy} />
    ),
  }
}
