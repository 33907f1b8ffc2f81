import type { ReactNode } from 'react'
import { DataTable, type Column, type Sort } from '#kit/list/DataTable.tsx'
import { ExportButton } from '#kit/list/ExportButton.tsx'
import { Pager } from '#kit/list/Pager.tsx'
import type { ExportRead } from '#kit/list/useExport.ts'
import type { Pages } from '#kit/list/usePages.ts'
import { useTotal } from '#kit/list/useTotal.ts'
import './rider.css'

interface ListPage<R> {
  readonly list: readonly R[]
  readonly nextCursor: string | null
  readonly count: number | null
  readonly isCountCut: boolean
}

interface Props<R> {
  readonly label: string
  /** What was asked, to know whose count is known. */
  readonly question: string
  readonly pages: Pages
  readonly page: ListPage<R> | undefined
  readonly busy: boolean
  readonly error: unknown
  readonly onRetry: () => void
  readonly columns: readonly Column<R>[]
  readonly rowKey: (row: R) => number
  readonly cardHead: (row: R) => ReactNode
  readonly empty: ReactNode
  readonly sort?: Sort
  readonly onSort?: (sort: Sort) => void
  readonly selected?: readonly number[]
  readonly onSelect?: (ids: readonly number[]) => void
  readonly onOpen?: (row: R) => void
  readonly onExport: ExportRead
  /** What can be done with the chosen rows, or with all. */
  readonly tools?: ReactNode
}

/** A list of riders' things: acts and export above, pages below, the count of the first page kept on the others. */
export function ListCard<R extends object>(props: Props<R>): ReactNode {
  const { question, pages, page, busy, onSelect, selected, sort, onSort, onOpen } = props
  const known = useTotal(question, page, busy)
  return (
    <section className="page-card">
      <div className="rider-tools">
        {props.tools}
        <ExportButton onExport={props.onExport} />
      </div>
      <DataTable<R>
        label={props.label}
        columns={props.columns}
        rows={page?.list}
        rowKey={props.rowKey}
        loading={busy}
        error={props.error}
        onRetry={props.onRetry}
        cardHead={props.cardHead}
        empty={props.empty}
        {...(sort !== undefined && { sort })}
        {...(onSort !== undefined && { onSort })}
        {...(onOpen !== undefined && { onOpen })}
        {...(onSelect !== undefined && {
          selected: selected ?? [],
          onSelect: (keys: (number | string)[]) => onSelect(keys.map(Number)),
        })}
      />
      <Pager
        page={pages.page}
        hasNext={page !== undefined && page.nextCursor !== null}
        count={known?.count ?? null}
        isCountCut={known?.isCut === true}
        busy={busy}
        onPrevious={pages.previous}
        onNext={() => pages.next(page?.nextCursor ?? null)}
      />
    </section>
  )
}
