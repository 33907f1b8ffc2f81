import Select from 'antd/es/select'
import { useId, type ReactNode } from 'react'

interface Choice<V> {
  readonly value: V
  readonly label: string
}

interface Props<V extends string | number> {
  readonly label: string
  readonly value: V
  readonly options: readonly Choice<V>[]
  readonly onChange: (value: V) => void
  /** So many options that they are found by typing. */
  readonly isSearched?: boolean
  readonly className?: string
}

/** One of several options outside of forms and filters, where one is always chosen. */
export function SelectOne<V extends string | number>(props: Props<V>): ReactNode {
  const { label, value, options, onChange, isSearched = false, className = 'select-one' } = props
  const id = useId()
  return (
    <Select<V>
      id={id}
      aria-label={label}
      className={className}
      popupMatchSelectWidth={false}
      value={value}
      options={[...options]}
      {...(isSearched && { showSearch: { optionFilterProp: 'label' } })}
      onChange={(chosen) => onChange(chosen)}
    />
  )
}
