import { t } from '#kit/i18n/index.ts'

/** Monday first, as the hours of the week begin. */
export const weekdayWords = (): string[] => [
  t('周一'),
  t('周二'),
  t('周三'),
  t('周四'),
  t('周五'),
  t('周六'),
  t('周日'),
]

export const hourWords = (hour: number): string =>
  `${weekdayWords()[Math.floor(hour / 24)] ?? ''} ${String(hour % 24).padStart(2, '0')}:00`

export const kilometres = (metres: number): string => (metres / 1_000).toFixed(1)
