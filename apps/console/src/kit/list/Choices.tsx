import Select from 'antd/es/select'
import type { ReactNode } from 'react'
import './filter.css'

interface Choice<V> {
  readonly value: V
  readonly label: string
}

interface ManyProps<V extends string | number> {
  readonly label: string
  readonly value: readonly V[] | undefined
  readonly options: readonly Choice<V>[]
  readonly onChange: (value: readonly V[] | undefined) => void
}

export function Many<V extends string | number>({ label, value, options, onChange }: ManyProps<V>): ReactNode {
  return (
    <Select<V[]>
      mode="multiple"
      aria-label={label}
      placeholder={label}
      className="filter-select"
      maxTagCount="responsive"
      allowClear
      showSearch={{ optionFilterProp: 'label' }}
      value={[...(value ?? [])]}
      options={[...options]}
      onChange={(next) => onChange(next.length === 0 ? undefined : next)}
    />
  )
}

interface OneProps<V extends string | number | boolean> {
  readonly label: string
  readonly value: V | undefined
  readonly options: readonly Choice<V>[]
  readonly onChange: (value: V | undefined) => void
  /** There is always one: it cannot be taken away, and its name stands before it. */
  readonly isRequired?: boolean
}

export function One<V extends string | number | boolean>({
  label,
  value,
  options,
  onChange,
  isRequired = false,
}: OneProps<V>): ReactNode {
  const at = options.findIndex((option) => option.value === value)
  return (
    <Select<number>
      aria-label={label}
      placeholder={label}
      className="filter-select"
      allowClear={!isRequired}
      {...(isRequired && { prefix: `${label}:` })}
      {...(at >= 0 && { value: at })}
      options={options.map((option, index) => ({ value: index, label: option.label }))}
      onChange={(next: number | undefined) => onChange(next === undefined ? undefined : options[next]?.value)}
    />
  )
}
