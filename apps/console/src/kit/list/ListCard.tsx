import type { ReactNode } from 'react'
import type { Filter } from './declare.ts'
import { ListFilters } from './filters/FilterBar.tsx'
import type { FilterSpec } from './filters/types.ts'
import { ListBody, type ListBodyProps } from './ListBody.tsx'
import './listCard.css'

interface Props<Row, F extends Filter> extends ListBodyProps<Row, F> {
  /** Heading above the list, for pages with other parts. */
  readonly title?: string
  readonly filters?: readonly FilterSpec<F>[]
}

/** A list inside another page: the same rows, tools and paging, without page frame and shortcuts. */
export function ListCard<Row, F extends Filter>({ title, filters, ...body }: Props<Row, F>): ReactNode {
  return (
    <div className="list-inside">
      {title !== undefined && <h2>{title}</h2>}
      {filters !== undefined && <ListFilters list={body.list} filters={filters} />}
      <ListBody<Row, F> {...body} />
    </div>
  )
}
