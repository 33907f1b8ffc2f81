import { memo, useRef, type MouseEvent, type PointerEvent, type ReactNode } from 'react'
import { t } from '#kit/i18n/index.ts'
import type { RowKey, Sort } from '../declare.ts'
import { columnPx, type PlacedColumn, type TableLayout } from './layout.ts'
import { useEdges } from './useEdges.ts'
import './table.css'

export interface TableProps<Row> {
  readonly label: string
  readonly layout: TableLayout<Row>
  readonly rows: readonly Row[]
  readonly rowKey: (row: Row) => RowKey
  /** Accessible name of a row; default: its key. */
  readonly rowName?: ((row: Row) => string) | undefined
  readonly sort?: Sort | undefined
  /** The first direction of a sort. */
  readonly firstDirection?: ((by: string) => Sort['direction']) | undefined
  readonly onSort?: ((sort: Sort) => void) | undefined
  readonly selected?: ReadonlySet<RowKey> | undefined
  readonly isSelectable?: ((row: Row) => boolean) | undefined
  readonly onToggle?: ((key: RowKey, withRange: boolean) => void) | undefined
  readonly onToggleAll?: ((isAll: boolean) => void) | undefined
  /** The row selected by the keyboard. */
  readonly active?: RowKey | null | undefined
  /** The row that is open beside the list. */
  readonly opened?: RowKey | null | undefined
  readonly onOpen?: ((row: Row) => void) | undefined
}

/** A dense table with a fixed head and fixed edge columns. Its frame scrolls it; see `table.css`. */
export function Table<Row>(props: TableProps<Row>): ReactNode {
  const { label, layout, rows, rowKey, selected, onToggle, onToggleAll, isSelectable, onOpen } = props
  const { columns } = layout
  const frame = useRef<HTMLDivElement>(null)
  const element = useRef<HTMLTableElement>(null)
  useEdges(frame, element, { columns, rows })
  const selectable = isSelectable === undefined ? rows : rows.filter(isSelectable)
  const chosen = selectable.filter((row) => selected?.has(rowKey(row)) === true).length
  const isAll = chosen > 0 && chosen === selectable.length
  return (
    <div ref={frame} className="table-frame" data-list-scroll>
      <table ref={element} aria-label={label} data-opens={onOpen !== undefined}>
        <thead>
          <tr>
            {onToggleAll !== undefined && (
              <th className="table-check" data-edge="start" data-edge-index="0">
                <Check
                  label={t('选中本页')}
                  isChecked={isAll}
                  isMixed={chosen > 0 && !isAll}
                  onChange={() => onToggleAll(!isAll)}
                />
              </th>
            )}
            {columns.map((column, index) => (
              <Head
                key={column.key}
                column={column}
                edges={edgesOf(columns, index, onToggleAll !== undefined)}
                {...props}
              />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => {
            const key = rowKey(row)
            return (
              <Line
                key={key}
                row={row}
                rowKey={key}
                name={props.rowName?.(row) ?? String(key)}
                columns={columns as readonly PlacedColumn<unknown>[]}
                isChosen={selected?.has(key) === true}
                isActive={props.active === key}
                isOpened={props.opened === key}
                onOpen={onOpen as ((row: unknown) => void) | undefined}
                onToggle={onToggle}
                isSelectable={isSelectable === undefined || isSelectable(row)}
              />
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

interface EdgeProps {
  readonly 'data-edge'?: 'start' | 'end'
  /** Counted from the edge: its distance is a variable of the table, measured by `useEdges`. */
  readonly 'data-edge-index'?: string
  /** The column with the shadow. */
  readonly 'data-edge-last'?: 'true'
}

function edgesOf(columns: readonly PlacedColumn<never>[], index: number, hasCheck: boolean): EdgeProps {
  const edge = columns[index]?.edge ?? null
  if (edge === null) return {}
  const isLast = edge === 'start' ? columns[index + 1]?.edge !== 'start' : columns[index - 1]?.edge !== 'end'
  const at = edge === 'start' ? index + (hasCheck ? 1 : 0) : columns.length - 1 - index
  return { 'data-edge': edge, 'data-edge-index': String(at), ...(isLast && { 'data-edge-last': 'true' }) }
}

interface HeadProps<Row> extends Pick<TableProps<Row>, 'layout' | 'sort' | 'onSort' | 'firstDirection'> {
  readonly column: PlacedColumn<Row>
  readonly edges: EdgeProps
}

function Head<Row>({ column, edges, layout, sort, onSort, firstDirection }: HeadProps<Row>) {
  const { key, title, numeric, sort: by, size } = column
  const direction = by !== null && sort?.by === by ? sort.direction : null
  const canSort = by !== null && onSort !== undefined
  const first = by === null ? 'asc' : (firstDirection?.(by) ?? 'asc')
  const other = direction === 'asc' ? 'desc' : 'asc'
  const words = direction === null ? '' : direction === 'asc' ? '↑' : '↓'
  return (
    <th
      data-numeric={numeric}
      data-key={key}
      style={sizeOf(size)}
      {...edges}
      {...(canSort && { 'aria-sort': direction === null ? 'none' : direction === 'asc' ? 'ascending' : 'descending' })}
    >
      {canSort ? (
        <button
          type="button"
          className="table-sort"
          data-on={direction !== null}
          onClick={() => onSort({ by, direction: direction === null ? first : other })}
        >
          {title}
          <span aria-hidden="true">{words === '' ? '↕' : words}</span>
        </button>
      ) : (
        title
      )}
      <Grip title={title} onResize={(px) => layout.resize(key, px)} />
    </th>
  )
}

const resizeStepPx = 16

/** Resizes a column by dragging or by the arrow keys; a double click resets the width. */
function Grip({ title, onResize }: { readonly title: string; readonly onResize: (px: number | null) => void }) {
  const widthOf = (target: Element): number => target.closest('th')?.getBoundingClientRect().width ?? 0
  const drag = (event: PointerEvent<HTMLElement>) => {
    const grip = event.currentTarget
    const cell = grip.closest('th')
    const [startPx, startWidth] = [event.clientX, widthOf(grip)]
    if (cell === null) return
    event.preventDefault()
    grip.setPointerCapture(event.pointerId)
    const widthAt = (clientX: number) => Math.min(columnPx.max, Math.max(columnPx.min, startWidth + clientX - startPx))
    // During dragging only the head changes; the list is rendered once, at the end.
    const onMove = (move: globalThis.PointerEvent) => {
      cell.style.minWidth = `${widthAt(move.clientX)}px`
      cell.style.maxWidth = cell.style.minWidth
    }
    const onEnd = (end: globalThis.PointerEvent) => {
      grip.removeEventListener('pointermove', onMove)
      if (Math.abs(end.clientX - startPx) > 2) onResize(widthAt(end.clientX))
    }
    grip.addEventListener('pointermove', onMove)
    grip.addEventListener('pointerup', onEnd, { once: true })
  }
  return (
    <button
      type="button"
      className="table-grip"
      tabIndex={-1}
      aria-label={t('调整“{{title}}”的列宽', { title })}
      onPointerDown={drag}
      onDoubleClick={() => onResize(null)}
      onKeyDown={(event) => {
        const step = event.key === 'ArrowRight' ? resizeStepPx : event.key === 'ArrowLeft' ? -resizeStepPx : 0
        if (step !== 0) onResize(widthOf(event.currentTarget) + step)
      }}
    />
  )
}

const sizeOf = (size: number | null) => (size === null ? undefined : { width: size, minWidth: size, maxWidth: size })

interface LineProps {
  readonly row: unknown
  readonly rowKey: RowKey
  readonly name: string
  readonly columns: readonly PlacedColumn<unknown>[]
  readonly isChosen: boolean
  readonly isActive: boolean
  readonly isOpened: boolean
  readonly isSelectable: boolean
  readonly onOpen: ((row: unknown) => void) | undefined
  readonly onToggle: ((key: RowKey, withRange: boolean) => void) | undefined
}

/** Rendered again only when this row has changed, because a list may have 200 rows. */
const Line = memo(function Line(props: LineProps) {
  const { row, rowKey, name, columns, isChosen, isActive, isOpened, onOpen, onToggle, isSelectable } = props
  return (
    <tr
      data-row-key={rowKey}
      data-chosen={isChosen}
      data-active={isActive}
      data-opened={isOpened}
      aria-current={isOpened || undefined}
      {...(onOpen !== undefined && { onClick: (event) => isPlainClick(event) && onOpen(row) })}
    >
      {onToggle !== undefined && (
        <td className="table-check" data-edge="start" data-edge-index="0">
          {isSelectable && (
            <Check
              label={t('选中 {{name}}', { name })}
              isChecked={isChosen}
              onChange={(withRange) => onToggle(rowKey, withRange)}
            />
          )}
        </td>
      )}
      {columns.map((column, index) => (
        <td
          key={column.key}
          data-numeric={column.numeric}
          data-sized={column.size !== null}
          style={sizeOf(column.size)}
          {...edgesOf(columns as readonly PlacedColumn<never>[], index, onToggle !== undefined)}
        >
          {column.render(row)}
        </td>
      ))}
    </tr>
  )
})

/** A click on the row itself: not on a control in it, and not the end of a text selection. */
export function isPlainClick(event: MouseEvent): boolean {
  const target = event.target
  if (!(target instanceof Element) || event.defaultPrevented) return false
  if (target.closest('a, button, input, label, select, textarea, dialog, [role=dialog]') !== null) return false
  return globalThis.getSelection()?.toString().trim() === '' || globalThis.getSelection() === null
}

interface CheckProps {
  readonly label: string
  readonly isChecked: boolean
  readonly isMixed?: boolean
  readonly onChange: (withRange: boolean) => void
}

export function Check({ label, isChecked, isMixed, onChange }: CheckProps): ReactNode {
  const shift = useRef(false)
  return (
    <input
      type="checkbox"
      aria-label={label}
      checked={isChecked}
      ref={(box) => {
        if (box !== null) box.indeterminate = isMixed === true
      }}
      onClick={(event) => {
        shift.current = event.shiftKey
      }}
      onChange={() => onChange(shift.current)}
    />
  )
}
