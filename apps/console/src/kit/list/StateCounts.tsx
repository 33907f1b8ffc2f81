import type { ReactNode } from 'react'
import { number } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import type { Filter } from './declare.ts'
import type { List } from './useList.ts'
import './stateCounts.css'

interface Props<Row, F extends Filter> {
  readonly list: List<Row, F>
  /** The filter condition for the state; one press sets it, a second press removes it. */
  readonly name: keyof F & string
  readonly labels: Readonly<Record<string, string>>
  /** Counts by state; undefined until loaded. */
  readonly counts: Readonly<Record<string, number>> | undefined
  /** The limit of a count; a count at the limit is marked as cut. */
  readonly countMax?: number
  /** Further counts that are filters, behind those of the states. */
  readonly children?: ReactNode
}

/** The number of rows of each state, above a list: a press filters by that state. */
export function StateCounts<Row, F extends Filter>(props: Props<Row, F>): ReactNode {
  const { list, name, labels, counts, countMax, children } = props
  const chosen = (list.filter[name] ?? []) as readonly string[]
  return (
    <nav className="state-counts" aria-label={t('状态')}>
      {Object.entries(labels).map(([state, label]) => {
        const isOn = chosen.length === 1 && chosen[0] === state
        const count = counts?.[state]
        const isCut = count !== undefined && countMax !== undefined && count >= countMax
        return (
          <button
            key={state}
            type="button"
            aria-pressed={isOn}
            onClick={() => list.change({ [name]: isOn ? undefined : [state] } as Partial<Record<keyof F, unknown>>)}
          >
            {t(label)}
            <b>{count === undefined ? '' : `${number(count)}${isCut ? '+' : ''}`}</b>
          </button>
        )
      })}
      {children}
    </nav>
  )
}
