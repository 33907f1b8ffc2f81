import { useEffect, useId, useRef, useState, type KeyboardEvent, type ReactElement, type ReactNode } from 'react'

export interface MenuEntry {
  readonly key: string
  readonly label: ReactNode
  readonly icon?: ReactNode
  /** Shown at the end of the line: a state or a key. */
  readonly hint?: ReactNode
  readonly onSelect: () => void
  /** Stands off from the entry above it. */
  readonly apart?: boolean
}

interface MenuButtonProps {
  readonly label: string
  readonly className?: string
  readonly head?: ReactNode
  readonly entries: readonly MenuEntry[]
  readonly children: ReactNode
}

/** A button that opens a menu below itself: arrows move, Enter chooses, Esc closes and gives the focus back. */
export function MenuButton({ label, className, head, entries, children }: MenuButtonProps): ReactElement {
  const [open, setOpen] = useState(false)
  const root = useRef<HTMLDivElement>(null)
  const id = useId()
  useClickBeside(root, open, () => setOpen(false))
  useEffect(() => {
    if (open) root.current?.querySelector<HTMLElement>('[role=menuitem]')?.focus()
  }, [open])
  const close = (): void => {
    setOpen(false)
    root.current?.querySelector<HTMLElement>('button')?.focus()
  }
  return (
    <div className="shell-drop" ref={root}>
      <button
        type="button"
        className={className ?? 'shell-button'}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        title={label}
        onClick={() => setOpen(!open)}
      >
        {children}
      </button>
      {open && (
        <div className="shell-pop">
          {head}
          <EntryList id={id} label={label} entries={entries} onClose={close} />
        </div>
      )}
    </div>
  )
}

/** The entries of a menu; also used where a menu opens at the pointer. */
export function EntryList(props: {
  readonly id?: string
  readonly label: string
  readonly entries: readonly MenuEntry[]
  readonly onClose: () => void
}): ReactElement {
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>): void => {
    if (event.key === 'Escape' || event.key === 'Tab') {
      if (event.key === 'Escape') event.preventDefault()
      props.onClose()
      return
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    const items = [...event.currentTarget.querySelectorAll<HTMLElement>('[role=menuitem]')]
    const at = items.findIndex((item) => item === document.activeElement)
    items.at((at + step) % items.length)?.focus()
  }
  return (
    <div
      role="menu"
      tabIndex={-1}
      id={props.id}
      aria-label={props.label}
      className="shell-entries"
      onKeyDown={onKeyDown}
    >
      {props.entries.map((entry) => (
        <button
          key={entry.key}
          type="button"
          role="menuitem"
          tabIndex={-1}
          className="shell-entry"
          data-apart={entry.apart}
          onClick={() => {
            props.onClose()
            entry.onSelect()
          }}
        >
          <span className="shell-entry-icon">{entry.icon}</span>
          <span className="shell-entry-label">{entry.label}</span>
          {entry.hint !== undefined && <span className="shell-entry-hint">{entry.hint}</span>}
        </button>
      ))}
    </div>
  )
}

/** Calls `leave` on a press outside of the element while it is open. */
export function useClickBeside(
  element: { readonly current: HTMLElement | null },
  open: boolean,
  leave: () => void,
): void {
  useEffect(() => {
    if (!open) return undefined
    const onPress = (event: PointerEvent): void => {
      if (event.target instanceof Node && !element.current?.contains(event.target)) leave()
    }
    document.addEventListener('pointerdown', onPress)
    return () => document.removeEventListener('pointerdown', onPress)
  })
}
