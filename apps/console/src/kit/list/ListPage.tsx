import { useEffect, useRef, useState, type ReactNode } from 'react'
import { useNavigate } from 'react-router'
import { t } from '#kit/i18n/index.ts'
import { readStored, writeStored } from '#kit/storage.ts'
import type { Filter, RowKey } from './declare.ts'
import { PanelContext } from './DetailPanel.tsx'
import { ListFilters } from './filters/FilterBar.tsx'
import type { FilterSpec } from './filters/types.ts'
import { ListBody, type ListBodyProps } from './ListBody.tsx'
import { useKeyHints, type KeyHint } from './pageKeys.ts'
import { useListKeys } from './useListKeys.ts'
import { useOpened } from './useOpened.ts'
import { useHasRoomBeside } from './usePhone.ts'
import type { List } from './useList.ts'
import './listPage.css'

/** The actions that a panel may call on its list. */
export interface PanelActs<Row> {
  readonly close: () => void
  /** After a decision: goes on to the next row that needs one. */
  readonly goOn: () => void
  /** The row that `goOn` opens, so that its details can be fetched before. */
  readonly next: Row | null
}

export interface ListPageProps<Row, F extends Filter> extends Omit<
  ListBodyProps<Row, F>,
  'list' | 'label' | 'active' | 'opened' | 'onOpen' | 'isQueue' | 'onLayout'
> {
  readonly list: List<Row, F>
  readonly title: string
  readonly filters: readonly FilterSpec<F>[]
  /** Buttons beside the title, e.g. to create an item. */
  readonly actions?: ReactNode
  /** Content between title and filters, e.g. figures. */
  readonly above?: ReactNode
  /** The address of a row's own page, which a click on the row opens. */
  readonly toRow?: (row: Row) => string
  /** What a click on a row does if it has neither page nor panel, e.g. opens its form. */
  readonly onOpen?: (row: Row) => void
  /** A row that opens when the list first shows it, e.g. one that was just made. */
  readonly fresh?: RowKey | null
  /** The row's details beside the list: a `DetailPanel`. */
  readonly renderPanel?: (row: Row, acts: PanelActs<Row>) => ReactNode
  /** Which rows still need a decision. */
  readonly isWaiting?: (row: Row) => boolean
  /** `queue`: rows are decided one by one, so by default the panel is wide and the list narrow. */
  readonly layout?: 'table' | 'queue'
}

/** A list on a page of its own, with everything that lists have. */
export function ListPage<Row, F extends Filter>(props: ListPageProps<Row, F>): ReactNode {
  const {
    list,
    title,
    filters,
    actions,
    above,
    toRow,
    onOpen,
    fresh = null,
    renderPanel,
    isWaiting,
    layout,
    ...body
  } = props
  const navigate = useNavigate()
  const rows = list.rows ?? []
  const opened = useOpened(rows, list.keyOf, isWaiting)
  const [isQueue, setQueue] = useQueue(list.declaration.name, layout)
  const hasRoom = useHasRoomBeside()
  const acts: PanelActs<Row> = { close: opened.close, goOn: opened.openNext, next: opened.next }
  const open = (row: Row) => {
    if (toRow !== undefined) void navigate(toRow(row))
    else if (onOpen !== undefined) onOpen(row)
    else opened.open(row)
  }
  const canOpen = toRow !== undefined || onOpen !== undefined || renderPanel !== undefined
  const active = usePageKeys({ list, opened, open, canOpen })
  // A queue without rows has no panel: its empty state takes the whole width.
  const hasQueue = layout === 'queue' && hasRoom && list.rows?.length !== 0
  const isBeside = isQueue && hasQueue && renderPanel !== undefined && !list.isPhone
  const first = rows.find((row) => isWaiting?.(row) !== false) ?? rows[0]
  useEffect(() => {
    // A queue always has a row open for decision.
    if (isBeside && opened.key === null && first !== undefined && !list.isStale) opened.open(first)
  })
  const shownFresh = useRef<RowKey | null>(null)
  useEffect(() => {
    const row =
      fresh === null || fresh === shownFresh.current ? undefined : rows.find((one) => list.keyOf(one) === fresh)
    if (row === undefined) return
    shownFresh.current = fresh
    opened.open(row)
  })
  const index = rows.findIndex((row) => list.keyOf(row) === opened.key)
  const step = (row: Row | undefined) => (row === undefined ? null : () => opened.open(row))
  return (
    <div
      className="list-page"
      data-layout={isBeside ? 'queue' : 'table'}
      data-phone={list.isPhone}
      data-open={opened.row !== null}
    >
      <header className="list-head">
        <h1>{title}</h1>
        {actions}
      </header>
      {above}
      <ListFilters list={list} filters={filters} />
      <div className="list-split">
        <ListBody<Row, F>
          {...body}
          list={list}
          label={title}
          active={active}
          opened={opened.key}
          isQueue={isBeside}
          {...(canOpen && { onOpen: open })}
          {...(hasQueue && { onLayout: () => setQueue(!isQueue) })}
        />
        {renderPanel !== undefined && opened.row !== null && (
          <PanelContext
            value={{
              close: opened.close,
              takesFocus: !isBeside,
              previous: step(rows[index - 1]),
              next: index < 0 ? null : step(rows[index + 1]),
            }}
          >
            {renderPanel(opened.row, acts)}
          </PanelContext>
        )}
      </div>
    </div>
  )
}

/** Whether the list is in queue mode, as the person last chose. */
function useQueue(name: string, layout: 'table' | 'queue' | undefined) {
  const key = `lists-queue-${name}`
  const [isQueue, setQueue] = useState(() => layout === 'queue' && readStored(key) !== false)
  const set = (next: boolean) => {
    writeStored(key, next)
    setQueue(next)
  }
  return [isQueue, set] as const
}

interface KeysOptions<Row, F extends Filter> {
  readonly list: List<Row, F>
  readonly opened: ReturnType<typeof useOpened<Row>>
  readonly open: (row: Row) => void
  readonly canOpen: boolean
}

/** Moves down and up through the rows; if a row is open, the next one opens instead. */
function usePageKeys<Row, F extends Filter>({ list, opened, open, canOpen }: KeysOptions<Row, F>) {
  const [at, setAt] = useState<{ of: readonly Row[] | undefined; index: number }>({ of: undefined, index: -1 })
  const rows = list.rows ?? []
  const openedIndex = opened.key === null ? -1 : rows.findIndex((row) => list.keyOf(row) === opened.key)
  const index = openedIndex >= 0 ? openedIndex : Math.min(at.index, rows.length - 1)
  const activeRow = rows[index]
  const move = (step: number) => {
    const row = rows[Math.max(0, Math.min(rows.length - 1, index + step))]
    if (row === undefined) return
    setAt({ of: rows, index: rows.indexOf(row) })
    if (opened.key !== null) opened.open(row)
    // Runs after the row is drawn as active.
    requestAnimationFrame(() => rowElement(list.keyOf(row))?.scrollIntoView({ block: 'nearest' }))
  }
  useListKeys({
    down: () => move(1),
    up: () => move(-1),
    open: () => activeRow !== undefined && canOpen && open(activeRow),
    close: () => {
      if (opened.key !== null) {
        opened.close()
        return true
      }
      const hadSelection = list.selectedKeys.length > 0
      if (hadSelection) list.choose([])
      return hadSelection
    },
    toggle: () => {
      if (activeRow === undefined) return
      const key = list.keyOf(activeRow)
      const others = list.selectedKeys.filter((one) => one !== key)
      list.choose(others.length < list.selectedKeys.length ? others : [...others, key])
    },
  })
  useKeyHints([
    [['j', 'k'], t('下一行、上一行')],
    ...(canOpen ? [[['Enter'], t('打开')] satisfies KeyHint] : []),
    [['x'], t('选中或取消选中')],
    [['u'], t('撤销刚才的操作')],
  ])
  return activeRow === undefined ? null : list.keyOf(activeRow)
}

const rowElement = (key: number | string): Element | null =>
  document.querySelector(`[data-row-key="${CSS.escape(String(key))}"]`)
