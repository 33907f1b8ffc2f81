import { businessOffsetMs, dayMs, utcDayOf } from '@saddle/contract/time.ts'
import { isFormula } from './files/table.ts'

const special = /["',\n\r\t]/

/**
 * A cell of a CSV file. Text that a spreadsheet would take for a formula gets an apostrophe in front; numbers are numbers
 * and stay as they are.
 */
export function csvCell(value: string | number | null): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const safe = isFormula(value) ? `'${value}` : value
  return special.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

const daysMax = 20_000
/** Asking the calendar takes longer than all the rest of a row. */
const days = new Map<number, string>()
const twoDigits = Array.from({ length: 60 }, (_, index) => String(index).padStart(2, '0'))

/** `2026-11-21 09:30:00` by business time; empty for null. */
export function businessTime(atMs: number | null): string {
  if (atMs === null) return ''
  const shifted = atMs + businessOffsetMs
  const day = Math.floor(shifted / dayMs)
  let text = days.get(day)
  if (text === undefined) {
    if (days.size >= daysMax) days.clear()
    text = `${utcDayOf(day * dayMs)} `
    days.set(day, text)
  }
  const second = Math.floor((shifted - day * dayMs) / 1_000)
  const minute = Math.floor(second / 60)
  return `${text}${twoDigits[Math.floor(minute / 60)]}:${twoDigits[minute % 60]}:${twoDigits[second % 60]}`
}
