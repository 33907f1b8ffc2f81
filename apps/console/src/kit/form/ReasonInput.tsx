import { useId, useState, type Dispatch, type ReactNode, type SetStateAction } from 'react'
import './decisionBar.css'

/** The reason or note of a decision, as it is typed. */
export interface Reason {
  readonly typed: string
  /** Without surrounding spaces: what is sent. */
  readonly text: string
  readonly setTyped: Dispatch<SetStateAction<string>>
  /** Takes the field when it is on the page, so that a key can go to it. */
  readonly setField: Dispatch<SetStateAction<HTMLInputElement | null>>
  readonly focus: () => void
  readonly clear: () => void
}

export function useReason(): Reason {
  const [typed, setTyped] = useState('')
  const [field, setField] = useState<HTMLInputElement | null>(null)
  return {
    typed,
    text: typed.trim(),
    setTyped,
    setField,
    focus: () => field?.focus(),
    clear: () => setTyped(''),
  }
}

interface Props {
  readonly reason: Reason
  /** Who reads it, and whether it must be given. */
  readonly label: string
  readonly maxLength: number
  /** What is said most often: offered while the field is typed in. */
  readonly usual?: readonly string[]
  readonly onEnter?: () => void
}

/** The field for a reason beside the buttons of a decision. */
export function ReasonInput({ reason, label, maxLength, usual, onEnter }: Props): ReactNode {
  const { typed, setTyped, setField } = reason
  const id = useId()
  return (
    <>
      <input
        ref={setField}
        className="text-input"
        value={typed}
        maxLength={maxLength}
        aria-label={label}
        placeholder={label}
        {...(usual !== undefined && { list: id })}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={(event) => event.key === 'Enter' && onEnter?.()}
      />
      {usual !== undefined && (
        <datalist id={id}>
          {usual.map((text) => (
            <option key={text}>{text}</option>
          ))}
        </datalist>
      )}
    </>
  )
}

/** Buttons of a decision in a row, with its reason; on a phone below each other. */
export function DecisionBar({ children }: { readonly children: ReactNode }): ReactNode {
  return <div className="decision-bar">{children}</div>
}
