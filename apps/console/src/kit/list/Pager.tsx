import type { ReactNode } from 'react'
import { t } from '#kit/i18n/index.ts'
import { Button } from '#kit/plain/Button.tsx'
import './list.css'

interface Props {
  readonly page: number
  readonly hasNext: boolean
  /** Null if not counted. */
  readonly count: number | null
  readonly isCountCut?: boolean
  readonly busy: boolean
  readonly onPrevious: () => void
  readonly onNext: () => void
  readonly children?: ReactNode
}

/** Previous and next page of a list that is read by cursors, so it cannot jump to page 500. */
export function Pager({ page, hasNext, count, isCountCut, busy, onPrevious, onNext, children }: Props): ReactNode {
  return (
    <nav className="list-pager" aria-label={t('翻页')}>
      <span className="list-count" data-testid="list-count">
        {count === null ? '' : isCountCut === true ? t('共 {{count}}+ 条', { count }) : t('共 {{count}} 条', { count })}
      </span>
      {children}
      <span className="list-pager-at">{t('第 {{page}} 页', { page: page + 1 })}</span>
      <Button disabled={page === 0 || busy} onClick={onPrevious}>
        {t('上一页')}
      </Button>
      <Button disabled={!hasNext || busy} onClick={onNext}>
        {t('下一页')}
      </Button>
    </nav>
  )
}
