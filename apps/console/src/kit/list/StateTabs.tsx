import { useRef, type ReactNode } from 'react'
import type { Endpoint } from '@saddle/contract/endpoint.ts'
import { number } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { useChosenInSight } from '#kit/plain/useChosenInSight.ts'
import { useEndpoints } from '#kit/query.ts'
import type { Filter, PageOfRows } from './declare.ts'
import type { List } from './useList.ts'
import './stateTabs.css'

interface Props<Row, F extends Filter> {
  readonly list: List<Row, F>
  /** The list's own call, used to count the rows of each value. */
  readonly call: Endpoint
  /** The condition, which accepts several values, and the labels of the values. */
  readonly name: keyof F & string
  readonly title: string
  readonly labels: Readonly<Record<string, string>>
  readonly refreshEveryMs?: number
}

/** A tab for each value of one condition with its number of rows under the other conditions, then one for all. */
export function StateTabs<Row, F extends Filter>(props: Props<Row, F>): ReactNode {
  const { list, call, name, title, labels, refreshEveryMs } = props
  const values = Object.keys(labels)
  const { [name]: chosen, ...others } = list.filter
  const inputs = values.map((value) => ({ filter: { ...others, [name]: [value] }, pageSize: 1 }))
  const answers = useEndpoints(call, inputs, {
    quiet: true,
    ...(refreshEveryMs !== undefined && { refetchIntervalMs: refreshEveryMs }),
  })
  const counts = answers.map(({ data }) => (data as { readonly data: PageOfRows<Row> } | undefined)?.data.count ?? null)
  const isOnly = (value: string): boolean => Array.isArray(chosen) && chosen.length === 1 && chosen[0] === value
  const choose = (value: readonly string[] | undefined) =>
    list.change({ [name]: value } as Partial<Record<keyof F, unknown>>)
  const tab = (key: string, isCurrent: boolean, label: ReactNode, next: readonly string[] | undefined) => (
    <button key={key} type="button" aria-current={isCurrent ? 'page' : undefined} onClick={() => choose(next)}>
      {label}
    </button>
  )
  const row = useRef<HTMLElement>(null)
  // Counts that arrive make the row longer.
  useChosenInSight(row, JSON.stringify([chosen, counts]))
  return (
    <nav ref={row} className="state-tabs" aria-label={title}>
      {values.map((value, index) => {
        const count = counts[index] ?? null
        const label = (
          <>
            {t(labels[value] ?? value)}
            {count !== null && <b>{number(count)}</b>}
          </>
        )
        return tab(value, isOnly(value), label, [value])
      })}
      {tab('', chosen === undefined, t('全部'), undefined)}
    </nav>
  )
}
