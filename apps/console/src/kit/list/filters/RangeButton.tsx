import { lazy, Suspense, type ReactNode } from 'react'
import { t } from '#kit/i18n/index.ts'
import { Popover } from '#kit/ui/Popover.tsx'
import { Loading } from '#kit/ui/states.tsx'
import { rangeWords } from './rangeWords.ts'
import './filters.css'

const RangePanel = lazy(() => import('./RangePanel.tsx'))

export interface Range {
  /** Milliseconds since 1970: inclusive start and exclusive end. */
  readonly from?: number | undefined
  readonly to?: number | undefined
}

interface Props extends Range {
  readonly title: string
  readonly withTime?: boolean
  /** The range is required and cannot end in the future. */
  readonly isRequired?: boolean
  readonly onChange: (range: Range) => void
}

/** A named button that opens the range picker, for pages without a list's filter bar. */
export function RangeButton({ title, from, to, withTime = false, isRequired = false, onChange }: Props): ReactNode {
  const words = rangeWords(from, to)
  return (
    <span className="filter" data-on={words !== null && !isRequired}>
      <Popover
        label={title}
        className="filter-button"
        face={
          <>
            <span className="filter-title">{words === null ? title : t('{{title}}：', { title })}</span>
            {words !== null && <b>{words}</b>}
          </>
        }
      >
        {(close) => (
          <Suspense fallback={<Loading />}>
            <RangePanel
              title={title}
              from={from}
              to={to}
              withTime={withTime}
              isPast={isRequired}
              onChange={(range) => {
                if (range !== null || !isRequired) onChange({ from: range?.from, to: range?.to })
                close()
              }}
            />
          </Suspense>
        )}
      </Popover>
      {words !== null && !isRequired && (
        <button
          type="button"
          className="filter-off"
          aria-label={t('去掉“{{title}}”', { title })}
          onClick={() => onChange({ from: undefined, to: undefined })}
        >
          ×
        </button>
      )}
    </span>
  )
}
