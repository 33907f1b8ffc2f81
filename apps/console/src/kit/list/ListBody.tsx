import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, type ReactNode, type RefObject } from 'react'
import { t, useLanguage } from '#kit/i18n/index.ts'
import { Button } from '#kit/plain/Button.tsx'
import { StaleNote } from '#kit/ui/StaleNote.tsx'
import { RowBones } from '#kit/ui/Bones.tsx'
import { Empty, ErrorState } from '#kit/ui/states.tsx'
import type { Filter, RowKey } from './declare.ts'
import { hasConditions } from './filters/FilterBar.tsx'
import { ListFoot } from './ListFoot.tsx'
import { ListTools } from './ListTools.tsx'
import { useDensity } from './preferences.ts'
import { Cards } from './table/Cards.tsx'
import { columnsOf, type ColumnSpec } from './table/columns.tsx'
import { useTableLayout } from './table/layout.ts'
import { Table } from './table/Table.tsx'
import { noteScroll, scrollOf } from './trail.ts'
import type { List } from './useList.ts'
import './listBody.css'

export interface ListBodyProps<Row, F extends Filter> {
  readonly list: List<Row, F>
  readonly label: string
  /** Absent: every field of the contract. A stable function avoids rendering. */
  readonly columns?: readonly ColumnSpec<Row>[] | (() => readonly ColumnSpec<Row>[])
  /** Accessible name of a row. */
  readonly rowName?: (row: Row) => string
  /** The text for an empty list. */
  readonly empty?: string
  /** Which rows can be selected; `true`: all. */
  readonly selectable?: boolean | ((row: Row) => boolean)
  /** Actions for the selected rows; `done` clears the selection. `keys` also contains rows that were never shown. */
  readonly renderTools?: (rows: readonly Row[], done: () => void, keys: readonly RowKey[]) => ReactNode
  /** The keys of all rows that match the filter, up to the page's limit, so that all can be selected at once. */
  readonly findAll?: () => Promise<readonly RowKey[]>
  /** Buttons beside columns and export. */
  readonly extra?: ReactNode
  /** The head of a card on a phone, if the columns of `card: 'head'` are not enough. */
  readonly cardHead?: (row: Row) => ReactNode
  readonly active?: RowKey | null
  readonly opened?: RowKey | null
  readonly onOpen?: (row: Row) => void
  /** Narrow, beside the row being decided. */
  readonly isQueue?: boolean
  readonly onLayout?: () => void
}

/** Totals and tools, rows, and paging: the part that every list has. */
export function ListBody<Row, F extends Filter>(props: ListBodyProps<Row, F>): ReactNode {
  const { list, label, opened, isQueue = false, cardHead, rowName } = props
  const onOpen = useStable(props.onOpen)
  const columns = useColumns(props)
  const layout = useTableLayout(list.declaration.name, columns)
  const [density] = useDensity()
  const body = useRef<HTMLDivElement>(null)
  useScrollPlace(body, list.declaration.name, list.rows !== undefined)
  const isSelectable = typeof props.selectable === 'function' ? props.selectable : undefined
  const canSelect = props.selectable !== undefined && props.selectable !== false
  const selection = useToggles(list, isSelectable)
  const isCards = list.isPhone || isQueue
  let rows: ReactNode
  if (list.rows === undefined) {
    rows = list.error === null ? <RowBones isCards={isCards} /> : <ErrorState error={list.error} onRetry={list.retry} />
  } else if (list.rows.length === 0) {
    rows = <NoRows list={list} empty={props.empty} />
  } else {
    const shared = {
      label,
      rows: list.rows,
      rowKey: list.keyOf,
      rowName,
      opened,
      onOpen,
      isSelectable,
      ...(canSelect && { selected: selection.keys, onToggle: selection.toggle }),
    }
    rows = isCards ? (
      <Cards {...shared} columns={layout.columns} head={cardHead} />
    ) : (
      <Table
        {...shared}
        layout={layout}
        active={props.active}
        sort={list.sort}
        onSort={list.setSort}
        firstDirection={(by) => list.declaration.sorts[by] ?? 'asc'}
        {...(canSelect && { onToggleAll: selection.toggleAll })}
      />
    )
  }
  return (
    <section className="list-card" data-density={density} data-cards={isCards} aria-label={label}>
      <ListTools
        list={list}
        layout={isCards ? null : layout}
        rowName={rowName}
        selectionTools={props.renderTools}
        findAll={props.findAll}
        extra={props.extra}
        isQueue={isQueue}
        onLayout={props.onLayout}
      />
      <StaleNote reading={{ data: list.rows, error: list.error, refetch: list.retry }} />
      <div ref={body} className="list-rows" aria-busy={list.isStale} data-stale={list.isStale && list.error === null}>
        {rows}
      </div>
      <ListFoot list={list} isCards={list.isPhone} isNarrow={isQueue} />
    </section>
  )
}

/** Returns the same array until something changes, so that rows are not rendered again. */
function useColumns<Row, F extends Filter>({ list, columns }: ListBodyProps<Row, F>) {
  const language = useLanguage()
  const { fields, sorts } = list.declaration
  return useMemo(() => {
    const specs = typeof columns === 'function' ? columns() : columns
    return columnsOf({ fields, sorts, columns: specs })
    // The titles depend on the language.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [columns, fields, sorts, language])
}

/** One function for all renders, so that rows are not rendered again. */
function useStable<Row>(act: ((row: Row) => void) | undefined): ((row: Row) => void) | undefined {
  const latest = useRef(act)
  useEffect(() => {
    latest.current = act
  })
  const stable = useCallback((row: Row) => latest.current?.(row), [])
  return act === undefined ? undefined : stable
}

/** Selects single rows, all rows of the page, or with the shift key all rows between two. */
function useToggles<Row, F extends Filter>(list: List<Row, F>, isSelectable: ((row: Row) => boolean) | undefined) {
  const anchor = useRef<RowKey | null>(null)
  const latest = useRef({ ...list, isSelectable })
  useEffect(() => {
    latest.current = { ...list, isSelectable }
  })
  const keys = new Set(list.selectedKeys)
  const toggle = useCallback((key: RowKey, withRange: boolean) => {
    const { rows = [], selectedKeys, choose, keyOf } = latest.current
    const isOn = selectedKeys.includes(key)
    const [from, to] = [
      rows.findIndex((row) => keyOf(row) === anchor.current),
      rows.findIndex((row) => keyOf(row) === key),
    ]
    const range =
      withRange && from >= 0 && to >= 0
        ? rows.slice(Math.min(from, to), Math.max(from, to) + 1)
        : rows.slice(to, to + 1)
    const touched = new Set(range.map(keyOf))
    const others = selectedKeys.filter((one) => !touched.has(one))
    anchor.current = key
    const fits = latest.current.isSelectable
    choose(isOn ? others : [...others, ...(fits === undefined ? range : range.filter(fits)).map(keyOf)])
  }, [])
  return {
    keys,
    toggle,
    toggleAll: (isAll: boolean) => {
      const all = list.rows ?? []
      const rows = isSelectable === undefined ? all : all.filter(isSelectable)
      const here = rows.map(list.keyOf)
      const others = list.selectedKeys.filter((key) => !here.includes(key))
      list.choose(isAll ? [...others, ...here] : others)
    },
  }
}

/** The empty state; it offers to reset the filters only if the person has set any. */
function NoRows<Row, F extends Filter>({
  list,
  empty,
}: {
  readonly list: List<Row, F>
  readonly empty: string | undefined
}) {
  if (hasConditions(list)) {
    return <Empty title={t('没有符合条件的记录')} action={<Button onClick={list.clear}>{t('清除条件')}</Button>} />
  }
  const usual = Object.keys(list.declaration.usual)
  if (usual.length > 0) {
    const all = () => list.change(Object.fromEntries(usual.map((name) => [name, undefined])) as never)
    return <Empty title={empty ?? t('没有符合条件的记录')} action={<Button onClick={all}>{t('查看全部')}</Button>} />
  }
  return <Empty title={empty ?? t('暂无数据')} />
}

/** Stores the scroll position of the rows and restores it when the person comes back. */
function useScrollPlace(body: RefObject<HTMLElement | null>, name: string, isReady: boolean): void {
  useLayoutEffect(() => {
    if (!isReady) return undefined
    const scroller = scrollerOf(body.current)
    if (scroller === null) return undefined
    scroller.scrollTop = scrollOf(name)
    const onScroll = (): void => noteScroll(name, scroller.scrollTop)
    scroller.addEventListener('scroll', onScroll, { passive: true })
    return () => scroller.removeEventListener('scroll', onScroll)
  }, [body, name, isReady])
}

/** The element that scrolls the rows: the table's frame, or the page around cards. */
function scrollerOf(body: HTMLElement | null): HTMLElement | null {
  const inside = body?.querySelector<HTMLElement>('[data-list-scroll]')
  let at: HTMLElement | null = inside ?? body
  while (at !== null) {
    if (['auto', 'scroll'].includes(getComputedStyle(at).overflowY) && at.scrollHeight > at.clientHeight) return at
    at = at.parentElement
  }
  return inside ?? null
}
