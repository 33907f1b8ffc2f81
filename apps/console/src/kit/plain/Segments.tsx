import { useRef, type ReactNode } from 'react'
import { useChosenInSight } from './useChosenInSight.ts'
import './segments.css'

interface Props<V extends string | number> {
  readonly label: string
  readonly options: readonly { readonly value: V; readonly label: ReactNode }[]
  /** Null: none of them. */
  readonly value: V | null
  readonly onChange: (value: V) => void
}

/** One of a few, in a row: how a page looks at what it shows. It is no action, so it does not look like one. */
export function Segments<V extends string | number>({ label, options, value, onChange }: Props<V>): ReactNode {
  const row = useRef<HTMLFieldSetElement>(null)
  useChosenInSight(row, value)
  return (
    <fieldset ref={row} className="segments" aria-label={label}>
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === value}
          onClick={() => onChange(option.value)}
        >
          {option.label}
        </button>
      ))}
    </fieldset>
  )
}
