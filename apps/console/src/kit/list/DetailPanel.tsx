import { createContext, use, useEffect, useRef, type ReactNode } from 'react'
import { t } from '#kit/i18n/index.ts'
import { Sheet } from '#kit/ui/Sheet.tsx'
import { useHasRoomBeside } from './usePhone.ts'
import './detailPanel.css'

/** What a list passes to the panel beside it. */
export interface PanelOfList {
  readonly close: () => void
  readonly previous: (() => void) | null
  readonly next: (() => void) | null
  /** The person opened it, not the list itself. */
  readonly takesFocus: boolean
  /** It covers the page because there is no room beside the list. */
  readonly isOver?: boolean
}

export const PanelContext = createContext<PanelOfList | null>(null)

interface Props {
  /** Accessible name. */
  readonly label: string
  /** The heading of the row, read first. */
  readonly title: ReactNode
  /** The decision buttons: always visible. */
  readonly foot?: ReactNode
  readonly children: ReactNode
}

/**
 * A row's details beside its list, scrolling separately; on a small screen a full-height sheet. Used in
 * the `aside` of a `ListPage`, which opens and closes it.
 */
export function DetailPanel(props: Props): ReactNode {
  const list = use(PanelContext)
  const hasRoom = useHasRoomBeside()
  if (list === null) throw new Error('A detail panel belongs to a list')
  if (hasRoom && list.isOver !== true) return <Beside {...props} list={list} />
  return (
    <Sheet label={props.label} title={props.title} onClose={list.close} foot={props.foot}>
      <div data-list-panel className="detail-body">
        {props.children}
      </div>
    </Sheet>
  )
}

function Beside({ label, title, foot, children, list }: Props & { readonly list: PanelOfList }) {
  const panel = useRef<HTMLElement>(null)
  const { takesFocus } = list
  useEffect(() => {
    if (takesFocus) panel.current?.focus({ preventScroll: true })
  }, [takesFocus])
  return (
    <aside ref={panel} className="detail-panel" aria-label={label} tabIndex={-1} data-list-panel>
      <header>
        <span className="detail-title">{title}</span>
        <Step label={t('上一条')} sign="‹" go={list.previous} />
        <Step label={t('下一条')} sign="›" go={list.next} />
        <button
          type="button"
          className="detail-step"
          aria-label={t('收起')}
          title={t('收起（Esc）')}
          onClick={list.close}
        >
          ×
        </button>
      </header>
      <div className="detail-body">{children}</div>
      {foot !== undefined && <footer>{foot}</footer>}
    </aside>
  )
}

interface StepProps {
  readonly label: string
  readonly sign: string
  readonly go: (() => void) | null
}

function Step({ label, sign, go }: StepProps) {
  return (
    <button
      type="button"
      className="detail-step"
      aria-label={label}
      title={label}
      disabled={go === null}
      onClick={() => go?.()}
    >
      {sign}
    </button>
  )
}
