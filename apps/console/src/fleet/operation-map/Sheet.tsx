import { useRef, useState, type PointerEvent, type ReactNode } from 'react'
import { t } from '#kit/i18n/index.ts'

interface Props {
  readonly className: string
  readonly label: string
  /** Stays visible while the sheet is down. */
  readonly head: ReactNode
  readonly children: ReactNode
  readonly startsOpen: boolean
}

const dragPx = 28

/** A floating panel; on a phone a sheet at the lower edge that a thumb pulls up and down. */
export function Sheet({ className, label, head, children, startsOpen }: Props) {
  const [open, setOpen] = useState(startsOpen)
  const start = useRef<number | null>(null)
  /** A drag ends with a click event, which must not undo it. */
  const pulled = useRef(false)

  const end = (event: PointerEvent) => {
    if (start.current === null) return
    const moved = event.clientY - start.current
    start.current = null
    pulled.current = Math.abs(moved) >= dragPx
    if (pulled.current) setOpen(moved < 0)
  }
  const click = () => {
    if (!pulled.current) setOpen(!open)
    pulled.current = false
  }
  return (
    <section className={`om-sheet ${className}`} data-open={open} aria-label={label}>
      <button
        type="button"
        className="om-sheet-handle"
        aria-expanded={open}
        aria-label={open ? t('收起面板') : t('展开面板')}
        onClick={click}
        onPointerDown={(event) => {
          start.current = event.clientY
          event.currentTarget.setPointerCapture(event.pointerId)
        }}
        onPointerUp={end}
        onPointerCancel={() => {
          start.current = null
        }}
      />
      {head}
      <div className="om-sheet-body">{children}</div>
    </section>
  )
}
