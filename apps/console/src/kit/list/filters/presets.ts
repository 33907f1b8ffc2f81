import { t } from '#kit/i18n/index.ts'
import { lastDays, monthOf, type Span } from '#kit/span.ts'

interface Preset {
  readonly label: string
  readonly span: Span
}

/** The most common ranges. */
export function presets(): readonly Preset[] {
  return [
    { label: t('今天'), span: lastDays(1) },
    { label: t('昨天'), span: { from: lastDays(2).from, to: lastDays(2).from } },
    { label: t('近 {{count}} 天', { count: 7 }), span: lastDays(7) },
    { label: t('近 {{count}} 天', { count: 30 }), span: lastDays(30) },
    { label: t('本月'), span: monthOf(0) },
    { label: t('上月'), span: monthOf(-1) },
  ]
}
