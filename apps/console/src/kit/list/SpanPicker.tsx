import type { ReactNode } from 'react'
import { dayOf, endOfDay, startOfDay } from '#kit/day.ts'
import { t } from '#kit/i18n/index.ts'
import { Segments } from '#kit/plain/Segments.tsx'
import { lastDays, type Span } from '#kit/span.ts'
import { RangeButton } from './filters/RangeButton.tsx'
import './span.css'

interface Props {
  readonly span: Span
  /** Lengths that one press chooses, in days. */
  readonly presets: readonly number[]
  readonly onSpan: (span: Span) => void
}

const isSame = (a: Span, b: Span): boolean => a.from === b.from && a.to === b.to

/** From one business day to another, both inclusive. */
export function SpanPicker({ span, presets, onSpan }: Props): ReactNode {
  return (
    <div className="span-picker">
      <Segments
        label={t('时间范围')}
        options={presets.map((count) => ({
          value: count,
          label: count === 1 ? t('今天') : t('近 {{count}} 天', { count }),
        }))}
        value={presets.find((count) => isSame(lastDays(count), span)) ?? null}
        onChange={(count) => onSpan(lastDays(count))}
      />
      <RangeButton
        title={t('时间范围')}
        isRequired
        from={startOfDay(span.from)}
        to={endOfDay(span.to)}
        onChange={({ from, to }) => {
          if (from !== undefined && to !== undefined) onSpan({ from: dayOf(from), to: dayOf(to - 1) })
        }}
      />
    </div>
  )
}
