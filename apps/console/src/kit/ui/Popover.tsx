import { useEffect, useId, useLayoutEffect, useRef, useState, type ReactNode } from 'react'
import './popover.css'

interface Props {
  /** What the panel is for. */
  readonly label: string
  /** Content of the button. */
  readonly face: ReactNode
  readonly className?: string
  /** Accessible name of the button when its content is not text. */
  readonly buttonLabel?: string
  readonly isPressed?: boolean
  /** The panel closes when this changes: e.g. the address of the page. */
  readonly place?: string
  readonly children: (close: () => void) => ReactNode
}

/** A button with a panel below it: takes the focus, closes on Esc or an outside press, then returns the focus. */
export function Popover({ label, face, className, buttonLabel, isPressed, place = '', children }: Props): ReactNode {
  const [openedAt, setOpenedAt] = useState<string | null>(null)
  if (openedAt !== null && openedAt !== place) setOpenedAt(null)
  const isOpen = openedAt === place
  const host = useRef<HTMLDivElement>(null)
  const id = useId()
  useEffect(() => {
    const element = host.current
    if (!isOpen || element === null) return undefined
    const onPointerDown = (event: PointerEvent): void => {
      if (event.target instanceof Node && element.contains(event.target)) return
      setOpenedAt(null)
    }
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape') return
      // Esc must not also close the list panel or sheet under this one.
      event.stopPropagation()
      element.querySelector<HTMLElement>(':scope > button')?.focus()
      setOpenedAt(null)
    }
    document.addEventListener('pointerdown', onPointerDown)
    element.addEventListener('keydown', onKeyDown)
    return () => {
      document.removeEventListener('pointerdown', onPointerDown)
      element.removeEventListener('keydown', onKeyDown)
    }
  }, [isOpen])
  return (
    <div ref={host} className="popover">
      <button
        type="button"
        className={className ?? 'popover-button'}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        aria-label={buttonLabel}
        data-pressed={isPressed}
        onClick={() => setOpenedAt(isOpen ? null : place)}
      >
        {face}
      </button>
      {isOpen && (
        <Panel id={id} label={label}>
          {children(() => setOpenedAt(null))}
        </Panel>
      )}
    </div>
  )
}

const marginPx = 8

function Panel({ id, label, children }: { readonly id: string; readonly label: string; readonly children: ReactNode }) {
  const panel = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const element = panel.current
    if (element === null) return undefined
    const place = (): void => {
      element.style.translate = '0'
      const { left, right } = element.getBoundingClientRect()
      const over = Math.max(0, right - (document.documentElement.clientWidth - marginPx))
      element.style.translate = `${-Math.min(over, Math.max(0, left - marginPx))}px`
    }
    place()
    // Content that loads after opening can make the panel wider.
    const observer = new ResizeObserver(place)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  useEffect(() => {
    const before = document.activeElement
    const first = panel.current?.querySelector<HTMLElement>('input, button, [tabindex="0"]')
    const target = first ?? panel.current
    target?.focus()
    return () => {
      const now = document.activeElement
      const isLost = now === null || now === document.body || !now.isConnected
      if (isLost && before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
  return (
    <dialog ref={panel} open id={id} className="popover-panel" aria-label={label} tabIndex={-1}>
      {children}
    </dialog>
  )
}
