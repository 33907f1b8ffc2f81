import type { ReactNode } from 'react'
import { emptyText } from '@saddle/contract/constants.ts'
import { t } from '#kit/i18n/index.ts'
import type { RowKey } from '../declare.ts'
import type { Column } from './columns.tsx'
import { Check, isPlainClick } from './Table.tsx'
import './cards.css'

interface Props<Row> {
  readonly label: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly rowKey: (row: Row) => RowKey
  readonly rowName?: ((row: Row) => string) | undefined
  readonly selected?: ReadonlySet<RowKey> | undefined
  readonly isSelectable?: ((row: Row) => boolean) | undefined
  readonly onToggle?: ((key: RowKey, withRange: boolean) => void) | undefined
  readonly opened?: RowKey | null | undefined
  readonly onOpen?: ((row: Row) => void) | undefined
  /** The head of a card, if its columns are not enough. */
  readonly head?: ((row: Row) => ReactNode) | undefined
}

/** The number of values below the head: two lines with the most important ones, not a copy of the table. */
const valuesMax = 4

/** The values of a card; what has a line for itself, as the acts of a row have, is always among them. */
const shownValues = <C extends Pick<Column<never>, 'card'>>(columns: readonly C[]): C[] =>
  columns
    .filter(({ card }) => card === 'line' || card === 'wide')
    .filter(({ card }, index) => index < valuesMax || card === 'wide')

/** The rows of a list on a phone: name and state first, then the most important values. */
export function Cards<Row>(props: Props<Row>): ReactNode {
  const { label, columns, rows, rowKey, selected, onToggle, isSelectable, onOpen, head } = props
  const heads = columns.filter(({ card }) => card === 'head')
  const lines = shownValues(columns)
  return (
    <ul className="cards" aria-label={label} data-opens={onOpen !== undefined}>
      {rows.map((row) => {
        const key = rowKey(row)
        return (
          <li
            key={key}
            data-row-key={key}
            data-chosen={selected?.has(key) === true}
            data-opened={props.opened === key}
            {...(onOpen !== undefined && { onClick: (event) => isPlainClick(event) && onOpen(row) })}
          >
            <header>
              {onToggle !== undefined && isSelectable?.(row) !== false && (
                <Check
                  label={t('选中 {{name}}', { name: props.rowName?.(row) ?? String(key) })}
                  isChecked={selected?.has(key) === true}
                  onChange={(withRange) => onToggle(key, withRange)}
                />
              )}
              <div>
                {head === undefined
                  ? heads.map((column) => <span key={column.key}>{column.render(row)}</span>)
                  : head(row)}
              </div>
              {onOpen !== undefined && (
                <button type="button" className="card-open" aria-label={t('打开')} onClick={() => onOpen(row)}>
                  ›
                </button>
              )}
            </header>
            <dl>
              {lines.map((column) => {
                const value = column.render(row)
                // A card has no columns to keep in line: what is not there takes no room.
                return value === emptyText ? null : (
                  <div key={column.key} data-wide={column.card === 'wide'} data-numeric={column.numeric}>
                    <dt>{column.title}</dt>
                    <dd>{value}</dd>
                  </div>
                )
              })}
            </dl>
          </li>
        )
      })}
    </ul>
  )
}
