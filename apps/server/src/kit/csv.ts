import type { Language } from '@saddle/contract/constants.ts'
import { exportOriginTitles } from '@saddle/contract/exported.ts'
import { businessTimeZone, minuteMs } from '@saddle/contract/time.ts'
import { inLanguage } from './language.ts'

// oxlint-disable-next-line no-control-regex -- spreadsheets read control characters in front of a formula away
const formulaStart = /^[\s\u0000-\u001f\ufeff]*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n\u0000]/

/**
 * A cell of a CSV file. Text that a spreadsheet would take for a formula gets an apostrophe in front; numbers are numbers
 * and stay as they are.
 */
export function csvCell(value: string | number | null): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const safe = formulaStart.test(value) ? `'${value}` : value
  return /["',\n\r\t]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

const lineEnd = '\r\n'
export const csvLine = (cells: readonly (string | number | null)[]): string => cells.map(csvCell).join(',') + lineEnd

const time = new Intl.DateTimeFormat('sv-SE', { timeZone: businessTimeZone, dateStyle: 'short', timeStyle: 'medium' })
const minutesMax = 20_000
/** Up to the minute: rows of a file lie close in time, and asking the calendar takes longer than all the rest of a row. */
const minutes = new Map<number, string>()

/** `2026-11-21 09:30:00` by business time; empty for null. */
export function businessTime(atMs: number | null): string {
  if (atMs === null) return ''
  const minute = Math.floor(atMs / minuteMs)
  let text = minutes.get(minute)
  if (text === undefined) {
    if (minutes.size >= minutesMax) minutes.clear()
    text = time.format(minute * minuteMs).slice(0, -2)
    minutes.set(minute, text)
  }
  return text + String(Math.floor((atMs - minute * minuteMs) / 1_000)).padStart(2, '0')
}

/** The export's id and the person who made it. */
export interface CsvOrigin {
  readonly exportId: string
  readonly operatorName: string
}

/**
 * A part of a file; the first part begins with the titles, after a byte order mark that makes spreadsheets read UTF-8.
 * Every row ends with the export's id and the person who made it, so that each part of the file shows them and the
 * titles stay the first line, which joins and imports need. The lines are those of `csvLine`.
 */
export function csvPart(options: {
  readonly origin: CsvOrigin
  readonly titles: readonly string[]
  readonly isFirst: boolean
  readonly lines: readonly string[]
  readonly language?: Language
}): string {
  const { origin, titles, isFirst, lines, language = 'zh' } = options
  const end = `,${csvLine([origin.exportId, origin.operatorName])}`
  const head = isFirst
    ? `\ufeff${csvLine([...titles, ...exportOriginTitles.map((title) => inLanguage(language, title))])}`
    : ''
  return head + lines.map((line) => line.slice(0, -lineEnd.length) + end).join('')
}
