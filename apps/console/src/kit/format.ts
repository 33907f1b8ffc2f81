import { emptyText } from '@saddle/contract/constants.ts'
import { businessOffsetMs, dayMs, hourMs, minuteMs } from '@saddle/contract/time.ts'
import { t } from '#kit/i18n/index.ts'

/** Cents as yuan with two decimals, `1,234.50`; `--` for nothing. */
export function money(cents: number | null | undefined): string {
  if (cents === null || cents === undefined || !Number.isFinite(cents)) return emptyText
  const whole = Math.round(Math.abs(cents))
  const yuan = Math.floor(whole / 100)
    .toString()
    .replace(/\B(?=(\d{3})+$)/g, ',')
  const rest = String(whole % 100).padStart(2, '0')
  return `${cents < 0 && whole > 0 ? '-' : ''}${yuan}.${rest}`
}

/** With the sign of the currency: `¥1,234.50`, `-¥3.75`. */
export const moneyWithSign = (cents: number): string => `¥${money(cents)}`.replace('¥-', '-¥')

/** `YYYY-MM-DD HH:mm:ss` in the business time zone; `--` for nothing. */
export function dateTime(ms: number | null | undefined): string {
  if (ms === null || ms === undefined || !Number.isFinite(ms)) return emptyText
  // Lists format thousands of times: the business time zone has a fixed offset, so plain arithmetic is enough.
  return new Date(ms + businessOffsetMs).toISOString().slice(0, 19).replace('T', ' ')
}

/** `YYYY-MM-DD` in the business time zone; `--` for nothing. */
export function dateOnly(ms: number | null | undefined): string {
  return dateTime(ms).slice(0, 10)
}

/** `MM-DD HH:mm` in the business time zone; the date for another year. `--` for nothing. */
export function shortTime(ms: number | null | undefined, nowMs: number): string {
  const whole = dateTime(ms)
  if (whole === emptyText) return whole
  return whole.slice(0, 4) === dateTime(nowMs).slice(0, 4) ? whole.slice(5, 16) : whole.slice(0, 10)
}

export { number, signedTenths } from './number.ts'

/** 138****8000; text that is not a mobile number is shown unchanged. */
export function maskPhone(phone: string): string {
  return phone.replace(/^(\d{3})\d{4}(\d{4})$/, '$1****$2')
}

/** `820 m`, `3.4 km`. */
export function distanceText(metres: number): string {
  if (metres < 995) return `${Math.round(metres / 10) * 10} m`
  return `${(metres / 1000).toFixed(metres < 9_950 ? 1 : 0)} km`
}

/** How long ago, in words; beyond a week the date itself. */
export function relativeTime(ms: number | null | undefined, nowMs: number): string {
  if (ms === null || ms === undefined) return emptyText
  const age = nowMs - ms
  if (age < 5_000) return t('刚刚')
  if (age < minuteMs) return t('{{count}} 秒前', { count: Math.floor(age / 1000) })
  if (age < hourMs) return t('{{count}} 分钟前', { count: Math.floor(age / minuteMs) })
  if (age < dayMs) return t('{{count}} 小时前', { count: Math.floor(age / hourMs) })
  if (age < 7 * dayMs) return t('{{count}} 天前', { count: Math.floor(age / dayMs) })
  return dateTime(ms)
}
