import { useId, type Ref, type InputHTMLAttributes, type ReactNode, type TextareaHTMLAttributes } from 'react'
import './plain.css'

interface Shared {
  readonly label: string
  /** Shown below in red and tied to the control. */
  readonly error?: string | null
  readonly hint?: string
  readonly optionalText?: string
}

interface FieldProps extends InputHTMLAttributes<HTMLInputElement>, Shared {
  readonly ref?: Ref<HTMLInputElement>
  /** Stands inside the frame at the right: a button, a unit. */
  readonly beside?: ReactNode
}

/** A labelled input with its hint and its fault. */
export function Field({ label, error, hint, optionalText, beside, ...rest }: FieldProps): ReactNode {
  const id = useId()
  return (
    <Frame
      id={id}
      label={label}
      error={error ?? null}
      {...(hint !== undefined && { hint })}
      {...(optionalText !== undefined && { optionalText })}
    >
      <span className="plain-field-frame" data-invalid={Boolean(error)}>
        <input {...rest} id={id} aria-invalid={Boolean(error)} aria-describedby={describedBy(id, error, hint)} />
        {beside}
      </span>
    </Frame>
  )
}

interface AreaProps extends TextareaHTMLAttributes<HTMLTextAreaElement>, Shared {}

/** The same for several lines. */
export function AreaField({ label, error, hint, optionalText, ...rest }: AreaProps): ReactNode {
  const id = useId()
  return (
    <Frame
      id={id}
      label={label}
      error={error ?? null}
      {...(hint !== undefined && { hint })}
      {...(optionalText !== undefined && { optionalText })}
    >
      <span className="plain-field-frame" data-invalid={Boolean(error)}>
        <textarea {...rest} id={id} aria-invalid={Boolean(error)} aria-describedby={describedBy(id, error, hint)} />
      </span>
    </Frame>
  )
}

interface FrameProps extends Shared {
  readonly id: string
  readonly children: ReactNode
}

function Frame({ id, label, error, hint, optionalText, children }: FrameProps): ReactNode {
  return (
    <div className="plain-field">
      <label htmlFor={id}>
        {label}
        {optionalText !== undefined && <span className="plain-field-optional">{optionalText}</span>}
      </label>
      {children}
      <p className="plain-field-note" id={`${id}-note`} data-fault={Boolean(error)} role={error ? 'alert' : undefined}>
        {error ?? hint ?? ''}
      </p>
    </div>
  )
}

function describedBy(id: string, error: string | null | undefined, hint: string | undefined): string | undefined {
  return error || hint ? `${id}-note` : undefined
}
