import { lazy, Suspense } from 'react'
import { areaEndpoints } from '@saddle/contract/organisation/areas.ts'
import { number } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { useEndpoint } from '#kit/query.ts'
import { Loading } from '#kit/ui/states.tsx'
import type { Filter } from '../declare.ts'
import { KeywordField } from './KeywordField.tsx'
import { ChoicePanel, NumbersPanel, type Choice } from './panels.tsx'
import { rangeWords } from './rangeWords.ts'
import type { FilterSpec } from './types.ts'

type Name<F> = keyof F & string

type Options = Readonly<Record<string, string>> | readonly Choice[]

const isChoices = (options: Options): options is readonly Choice[] => Array.isArray(options)

/** Choices unchanged; labels of the contract converted to choices, in the same order. */
const choicesOf = (options: Options): readonly Choice[] =>
  isChoices(options) ? options : Object.entries(options).map(([value, label]) => ({ value, label: t(label) }))

/** Several values of one condition, by the labels of the contract. */
export function many<F extends Filter>(name: Name<F>, title: string, options: Options): FilterSpec<F> {
  const choices = choicesOf(options)
  return {
    names: [name],
    title,
    words: (filter) => someOf(choices, (filter[name] ?? []) as readonly Choice['value'][]),
    panel: ({ filter, change }) => (
      <ChoicePanel
        isMany
        title={title}
        choices={choices}
        value={(filter[name] ?? []) as readonly Choice['value'][]}
        onChange={(next) =>
          change({ [name]: next.length === 0 ? undefined : next } as Partial<Record<keyof F, unknown>>)
        }
      />
    ),
  }
}

/** A condition that tabs above the list set to one value; links may set several. */
export function tabbed<F extends Filter>(name: Name<F>): FilterSpec<F> {
  return {
    names: [name],
    title: name,
    isByTabs: true,
    words: ({ [name]: value }) => (Array.isArray(value) && value.length === 1 ? String(value[0]) : null),
    panel: null,
  }
}

/** One of several values. */
export function one<F extends Filter>(name: Name<F>, title: string, options: Options): FilterSpec<F> {
  const choices = choicesOf(options)
  return {
    names: [name],
    title,
    words: ({ [name]: value }) =>
      value === undefined ? null : (choices.find((choice) => choice.value === value)?.label ?? String(value)),
    panel: ({ filter, change, close }) => (
      <ChoicePanel
        title={title}
        choices={choices}
        value={filter[name] === undefined ? [] : [filter[name] as Choice['value']]}
        onChange={([next]) => {
          change({ [name]: next } as Partial<Record<keyof F, unknown>>)
          close()
        }}
      />
    ),
  }
}

/** Service areas of the scope. */
export function areas<F extends Filter>(name: Name<F>, title: string = t('服务区')): FilterSpec<F> {
  return {
    names: [name],
    title,
    words: (filter) => {
      const ids = (filter[name] ?? []) as readonly number[]
      return ids.length === 0 ? null : t('{{count}} 个', { count: ids.length })
    },
    panel: ({ filter, change }) => (
      <AreaPanel
        title={title}
        value={(filter[name] ?? []) as readonly number[]}
        onChange={(ids) => change({ [name]: ids.length === 0 ? undefined : ids } as Partial<Record<keyof F, unknown>>)}
      />
    ),
  }
}

interface AreaProps {
  readonly title: string
  readonly value: readonly number[]
  readonly onChange: (ids: readonly Choice['value'][]) => void
}

function AreaPanel({ title, value, onChange }: AreaProps) {
  const { data } = useEndpoint(areaEndpoints.listServiceAreas, {}, { staleMs: 300_000, quiet: true })
  if (data === undefined) return <Loading />
  const choices = data.data.list.map((area) => ({ value: area.id, label: area.name }))
  return <ChoicePanel isMany title={title} choices={choices} value={value} onChange={onChange} />
}

interface KeywordOptions<F extends Filter> {
  readonly names: readonly Name<F>[]
  readonly read: (text: string) => Partial<Record<Name<F>, unknown>>
  readonly write: (filter: Partial<F>) => string
}

/** A search term. With `options` it is parsed into one of several conditions, e.g. a phone or a number. */
export function keyword<F extends Filter>(title: string, options: Name<F> | KeywordOptions<F>): FilterSpec<F> {
  const { names, read, write }: KeywordOptions<F> =
    typeof options === 'string'
      ? {
          names: [options],
          read: (text) => ({ [options]: text }) as Partial<Record<Name<F>, unknown>>,
          write: (filter) => String(filter[options] ?? ''),
        }
      : options
  return {
    names,
    title,
    words: (filter) => write(filter) || null,
    panel: null,
    field: ({ filter, change }) => (
      <KeywordField
        label={title}
        value={write(filter)}
        onChange={(text) => {
          const others = Object.fromEntries(names.map((name) => [name, undefined]))
          change({ ...others, ...(text === '' ? {} : read(text)) } as Partial<Record<keyof F, unknown>>)
        }}
      />
    ),
  }
}

interface DaysOptions<F extends Filter> {
  /** Names of conditions in milliseconds since 1970; default `from` and `to`. */
  readonly from?: Name<F>
  readonly to?: Name<F>
  /** Hours and minutes can be chosen as well. */
  readonly withTime?: boolean
}

const RangePanel = lazy(() => import('./RangePanel.tsx'))

/** From one business day to another, both inclusive. */
export function days<F extends Filter>(title: string, options: DaysOptions<F> = {}): FilterSpec<F> {
  const from: Name<F> = options.from ?? 'from'
  const to: Name<F> = options.to ?? 'to'
  const withTime = options.withTime === true
  return {
    names: [from, to],
    title,
    words: (filter) => rangeWords(filter[from] as number | undefined, filter[to] as number | undefined),
    panel: ({ filter, change, close }) => (
      <Suspense fallback={<Loading />}>
        <RangePanel
          title={title}
          from={filter[from] as number | undefined}
          to={filter[to] as number | undefined}
          withTime={withTime}
          onChange={(range) => {
            change({ [from]: range?.from, [to]: range?.to } as Partial<Record<keyof F, unknown>>)
            close()
          }}
        />
      </Suspense>
    ),
  }
}

interface AmountOptions {
  /** Stored units per typed unit: cents per yuan, metres per kilometre. */
  readonly per?: number
  readonly unit?: string
}

/** From and below a number, e.g. of cents that are typed as yuan. */
export function amount<F extends Filter>(
  title: string,
  [from, below]: readonly [Name<F>, Name<F>],
  { per = 100, unit = t('元') }: AmountOptions = {},
): FilterSpec<F> {
  const typed = (value: unknown): number | undefined => (typeof value === 'number' ? value / per : undefined)
  return {
    names: [from, below],
    title,
    words: (filter) => amountWords(typed(filter[from]), typed(filter[below]), unit),
    panel: ({ filter, change, close }) => (
      <NumbersPanel
        title={title}
        labels={[t('不低于（{{unit}}）', { unit }), t('低于（{{unit}}）', { unit })]}
        from={typed(filter[from])}
        to={typed(filter[below])}
        onChange={(least, most) => {
          const whole = (value: number | undefined) => (value === undefined ? undefined : Math.round(value * per))
          change({ [from]: whole(least), [below]: whole(most) } as Partial<Record<keyof F, unknown>>)
          close()
        }}
      />
    ),
  }
}

function amountWords(from: number | undefined, below: number | undefined, unit: string): string | null {
  if (from !== undefined && below !== undefined) return `${number(from)} – ${number(below)} ${unit}`
  if (from !== undefined) return `≥ ${number(from)} ${unit}`
  return below === undefined ? null : `< ${number(below)} ${unit}`
}

interface NumbersOptions<F extends Filter> {
  readonly from?: Name<F>
  readonly to?: Name<F>
  readonly unit?: string
  readonly limits: readonly [min: number, max: number]
}

/** From one number to another, both inclusive, or only one limit. */
export function numbers<F extends Filter>(title: string, options: NumbersOptions<F>): FilterSpec<F> {
  const { from, to, unit = '', limits } = options
  const names = [from, to].filter((name) => name !== undefined)
  const valueOf = (filter: Partial<F>, name: Name<F> | undefined) =>
    name === undefined ? undefined : (filter[name] as number | undefined)
  const labelOf = (name: Name<F> | undefined, label: string) =>
    name === undefined ? null : unit === '' ? label : t('{{title}}（{{unit}}）', { title: label, unit })
  return {
    names,
    title,
    words: (filter) => numberWords(valueOf(filter, from), valueOf(filter, to), unit),
    panel: ({ filter, change, close }) => (
      <NumbersPanel
        isInclusive
        title={title}
        labels={[
          labelOf(from, t('{{label}}不低于', { label: title })),
          labelOf(to, t('{{label}}不高于', { label: title })),
        ]}
        limits={limits}
        from={valueOf(filter, from)}
        to={valueOf(filter, to)}
        onChange={(least, most) => {
          change({
            ...(from !== undefined && { [from]: least }),
            ...(to !== undefined && { [to]: most }),
          } as Partial<Record<keyof F, unknown>>)
          close()
        }}
      />
    ),
  }
}

function numberWords(from: number | undefined, to: number | undefined, unit: string): string | null {
  const shown = unit === '%' ? '%' : unit === '' ? '' : ` ${unit}`
  if (from !== undefined && to !== undefined) return `${number(from)} – ${number(to)}${shown}`
  if (from !== undefined) return `≥ ${number(from)}${shown}`
  return to === undefined ? null : `≤ ${number(to)}${shown}`
}

/** The first chosen label, and the number of the others. */
function someOf(choices: readonly Choice[], value: readonly Choice['value'][]): string | null {
  if (value.length === 0) return null
  if (value.length === choices.length && value.length > 1) return t('全部')
  const first = choices.find((choice) => choice.value === value[0])?.label ?? String(value[0])
  return value.length === 1 ? first : `${first} +${value.length - 1}`
}
