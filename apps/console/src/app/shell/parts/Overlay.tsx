import { useEffect, useRef, type KeyboardEvent, type ReactElement, type ReactNode } from 'react'
import { createPortal } from 'react-dom'

const focusable = 'a[href],button:not([disabled]),input:not([disabled]),textarea,select,[tabindex]:not([tabindex="-1"])'

interface OverlayProps {
  readonly label: string
  /** `side`: a drawer from the left; `middle`: a panel in the upper middle. */
  readonly place: 'side' | 'middle'
  readonly onClose: () => void
  readonly children: ReactNode
}

/** A modal panel of the shell's own: takes the focus, keeps it, gives it back; Esc and a click beside it close it. */
export function Overlay({ label, place, onClose, children }: OverlayProps): ReactElement {
  const panel = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const before = document.activeElement
    const first = panel.current?.querySelector<HTMLElement>('[data-autofocus]') ?? panel.current
    first?.focus()
    return () => {
      if (before instanceof HTMLElement) before.focus()
    }
  }, [])
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>): void => {
    if (event.key === 'Escape') {
      event.stopPropagation()
      onClose()
    }
    if (event.key === 'Tab') keepFocusInside(event)
  }
  return createPortal(
    <div className="shell shell-overlay" data-place={place}>
      <div className="shell-overlay-shade" onClick={onClose} />
      <div
        ref={panel}
        className="shell-overlay-panel"
        role="dialog"
        aria-modal="true"
        aria-label={label}
        tabIndex={-1}
        onKeyDown={onKeyDown}
      >
        {children}
      </div>
    </div>,
    document.body,
  )
}

function keepFocusInside(event: KeyboardEvent<HTMLDivElement>): void {
  const inside = [...event.currentTarget.querySelectorAll<HTMLElement>(focusable)]
  const [first, last] = [inside[0], inside.at(-1)]
  if (first === undefined || last === undefined) return
  const leaving = event.shiftKey ? document.activeElement === first : document.activeElement === last
  if (!leaving && event.currentTarget.contains(document.activeElement)) return
  event.preventDefault()
  const next = event.shiftKey ? last : first
  next.focus()
}
