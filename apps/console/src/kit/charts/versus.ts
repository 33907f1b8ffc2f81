import { t } from '#kit/i18n/index.ts'
import { signedTenths } from '#kit/number.ts'
import { changeOf } from '#kit/span.ts'

interface Comparison {
  readonly note: string
  readonly tone?: 'good' | 'warn'
}

/** Beside a figure stands what it was in the span before. */
export function versus(now: number, before: number | null | undefined, isLessBetter = false): Comparison {
  const change = before === null || before === undefined ? null : changeOf(now, before)
  if (change === null) return { note: t('没有可比的前一时段') }
  const isBetter = isLessBetter ? change < 0 : change > 0
  const note = t('较前一时段 {{change}}%', { change: signedTenths(change) })
  return Math.abs(change) < 0.05 ? { note } : { note, tone: isBetter ? 'good' : 'warn' }
}
