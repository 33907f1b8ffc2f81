import { useMemo, useState } from 'react'
import {
  columnOrderingFeature,
  columnPinningFeature,
  columnSizingFeature,
  columnVisibilityFeature,
  constructTable,
  tableFeatures,
  type ColumnDef,
  type Table,
} from '@tanstack/table-core'
import { storeReactivityBindings } from '@tanstack/table-core/store-reactivity-bindings'
import { usePreferences, type ListPreferences } from '../preferences.ts'
import type { Column } from './columns.tsx'

const features = tableFeatures({
  coreReactivityFeature: storeReactivityBindings(),
  columnOrderingFeature,
  columnPinningFeature,
  columnSizingFeature,
  columnVisibilityFeature,
})
type Features = typeof features
type Nothing = Record<string, never>

export type Edge = 'start' | 'end' | null

export interface PlacedColumn<Row> extends Column<Row> {
  readonly edge: Edge
  /** Px; null: as wide as its content. */
  readonly size: number | null
}

export interface ColumnChoice {
  readonly key: string
  readonly title: string
  readonly isVisible: boolean
  readonly edge: Edge
}

export interface TableLayout<Row> {
  /** The visible columns, from start to end. */
  readonly columns: readonly PlacedColumn<Row>[]
  /** Every column in order, for the column menu. */
  readonly choices: readonly ColumnChoice[]
  readonly isChanged: boolean
  readonly show: (key: string, isVisible: boolean) => void
  readonly pin: (key: string, edge: Edge) => void
  /** Puts a column before another one; null: at the end. */
  readonly move: (key: string, before: string | null) => void
  readonly resize: (key: string, px: number | null) => void
  readonly reset: () => void
}

export const columnPx = { min: 48, max: 640 } as const

/** The columns shown, with order, fixed edges and widths, as the person has set them for this list. */
export function useTableLayout<Row>(name: string, columns: readonly Column<Row>[]): TableLayout<Row> {
  const [preferences, change] = usePreferences(name)
  const [table] = useState(() => constructTable<Features, Nothing>({ features, columns: [], data: [] }))
  // The same columns until something changes, so that rows are not rendered again.
  const arranged = useMemo(() => arrange(table, columns, preferences), [table, columns, preferences])
  const { start, end, inOrder } = arranged
  const without = (keys: readonly string[], key: string) => keys.filter((one) => one !== key)
  const { order: setOrder, visibility, pinned, sizes } = preferences
  return {
    columns: arranged.columns,
    choices: arranged.choices,
    isChanged: setOrder.length > 0 || pinned !== null || Object.keys(visibility).length + Object.keys(sizes).length > 0,
    show: (key, isVisible) => change({ visibility: { ...visibility, [key]: isVisible } }),
    pin: (key, edge) =>
      change({
        pinned: {
          start: edge === 'start' ? [...without(start, key), key] : without(start, key),
          end: edge === 'end' ? [key, ...without(end, key)] : without(end, key),
        },
      }),
    move: (key, before) => {
      const others = without(inOrder, key)
      const at = before === null ? others.length : others.indexOf(before)
      if (at >= 0) change({ order: [...others.slice(0, at), key, ...others.slice(at)] })
    },
    resize: (key, px) => {
      const { [key]: _old, ...others } = sizes
      const clamped = px === null ? null : Math.round(Math.min(columnPx.max, Math.max(columnPx.min, px)))
      change({ sizes: clamped === null ? others : { ...others, [key]: clamped } })
    },
    reset: () => change({ order: [], visibility: {}, pinned: null, sizes: {} }),
  }
}

type ColumnTable = Table<Features, Nothing>

function arrange<Row>(table: ColumnTable, columns: readonly Column<Row>[], preferences: ListPreferences) {
  const { start, end } = preferences.pinned ?? usualEdges(columns)
  applyState(table, columns, preferences, { start, end })
  const byKey = new Map(columns.map((column) => [column.key, column]))
  const placed = (edge: Edge): PlacedColumn<Row>[] =>
    table.getPinnedVisibleLeafColumns(edge ?? 'center').flatMap(({ id }) => {
      const column = byKey.get(id)
      return column === undefined ? [] : [{ ...column, edge, size: preferences.sizes[id] ?? column.width }]
    })
  const order = table.getAllLeafColumns().map(({ id }) => id)
  const isOf = (keys: readonly string[]) => (key: string) => keys.includes(key)
  const inOrder = [
    ...order.filter(isOf(start)),
    ...order.filter((key) => !isOf([...start, ...end])(key)),
    ...order.filter(isOf(end)),
  ]
  const choices = inOrder.map((key): ColumnChoice => ({
    key,
    title: byKey.get(key)?.title ?? key,
    isVisible: table.getColumn(key)?.getIsVisible() ?? true,
    edge: start.includes(key) ? 'start' : end.includes(key) ? 'end' : null,
  }))
  return { columns: [...placed('start'), ...placed(null), ...placed('end')], choices, inOrder, start, end }
}

/** The first column and the row's actions stay visible. */
function usualEdges(columns: readonly Column<never>[]) {
  const shown = columns.filter(({ isOptional }) => !isOptional)
  const [first, last] = [shown[0]?.key, shown.at(-1)?.key]
  // The company is the same in most rows: kept at the edge, it would cover what differs.
  const hasEnd = last !== undefined && last !== first && last !== 'company'
  return { start: first === undefined ? [] : [first], end: hasEnd ? [last] : [] }
}

function applyState<Row>(
  table: ColumnTable,
  columns: readonly Column<Row>[],
  { order, visibility, sizes }: ListPreferences,
  edges: { readonly start: readonly string[]; readonly end: readonly string[] },
): void {
  const defs = columns.map(({ key }): ColumnDef<Features, Nothing> => ({ id: key }))
  const optional = Object.fromEntries(columns.filter(({ isOptional }) => isOptional).map(({ key }) => [key, false]))
  table.setOptions((options) => ({
    ...options,
    columns: defs,
    state: {
      columnOrder: [...order],
      columnVisibility: { ...optional, ...visibility },
      columnPinning: { start: [...edges.start], end: [...edges.end] },
      columnSizing: { ...sizes },
    },
  }))
}
