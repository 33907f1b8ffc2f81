import type { InputHTMLAttributes } from 'react'
import { centsOfYuan, yuanText } from '@saddle/contract/money.ts'
import { money } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import type { Common, ControlProps, Field, Read } from './field.ts'

interface TextOptions extends Common {
  readonly initial?: string
  readonly placeholder?: string
  readonly inputMode?: InputHTMLAttributes<HTMLInputElement>['inputMode']
  readonly type?: 'text' | 'tel' | 'url' | 'email' | 'password'
  readonly autoComplete?: string
  /** Removes typed characters that are not allowed, e.g. all but digits. */
  readonly keep?: (text: string) => string
  /** Suggested texts; any other text may be typed as well. */
  readonly suggestions?: readonly string[]
}

type Optional = { readonly isOptional: true }

export const optionalNote = (note: string | undefined): string => (note === undefined ? t('选填') : note)
const missing = (label: string): { fault: string } => ({ fault: t('请填写{{label}}', { label }) })

/** One line of text. `isOptional`: nothing is sent when it is empty. */
export function text(options: TextOptions & Optional): Field<string, string | undefined>
export function text(options: TextOptions): Field<string, string>
export function text(options: TextOptions & Partial<Optional>): Field<string, string | undefined> {
  const {
    initial = '',
    placeholder,
    inputMode,
    type = 'text',
    autoComplete = 'off',
    keep,
    suggestions,
    isOptional,
    ...rest
  } = options
  return {
    ...rest,
    ...(isOptional && { note: optionalNote(rest.note) }),
    initial,
    read: (value) => readText(value, options),
    control: ({ id, value, onChange, limits, isInvalid, describedBy }) => (
      <>
        <input
          id={id}
          className="form-input"
          type={type}
          inputMode={inputMode}
          autoComplete={autoComplete}
          placeholder={placeholder}
          maxLength={limits.maxLength}
          value={value}
          aria-invalid={isInvalid}
          aria-describedby={describedBy}
          {...(suggestions !== undefined && { list: `${id}-list` })}
          onChange={({ target }) => onChange(keep === undefined ? target.value : keep(target.value))}
        />
        {suggestions !== undefined && (
          <datalist id={`${id}-list`}>
            {suggestions.map((one) => (
              <option key={one} value={one} aria-label={one} />
            ))}
          </datalist>
        )}
      </>
    ),
  }
}

function readText(value: string, { label, isOptional }: TextOptions & Partial<Optional>): Read<string | undefined> {
  const trimmed = value.trim()
  if (trimmed !== '') return { value: trimmed }
  return isOptional === true ? { value: undefined } : missing(label)
}

interface LongOptions extends Common {
  readonly initial?: string
  readonly rows?: number
  /** Sentences that can be inserted with one press. */
  readonly presets?: readonly string[]
}

/** Several lines with a counter; Ctrl+Enter submits, because Enter starts a new line. */
export function longText(options: LongOptions & Optional): Field<string, string | undefined>
export function longText(options: LongOptions): Field<string, string>
export function longText(options: LongOptions & Partial<Optional>): Field<string, string | undefined> {
  const { initial = '', rows = 3, presets = [], isOptional, ...rest } = options
  return {
    ...rest,
    ...(isOptional && { note: optionalNote(rest.note) }),
    initial,
    read: (value) => readText(value, options),
    control: (props) => <LongText {...props} rows={rows} presets={presets} />,
  }
}

/** The reason for an action, with the most common sentences as suggestions. */
export const reason = (options: Partial<Common> & Pick<LongOptions, 'presets'> = {}): Field<string, string> =>
  longText({ label: t('原因'), rows: 2, ...options })

function LongText(props: ControlProps<string> & { rows: number; presets: readonly string[] }) {
  const { id, label, value, onChange, limits, isInvalid, describedBy, rows, presets } = props
  return (
    <>
      {presets.length > 0 && (
        <fieldset className="form-presets" aria-label={t('常用{{label}}', { label })}>
          {presets.map((preset) => (
            <button
              key={preset}
              type="button"
              className="form-preset"
              aria-pressed={value.trim() === preset}
              onClick={() => onChange(preset)}
            >
              {preset}
            </button>
          ))}
        </fieldset>
      )}
      <span className="form-long">
        <textarea
          id={id}
          className="form-input"
          rows={rows}
          maxLength={limits.maxLength}
          value={value}
          aria-invalid={isInvalid}
          aria-describedby={describedBy}
          onChange={({ target }) => onChange(target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
            event.preventDefault()
            event.currentTarget.form?.requestSubmit()
          }}
        />
        {limits.maxLength !== undefined && (
          <small className="form-count" aria-hidden="true">
            {value.length} / {limits.maxLength}
          </small>
        )}
      </span>
    </>
  )
}

interface NumberOptions extends Common {
  readonly initial?: number
  /** The unit after the number. */
  readonly unit?: string
  /** Maximum number of decimals. */
  readonly decimals?: number
}

/** A typed number; the contract's limits are shown beside it. */
export function number(options: NumberOptions & Optional): Field<string, number | undefined>
export function number(options: NumberOptions): Field<string, number>
export function number(options: NumberOptions & Partial<Optional>): Field<string, number | undefined> {
  const { initial, unit, decimals = 0, isOptional, ...rest } = options
  const pattern = decimals === 0 ? /^-?\d{1,12}$/ : new RegExp(`^-?\\d{1,12}(\\.\\d{1,${decimals}})?$`)
  return {
    ...rest,
    ...(isOptional && { note: optionalNote(rest.note) }),
    initial: initial === undefined ? '' : String(initial),
    read: (value, limits) => {
      const trimmed = value.trim()
      if (trimmed === '') return isOptional === true ? { value: undefined } : missing(rest.label)
      if (!pattern.test(trimmed)) return { fault: t('{{label}}应为数字', { label: rest.label }) }
      const found = Number(trimmed)
      const fault = rangeFault(rest.label, found, limits)
      return fault === null ? { value: found } : { fault }
    },
    control: (props) => <Typed {...props} inputMode={decimals === 0 ? 'numeric' : 'decimal'} unit={unit} />,
  }
}

function rangeFault(label: string, value: number, { minimum, maximum }: ControlProps<never>['limits']): string | null {
  if (minimum !== undefined && value < minimum) return t('{{label}}不能小于 {{limit}}', { label, limit: minimum })
  if (maximum !== undefined && value > maximum) return t('{{label}}不能大于 {{limit}}', { label, limit: maximum })
  return null
}

interface YuanOptions extends Common {
  readonly initialCents?: number
  /** An upper limit in addition to the contract's. */
  readonly maxCents?: number
  /** The error text above that limit; absent: 最多 … 元. */
  readonly over?: (yuan: string) => string
}

/** An amount in yuan, sent as cents. */
export function yuan(options: YuanOptions): Field<string, number> {
  const { initialCents, maxCents, over, ...rest } = options
  return {
    ...rest,
    initial: initialCents === undefined ? '' : yuanText(initialCents),
    read: (value, { minimum = 1, maximum = Number.MAX_SAFE_INTEGER }) => {
      if (value.trim() === '') return missing(rest.label)
      const cents = centsOfYuan(value)
      if (cents === null) return { fault: t('{{label}}应为数字，最多两位小数', { label: rest.label }) }
      const most = Math.min(maximum, maxCents ?? maximum)
      if (cents > most) return { fault: over?.(money(most)) ?? t('最多 {{yuan}} 元', { yuan: money(most) }) }
      if (cents < minimum) return { fault: t('至少 {{yuan}} 元', { yuan: money(minimum) }) }
      return { value: cents }
    },
    control: (props) => <Typed {...props} inputMode="decimal" unit={t('元')} />,
  }
}

interface TypedProps extends ControlProps<string> {
  readonly inputMode: 'numeric' | 'decimal'
  readonly unit: string | undefined
}

function Typed({ id, value, onChange, isInvalid, describedBy, inputMode, unit }: TypedProps) {
  return (
    <span className="form-with-unit">
      <input
        id={id}
        className="form-input"
        inputMode={inputMode}
        autoComplete="off"
        value={value}
        aria-invalid={isInvalid}
        aria-describedby={describedBy}
        onChange={({ target }) => onChange(target.value)}
      />
      {unit !== undefined && <span>{unit}</span>}
    </span>
  )
}

interface SpecialOptions extends Partial<Common> {
  readonly initial?: string
}

/** The mobile number of a rider or a colleague. It is never kept in a draft. */
export function phone(options: SpecialOptions & Optional): Field<string, string | undefined>
export function phone(options?: SpecialOptions): Field<string, string>
export function phone(options: SpecialOptions & Partial<Optional> = {}): Field<string, string | undefined> {
  return text({
    label: t('手机号'),
    type: 'tel',
    inputMode: 'numeric',
    isSecret: true,
    keep: (typed) => typed.replaceAll(/\D/g, ''),
    ...options,
  })
}

/** A vehicle's number as printed on the vehicle. */
export function vehicleNumber(options: SpecialOptions & Optional): Field<string, string | undefined>
export function vehicleNumber(options?: SpecialOptions): Field<string, string>
export function vehicleNumber(options: SpecialOptions & Partial<Optional> = {}): Field<string, string | undefined> {
  return text({ label: t('车辆编号'), keep: (typed) => typed.trim().toUpperCase(), ...options })
}

/** A name that the person has to type to confirm an irreversible deletion. */
export const retyped = (name: string): Field<string, string> => ({
  ...text({ label: t('输入“{{name}}”以确认', { name }), isSecret: true }),
  read: (value) => (value.trim() === name ? { value: name } : { fault: t('请输入“{{name}}”', { name }) }),
})
