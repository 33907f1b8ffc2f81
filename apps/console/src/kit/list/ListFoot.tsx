import { useEffect, useRef, type ReactNode } from 'react'
import { pageSizes } from '@saddle/contract/list.ts'
import { t } from '#kit/i18n/index.ts'
import { Button } from '#kit/plain/Button.tsx'
import { SelectOne } from '#kit/ui/SelectOne.tsx'
import type { Filter } from './declare.ts'
import type { List } from './useList.ts'

interface Props<Row, F extends Filter> {
  readonly list: List<Row, F>
  readonly isCards: boolean
  /** In the narrow list of a queue: only the buttons for previous and next. */
  readonly isNarrow: boolean
}

/** Paging of the list; on a phone, loading by scrolling. Renders nothing for a single page. */
export function ListFoot<Row, F extends Filter>({ list, isCards, isNarrow }: Props<Row, F>): ReactNode {
  if (list.rows === undefined || list.rows.length === 0) return null
  return isCards ? <More list={list} /> : <Pages list={list} isNarrow={isNarrow} />
}

function Pages<Row, F extends Filter>({ list, isNarrow }: Omit<Props<Row, F>, 'isCards'>) {
  const { page, hasNext, previous, next, pageSize, setPageSize, isStale, rows = [] } = list
  if (page === 0 && !hasNext && rows.length <= pageSizes[0]) return null
  const first = page * pageSize + 1
  return (
    <nav className="list-foot" aria-label={t('翻页')}>
      {!isNarrow && (
        <label>
          {t('每页')}
          <SelectOne
            label={t('每页')}
            value={pageSize}
            options={pageSizes.map((size) => ({ value: size, label: String(size) }))}
            onChange={setPageSize}
          />
        </label>
      )}
      <span className="list-range">
        {isNarrow ? '' : `${t('第 {{page}} 页', { page: page + 1 })} · `}
        {first}–{first + rows.length - 1}
      </span>
      <Button disabled={page === 0 || isStale} onClick={previous}>
        {t('上一页')}
      </Button>
      <Button disabled={!hasNext || isStale} onClick={next}>
        {t('下一页')}
      </Button>
    </nav>
  )
}

function More<Row, F extends Filter>({ list }: { readonly list: List<Row, F> }) {
  const { hasNext, isLoadingMore, isStale, next } = list
  const end = useRef<HTMLDivElement>(null)
  const latest = useRef(next)
  useEffect(() => {
    latest.current = next
  })
  // A list inside a page must not grow by itself, or the reader never reaches the content below.
  const isWaiting = hasNext && !isLoadingMore && !isStale && list.search !== null
  useEffect(() => {
    const element = end.current
    if (element === null || !isWaiting) return undefined
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting === true && latest.current(), {
      // Loads before the last card is reached.
      rootMargin: '400px',
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [isWaiting])
  return (
    <div ref={end} className="list-more">
      {hasNext ? (
        <Button look="quiet" busy={isLoadingMore} onClick={next}>
          {t('加载更多')}
        </Button>
      ) : (
        t('已到末尾')
      )}
    </div>
  )
}
