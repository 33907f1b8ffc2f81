import Select from 'antd/es/select'
import type { ReactNode } from 'react'
import { t } from '#kit/i18n/index.ts'
import type { Common, ControlProps, Field } from './field.ts'
import { optionalNote } from './textFields.tsx'

export interface Option<T> {
  readonly value: T
  readonly label: string
  /** Shown below the label. */
  readonly text?: string
  readonly isDisabled?: boolean
}

interface ChoiceOptions<T> extends Common {
  readonly options: readonly Option<T>[]
  readonly initial: T
}

/** One of a few options, all of them visible. */
export function choice<const T extends string | number | boolean>(options: ChoiceOptions<T>): Field<T, T> {
  const { options: offered, ...rest } = options
  return {
    ...rest,
    isGroup: true,
    read: (value) => ({ value }),
    control: (props) => <Radios {...props} options={offered} />,
  }
}

function Radios<T extends string | number | boolean>(props: ControlProps<T> & { options: readonly Option<T>[] }) {
  const { id, value, onChange, options } = props
  return (
    <span className="form-choices">
      {options.map((one) => (
        <label key={String(one.value)} className="form-choice">
          <input
            type="radio"
            name={id}
            checked={value === one.value}
            disabled={one.isDisabled}
            onChange={() => onChange(one.value)}
          />
          <span>
            {one.label}
            {one.text !== undefined && <small>{one.text}</small>}
          </span>
        </label>
      ))}
    </span>
  )
}

interface SelectOptions<T> extends Common {
  readonly options: readonly Option<T>[]
  readonly initial?: T | null
  /** The options are still loading. */
  readonly isLoading?: boolean
  readonly placeholder?: string
}

type Optional = { readonly isOptional: true }

/** One of many options, found by typing. `isOptional`: nothing is sent when none is chosen. */
export function select<T extends string | number>(options: SelectOptions<T> & Optional): Field<T | null, T | undefined>
export function select<T extends string | number>(options: SelectOptions<T>): Field<T | null, T>
export function select<T extends string | number>(
  options: SelectOptions<T> & Partial<Optional>,
): Field<T | null, T | undefined> {
  const { options: offered, initial = null, isLoading = false, placeholder, isOptional, ...rest } = options
  return {
    ...rest,
    ...(isOptional && { note: optionalNote(rest.note) }),
    initial,
    read: (value) => {
      if (value !== null) return { value }
      return isOptional === true ? { value: undefined } : { fault: t('请选择{{label}}', { label: rest.label }) }
    },
    control: ({ id, label, value, onChange, isInvalid }) => (
      <Select<T>
        id={id}
        aria-label={label}
        className="form-select"
        value={value}
        loading={isLoading}
        allowClear={isOptional === true}
        showSearch={{ optionFilterProp: 'label' }}
        placeholder={placeholder ?? t('请选择')}
        {...(isInvalid && { status: 'error' as const })}
        options={offered.map((one) => ({ value: one.value, label: one.label, disabled: one.isDisabled === true }))}
        onChange={(chosen) => onChange(chosen ?? null)}
      />
    ),
  }
}

interface ManyOptions<T> extends Common {
  readonly options: readonly Option<T>[]
  readonly initial?: readonly T[]
  readonly isLoading?: boolean
  readonly placeholder?: string
}

/** Several of many options, found by typing. */
export function many<T extends string | number>(options: ManyOptions<T>): Field<readonly T[], T[]> {
  const { options: offered, initial = [], isLoading = false, placeholder, ...rest } = options
  return {
    ...rest,
    initial,
    read: (value, limits) =>
      value.length === 0 && limits.isRequired
        ? { fault: t('请选择{{label}}', { label: rest.label }) }
        : { value: [...value] },
    control: ({ id, label, value, onChange, limits, isInvalid }) => (
      <Select<T[]>
        mode="multiple"
        id={id}
        aria-label={label}
        className="form-select"
        value={[...value]}
        loading={isLoading}
        maxTagCount="responsive"
        {...(limits.maxItems !== undefined && { maxCount: limits.maxItems })}
        showSearch={{ optionFilterProp: 'label' }}
        placeholder={placeholder ?? t('请选择')}
        {...(isInvalid && { status: 'error' as const })}
        options={offered.map((one) => ({ value: one.value, label: one.label, disabled: one.isDisabled === true }))}
        onChange={onChange}
      />
    ),
  }
}

/** Several of a few options, all of them visible. */
export function checks<T extends string | number>(
  options: Common & { readonly options: readonly Option<T>[]; readonly initial?: readonly T[] },
): Field<readonly T[], T[]> {
  const { options: offered, initial = [], ...rest } = options
  return {
    ...rest,
    initial,
    isGroup: true,
    read: (value, limits) =>
      value.length === 0 && limits.isRequired
        ? { fault: t('请选择{{label}}', { label: rest.label }) }
        : { value: [...value] },
    control: (props) => <Checks {...props} options={offered} />,
  }
}

function Checks<T extends string | number>(props: ControlProps<readonly T[]> & { options: readonly Option<T>[] }) {
  const { value, onChange, options } = props
  const toggle = (one: T) => onChange(value.includes(one) ? value.filter((other) => other !== one) : [...value, one])
  return (
    <span className="form-choices">
      {options.map((one) => (
        <label key={one.value} className="form-choice">
          <input
            type="checkbox"
            checked={value.includes(one.value)}
            disabled={one.isDisabled}
            onChange={() => toggle(one.value)}
          />
          <span>
            {one.label}
            {one.text !== undefined && <small>{one.text}</small>}
          </span>
        </label>
      ))}
    </span>
  )
}

/** Yes or no; `says` is the text beside the box. */
export function flag(
  options: Common & { readonly initial: boolean; readonly says: ReactNode },
): Field<boolean, boolean> {
  const { says, ...rest } = options
  return {
    ...rest,
    isGroup: true,
    read: (value) => ({ value }),
    control: ({ value, onChange }) => (
      <label className="form-choice">
        <input type="checkbox" checked={value} onChange={({ target }) => onChange(target.checked)} />
        <span>{says}</span>
      </label>
    ),
  }
}
