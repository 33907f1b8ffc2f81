import type { ReactNode } from 'react'
import { dayOf, endOfDay, startOfDay } from '#kit/day.ts'
import { t } from '#kit/i18n/index.ts'
import { Button } from '#kit/plain/Button.tsx'
import { lastDays, type Span } from '#kit/span.ts'
import { RangeButton } from './filters/RangeButton.tsx'
import './span.css'

interface Props {
  readonly span: Span
  /** Lengths that one press chooses, in days. */
  readonly presets: readonly number[]
  readonly onSpan: (span: Span) => void
}

/** From one business day to another, both inclusive. */
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
      <RangeButton
        title={t('时间范围')}
        isRequired
        from={startOfDay(span.from)}
        to={endOfDay(span.to)}
        onChange={({ from, to }) => {
          if (from !== undefined && to !== undefined) onSpan({ from: dayOf(from), to: dayOf(to - 1) })
        }}
      />
    </fieldset>
  )
}
