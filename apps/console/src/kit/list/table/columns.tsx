import type { ReactNode } from 'react'
import { emptyText } from '@saddle/contract/constants.ts'
import type { Field, FieldKind, Fields } from '@saddle/contract/list.ts'
import { serverNow } from '#kit/clock.ts'
import { dateOnly, dateTime, money, number, shortTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'

/** One column as a page declares it: a field of the row, or custom content. */
export type ColumnSpec<Row> =
  | (keyof Row & string)
  | {
      /** A field of the row, or the page's own name. */
      readonly key: (keyof Row & string) | (string & {})
      /** Absent: the field's title. */
      readonly title?: string
      readonly unit?: string
      /** Absent: by the field's kind. */
      readonly render?: (row: Row) => ReactNode
      readonly numeric?: boolean
      /** The contract's sort that it uses; absent: the one with its field's name. */
      readonly sort?: string
      /** Initial width in px; absent: as wide as its content. */
      readonly width?: number
      /** Hidden by default. */
      readonly isOptional?: boolean
      /** Its place in a card on a phone: in the head, in the two lines (default), on lines of its own, or nowhere. */
      readonly card?: 'head' | 'line' | 'wide' | 'none'
    }

/** A column ready to be rendered. */
export interface Column<Row> {
  readonly key: string
  readonly title: string
  readonly render: (row: Row) => ReactNode
  readonly numeric: boolean
  readonly sort: string | null
  readonly width: number | null
  readonly isOptional: boolean
  readonly card: 'head' | 'line' | 'wide' | 'none'
}

interface Options<Row> {
  readonly fields: Fields<Row>
  /** The sortable values: fields under their own names or without their units. */
  readonly sorts: object
  /** Absent: every field, in the order of the contract. */
  readonly columns?: readonly ColumnSpec<Row>[] | undefined
}

/** The columns of a list: what the page declares, completed from the contract's fields. */
export function columnsOf<Row>({ fields, sorts, columns }: Options<Row>): readonly Column<Row>[] {
  const specs = columns ?? (Object.keys(fields) as (keyof Row & string)[])
  return specs.map((spec): Column<Row> => {
    const own = typeof spec === 'string' ? { key: spec } : spec
    const field = (fields as Readonly<Record<string, Field | undefined>>)[own.key]
    const given = fieldOf(field)
    const title = own.title ?? t(given?.title ?? own.key)
    const unit = own.unit ?? (given === null ? undefined : unitOf(given))
    return {
      key: own.key,
      // A Chinese counter such as 辆 has no English translation.
      title: unit === undefined || unit === '' ? title : t('{{title}}（{{unit}}）', { title, unit }),
      render: own.render ?? ((row) => shown((row as Readonly<Record<string, unknown>>)[own.key], given)),
      numeric: own.numeric ?? (given !== null && numericKinds.has(given.as ?? 'text')),
      sort: own.sort ?? sortOf(own.key, sorts),
      width: own.width ?? null,
      isOptional: own.isOptional === true,
      card: own.card ?? 'line',
    }
  })
}

/** `submitted` sorts by `submittedAt`, `amount` by `amountCents`. */
function sortOf(key: string, sorts: object): string | null {
  return [key, key.replace(/(At|Cents)$/, '')].find((name) => Object.hasOwn(sorts, name)) ?? null
}

type WholeField = Exclude<Field, string>

const fieldOf = (field: Field | undefined): WholeField | null =>
  field === undefined ? null : typeof field === 'string' ? { title: field } : field

const numericKinds: ReadonlySet<FieldKind> = new Set(['count', 'cents', 'metres', 'minutes', 'percent'])

function unitOf({ as, unit }: WholeField): string | undefined {
  if (unit !== undefined) return t(unit)
  if (as === 'cents') return t('元')
  if (as === 'metres') return 'km'
  if (as === 'minutes') return t('分钟')
  return undefined
}

/** A value formatted by its kind; `--` for nothing. */
function shown(value: unknown, field: WholeField | null): ReactNode {
  if (value === null || value === undefined || value === '') return emptyText
  if (Array.isArray(value)) return value.length === 0 ? emptyText : value.map((one) => textOf(one, field)).join(' · ')
  if (typeof value === 'number' && field?.labels === undefined) return ofNumber(value, field?.as ?? 'text')
  return textOf(value, field)
}

function textOf(value: unknown, field: WholeField | null): string {
  const code = typeof value === 'string' ? value : JSON.stringify(value)
  const label = field?.labels?.[code]
  if (label !== undefined) return field?.context === 'alarm' ? t(label, { context: 'alarm' }) : t(label)
  if (typeof value === 'boolean') return value ? t('是') : t('否')
  return code
}

function ofNumber(value: number, kind: FieldKind): ReactNode {
  if (kind === 'instant') return <Moment at={value} />
  if (kind === 'date') return dateOnly(value)
  if (kind === 'cents') return money(value)
  if (kind === 'metres') return (value / 1000).toFixed(2)
  if (kind === 'percent') return `${number(value)}%`
  return kind === 'text' ? String(value) : number(value)
}

/** A time in short form, with the full time on hover. */
export function Moment({ at }: { readonly at: number | null }): ReactNode {
  if (at === null) return emptyText
  return (
    <time dateTime={new Date(at).toISOString()} title={dateTime(at)}>
      {shortTime(at, serverNow())}
    </time>
  )
}
