import { useState } from 'react'
import type { RowKey } from './declare.ts'

interface OpenedRow<Row> {
  readonly row: Row
  readonly key: RowKey
  /** Its position: when the row leaves the list, the row at this position is the next one. */
  readonly index: number
}

export interface Opened<Row> {
  /** The current row; its last known values if it has left the list. */
  readonly row: Row | null
  readonly key: RowKey | null
  readonly open: (row: Row) => void
  readonly close: () => void
  /** The row that follows after a decision; null: this was the last one. */
  readonly next: Row | null
  /** Opens the next row, e.g. after a decision. */
  readonly openNext: () => void
}

/** The row that is open beside its list. `isNext` selects the rows that may follow after a decision. */
export function useOpened<Row>(
  rows: readonly Row[],
  keyOf: (row: Row) => RowKey,
  isNext: (row: Row) => boolean = () => true,
): Opened<Row> {
  const [opened, setOpened] = useState<OpenedRow<Row> | null>(null)
  const found = opened === null ? -1 : rows.findIndex((row) => keyOf(row) === opened.key)
  const present = rows[found]
  if (opened !== null && present !== undefined && (opened.index !== found || opened.row !== present)) {
    setOpened({ ...opened, row: present, index: found })
  }
  const from = opened === null ? 0 : found < 0 ? opened.index : found + 1
  const isOther = (row: Row) => keyOf(row) !== opened?.key && isNext(row)
  const next = opened === null ? undefined : (rows.slice(from).find(isOther) ?? rows.slice(0, from).find(isOther))
  const open = (row: Row) => setOpened({ row, key: keyOf(row), index: rows.indexOf(row) })
  return {
    row: present ?? opened?.row ?? null,
    key: opened?.key ?? null,
    open,
    close: () => setOpened(null),
    next: next ?? null,
    openNext: () => {
      if (next === undefined) setOpened(null)
      else open(next)
    },
  }
}
