import { dayOf } from '#kit/day.ts'
import { dateTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { presets } from './presets.ts'

const isDayStart = (ms: number): boolean => dateTime(ms).endsWith('00:00:00')

/** A range as text: a preset by its name, whole days by their dates; null for no range. */
export function rangeWords(from: number | undefined, to: number | undefined): string | null {
  if (from === undefined && to === undefined) return null
  const isWholeDays = (from === undefined || isDayStart(from)) && (to === undefined || isDayStart(to))
  if (!isWholeDays) return [from, to].map((at) => (at === undefined ? '' : dateTime(at).slice(5, 16))).join(' – ')
  const [first, last] = [dayOf(from), dayOf(to === undefined ? undefined : to - 1)]
  const known = presets().find(({ span }) => span.from === first && span.to === last)
  if (known !== undefined) return known.label
  if (last === '') return t('{{day}} 起', { day: first })
  if (first === '') return t('至 {{day}}', { day: last })
  return first === last ? first : `${first} – ${first.slice(0, 5) === last.slice(0, 5) ? last.slice(5) : last}`
}
