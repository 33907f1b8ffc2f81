import { useEffect, useRef, useState, type ReactNode } from 'react'
import { t } from '#kit/i18n/index.ts'
import { ErrorState, Empty } from '#kit/ui/states.tsx'
import './list.css'

export interface Column<R> {
  readonly key: string
  readonly title: string
  /** Unit behind the title of a number. */
  readonly unit?: string
  readonly render: (row: R) => ReactNode
  /** Numbers stand to the right. */
  readonly numeric?: boolean
  readonly sortable?: boolean
  /** Left out on a card: the card says it in its head. */
  readonly inHead?: boolean
}

export interface Sort {
  readonly by: string
  readonly direction: 'asc' | 'desc'
}

export interface DataTableProps<R> {
  readonly label: string
  readonly columns: readonly Column<R>[]
  /** Undefined until the first rows came. */
  readonly rows: readonly R[] | undefined
  readonly rowKey: (row: R) => number | string
  /** Others are on their way: the rows before stay meanwhile. */
  readonly loading?: boolean
  readonly error?: unknown
  readonly onRetry?: () => void
  readonly sort?: Sort
  readonly onSort?: (sort: Sort) => void
  readonly selected?: readonly (number | string)[]
  readonly onSelect?: (keys: (number | string)[]) => void
  readonly onOpen?: (row: R) => void
  readonly empty?: ReactNode
  /** First line of a card on narrow screens. */
  readonly cardHead: (row: R) => ReactNode
}

const cardsBelowPx = 640

/** A dense table; on narrow screens the same rows as cards. It keeps its rows while the next ones load. */
export function DataTable<R extends object>(props: DataTableProps<R>): ReactNode {
  const { rows, error, onRetry, empty } = props
  const { host, narrow } = useNarrow()
  const isFailed = error !== undefined && error !== null
  let body: ReactNode
  if (isFailed && rows === undefined) body = <ErrorState error={error} {...(onRetry && { onRetry })} />
  else if (rows === undefined) body = <Bones />
  else if (rows.length === 0) body = empty ?? <Empty />
  else body = narrow ? <Cards {...props} rows={rows} /> : <Wide {...props} rows={rows} />
  return (
    <div ref={host} className="list" aria-busy={props.loading === true} data-stale={props.loading === true}>
      {body}
    </div>
  )
}

/** By the room of the list itself: a panel may be narrow on a wide screen. */
function useNarrow() {
  const host = useRef<HTMLDivElement>(null)
  const [narrow, setNarrow] = useState(() => globalThis.innerWidth < cardsBelowPx)
  useEffect(() => {
    if (host.current === null || typeof ResizeObserver === 'undefined') return
    const observer = new ResizeObserver(([entry]) => {
      const width = entry?.contentRect.width ?? 0
      if (width > 0) setNarrow(width < cardsBelowPx)
    })
    observer.observe(host.current)
    return () => observer.disconnect()
  }, [])
  return { host, narrow }
}

type Filled<R> = DataTableProps<R> & { readonly rows: readonly R[] }

function Wide<R extends object>(props: Filled<R>) {
  const { label, columns, rows, rowKey, sort, onSort, selected, onSelect, onOpen } = props
  const chosen = new Set(selected)
  const keys = rows.map(rowKey)
  const isAll = keys.every((key) => chosen.has(key))
  const toggleAll = () => {
    const others = (selected ?? []).filter((key) => !keys.includes(key))
    onSelect?.(isAll ? others : [...others, ...keys])
  }
  return (
    <div className="list-scroll">
      <table aria-label={label}>
        <thead>
          <tr>
            {onSelect !== undefined && (
              <th className="list-check">
                <Check
                  label={t('选中本页')}
                  checked={isAll}
                  mixed={!isAll && keys.some((key) => chosen.has(key))}
                  onChange={toggleAll}
                />
              </th>
            )}
            {columns.map((column) => (
              <HeadCell key={column.key} column={column} sort={sort} onSort={onSort} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => {
            const key = rowKey(row)
            return (
              <tr key={key} data-selected={chosen.has(key)} onDoubleClick={onOpen && (() => onOpen(row))}>
                {onSelect !== undefined && (
                  <td className="list-check">
                    <Check
                      label={t('选中 {{name}}', { name: String(key) })}
                      checked={chosen.has(key)}
                      onChange={() => onSelect(toggled(selected ?? [], key))}
                    />
                  </td>
                )}
                {columns.map((column) => (
                  <td key={column.key} data-numeric={column.numeric === true}>
                    {column.render(row)}
                  </td>
                ))}
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

interface CheckProps {
  readonly label: string
  readonly checked: boolean
  readonly mixed?: boolean
  readonly onChange: () => void
}

function Check({ label, checked, mixed, onChange }: CheckProps) {
  return (
    <input
      type="checkbox"
      aria-label={label}
      checked={checked}
      ref={(box) => {
        if (box !== null) box.indeterminate = mixed === true
      }}
      onChange={onChange}
    />
  )
}

/** A counter such as “vehicles” is empty in a language that does not need it. */
const headWords = (title: string, unit = ''): string => (unit === '' ? title : `${title} (${unit})`)

interface HeadCellProps<R> {
  readonly column: Column<R>
  readonly sort: Sort | undefined
  readonly onSort: ((sort: Sort) => void) | undefined
}

function HeadCell<R>({ column: { key, title, unit, numeric, sortable }, sort, onSort }: HeadCellProps<R>) {
  const words = headWords(title, unit)
  if (sortable !== true || onSort === undefined) return <th data-numeric={numeric === true}>{words}</th>
  const direction = sort?.by === key ? sort.direction : null
  return (
    <th
      data-numeric={numeric === true}
      aria-sort={direction === null ? 'none' : direction === 'asc' ? 'ascending' : 'descending'}
    >
      <button
        type="button"
        className="list-sort"
        onClick={() => onSort({ by: key, direction: direction === 'asc' ? 'desc' : 'asc' })}
      >
        {words}
        <span aria-hidden="true">{direction === null ? '↕' : direction === 'asc' ? '↑' : '↓'}</span>
      </button>
    </th>
  )
}

function toggled(held: readonly (number | string)[], key: number | string): (number | string)[] {
  return held.includes(key) ? held.filter((one) => one !== key) : [...held, key]
}

function Cards<R extends object>({ label, columns, rows, rowKey, selected, onSelect, cardHead }: Filled<R>) {
  return (
    <ul className="list-cards" aria-label={label}>
      {rows.map((row) => {
        const key = rowKey(row)
        return (
          <li key={key} data-selected={selected?.includes(key) === true}>
            <header>
              {onSelect !== undefined && (
                <input
                  type="checkbox"
                  aria-label={t('选中 {{name}}', { name: String(key) })}
                  checked={selected?.includes(key) === true}
                  onChange={() => onSelect(toggled(selected ?? [], key))}
                />
              )}
              <div>{cardHead(row)}</div>
            </header>
            <dl>
              {columns
                .filter((column) => column.inHead !== true)
                .map((column) => (
                  <div key={column.key}>
                    <dt>{headWords(column.title, column.unit)}</dt>
                    <dd>{column.render(row)}</dd>
                  </div>
                ))}
            </dl>
          </li>
        )
      })}
    </ul>
  )
}

/** As many rows as usually come. */
function Bones() {
  return (
    <output className="list-bones" aria-busy="true">
      {Array.from({ length: 10 }, (_, index) => (
        <span key={index} />
      ))}
    </output>
  )
}
