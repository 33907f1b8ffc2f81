import { useEffect, useRef, type ReactNode } from 'react'
import { createPortal } from 'react-dom'
import { t } from '#kit/i18n/index.ts'
import './sheet.css'

interface Props {
  readonly label: string
  readonly title?: ReactNode
  readonly onClose: () => void
  /** Stays visible below the scrolling content. */
  readonly foot?: ReactNode
  /** Wide enough for a table. */
  readonly isWide?: boolean
  readonly children: ReactNode
}

const focusable = 'a[href],button:not([disabled]),input:not([disabled]),textarea,select,summary,[tabindex="0"]'

/**
 * A panel of the whole height for screens without room beside the list: takes the focus, keeps it and gives it back; Esc
 * closes it. Not shown by `showModal`: the browser's top layer would lie over the watermark.
 */
export function Sheet({ label, title, onClose, foot, isWide = false, children }: Props): ReactNode {
  const panel = useRef<HTMLDialogElement>(null)
  const close = useRef(onClose)
  useEffect(() => {
    close.current = onClose
  })
  useEffect(() => {
    const element = panel.current
    if (element === null) return undefined
    const before = document.activeElement
    element.focus()
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key === 'Tab') keepInside(event, element)
      if (event.key !== 'Escape' || event.defaultPrevented) return
      event.stopPropagation()
      close.current()
    }
    element.addEventListener('keydown', onKeyDown)
    return () => {
      element.removeEventListener('keydown', onKeyDown)
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
  return createPortal(
    <div className="sheet">
      <button type="button" className="sheet-shade" tabIndex={-1} aria-label={t('关闭')} onClick={onClose} />
      <dialog
        ref={panel}
        open
        className="sheet-panel"
        data-wide={isWide}
        aria-modal="true"
        aria-label={label}
        tabIndex={-1}
      >
        <header>
          <span className="sheet-title">{title ?? label}</span>
          <button type="button" className="sheet-close" aria-label={t('关闭')} onClick={onClose}>
            ×
          </button>
        </header>
        <div className="sheet-body">{children}</div>
        {foot !== undefined && <footer>{foot}</footer>}
      </dialog>
    </div>,
    document.body,
  )
}

function keepInside(event: KeyboardEvent, panel: HTMLElement): void {
  const inside = [...panel.querySelectorAll<HTMLElement>(focusable)].filter((each) => each.checkVisibility())
  const [first, last] = [inside[0], inside.at(-1)]
  if (first === undefined || last === undefined) return
  const isLeaving = event.shiftKey
    ? document.activeElement === first || document.activeElement === panel
    : document.activeElement === last
  if (!isLeaving && panel.contains(document.activeElement)) return
  event.preventDefault()
  const next = event.shiftKey ? last : first
  next.focus()
}
