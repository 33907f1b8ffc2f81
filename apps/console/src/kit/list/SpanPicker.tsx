import type { ReactNode } from 'react'
import { serverNow } from '#kit/clock.ts'
import { dateOnly } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { Button } from '#kit/plain/Button.tsx'
import { lastDays, type Span } from '#kit/span.ts'
import './span.css'

interface Props {
  readonly span: Span
  /** Lengths that one press chooses, in days. */
  readonly presets: readonly number[]
  readonly onSpan: (span: Span) => void
}

/** From one business day to another, both of them included. */
export function SpanPicker({ span, presets, onSpan }: Props): ReactNode {
  return (
    <fieldset className="span-picker" aria-label={t('时间范围')}>
      {presets.map((count) => {
        const { from, to } = lastDays(count)
        return (
          <Button
            key={count}
            look={span.from === from && span.to === to ? 'primary' : 'quiet'}
            onClick={() => onSpan({ from, to })}
          >
            {count === 1 ? t('今天') : t('近 {{count}} 天', { count })}
          </Button>
        )
      })}
      <input
        type="date"
        aria-label={t('开始日期')}
        value={span.from}
        max={span.to}
        onChange={(event) => event.target.value !== '' && onSpan({ from: event.target.value, to: span.to })}
      />
      <input
        type="date"
        aria-label={t('结束日期')}
        value={span.to}
        min={span.from}
        max={dateOnly(serverNow())}
        onChange={(event) => event.target.value !== '' && onSpan({ from: span.from, to: event.target.value })}
      />
    </fieldset>
  )
}
