import { useEffect, useRef, type ReactElement, type ReactNode } from 'react'
import { createPortal } from 'react-dom'
import { t } from '#kit/i18n/index.ts'

const focusable = 'a[href],button:not([disabled]),input:not([disabled]),textarea,select,[tabindex]:not([tabindex="-1"])'

interface OverlayProps {
  readonly label: string
  /** `side`: a drawer from the left; `middle`: a panel in the upper middle. */
  readonly place: 'side' | 'middle'
  readonly onClose: () => void
  readonly children: ReactNode
}

/**
 * A modal panel of the shell's own: takes the focus, keeps it, gives it back; Esc and a click beside it close it.
 * Not shown by `showModal`: the browser's top layer would lie over the watermark.
 */
export function Overlay({ label, place, onClose, children }: OverlayProps): ReactElement {
  const panel = useRef<HTMLDialogElement>(null)
  useFocusInside(panel, onClose)
  return createPortal(
    <div className="shell shell-overlay" data-place={place}>
      <button type="button" className="shell-overlay-shade" tabIndex={-1} aria-label={t('关闭')} onClick={onClose} />
      <dialog ref={panel} open className="shell-overlay-panel" aria-modal="true" aria-label={label} tabIndex={-1}>
        {children}
      </dialog>
    </div>,
    document.body,
  )
}

function useFocusInside(panel: { readonly current: HTMLElement | null }, onClose: () => void): void {
  const close = useRef(onClose)
  useEffect(() => {
    close.current = onClose
  })
  useEffect(() => {
    const element = panel.current
    if (element === null) return undefined
    const before = document.activeElement
    const first = element.querySelector<HTMLElement>('[data-autofocus]') ?? element
    first.focus()
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key === 'Tab') keepFocusInside(event, element)
      if (event.key !== 'Escape') return
      event.stopPropagation()
      close.current()
    }
    element.addEventListener('keydown', onKeyDown)
    return () => {
      element.removeEventListener('keydown', onKeyDown)
      if (before instanceof HTMLElement) before.focus()
    }
  }, [panel])
}

function keepFocusInside(event: KeyboardEvent, panel: HTMLElement): void {
  const inside = [...panel.querySelectorAll<HTMLElement>(focusable)]
  const [first, last] = [inside[0], inside.at(-1)]
  if (first === undefined || last === undefined) return
  const leaving = event.shiftKey ? document.activeElement === first : document.activeElement === last
  if (!leaving && panel.contains(document.activeElement)) return
  event.preventDefault()
  const next = event.shiftKey ? last : first
  next.focus()
}
