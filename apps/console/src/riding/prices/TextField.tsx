import type { ReactNode } from 'react'

interface Props {
  readonly label: string
  readonly value: string
  /** A number is typed as text: what is half typed stays as it is. */
  /** `time`: hours and minutes of 24. */
  readonly type?: 'text' | 'time'
  readonly onChange: (value: string) => void
}

/** A labelled field of a price or of a ride. */
export function TextField({ label, value, type = 'text', onChange }: Props): ReactNode {
  return (
    <label>
      {label}
      <input
        className="form-input"
        {...(type === 'time' ? { placeholder: 'HH:mm', maxLength: 5 } : { inputMode: 'decimal' as const })}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </label>
  )
}
