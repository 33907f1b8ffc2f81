import { visibleText } from '@saddle/contract/answers.ts'
import { phonePattern } from '@saddle/contract/constants.ts'
import {
  openingMaxCents,
  riderImportColumns,
  riderImportColumnTitles,
  type RiderImportColumn,
  type RiderImportProblem,
} from '@saddle/contract/finance/riderImports.ts'
import { centsOfYuan } from '@saddle/contract/money.ts'
import { riderNameMax } from '@saddle/contract/rider/people.ts'
import type { SheetLine } from '#kit/files/sheet.ts'
import type { ColumnPlaces } from '#kit/files/sheetColumns.ts'

/** The columns of a file of riders. */
export const riderColumns = {
  columns: riderImportColumns,
  names: {
    phone: [riderImportColumnTitles.phone, '手机', '电话', 'phone', 'mobile', 'phonenumber'],
    name: [riderImportColumnTitles.name, '用户', 'name'],
    balance: [riderImportColumnTitles.balance, '余额', 'balance'],
  },
  needed: ['phone', 'balance'],
} as const satisfies {
  columns: readonly RiderImportColumn[]
  names: Readonly<Record<RiderImportColumn, readonly [string, ...string[]]>>
  needed: readonly RiderImportColumn[]
}

/** A line that can be taken. */
export interface BroughtRider {
  readonly line: number
  readonly phone: string
  readonly name: string | null
  readonly cents: number
}

export interface LineFault {
  readonly line: number
  readonly problems: readonly RiderImportProblem[]
}

export interface JudgedLine extends BroughtRider {
  readonly problems: readonly RiderImportProblem[]
}

/** Reads a line and names what is wrong with it by itself. An empty balance is none. */
export function judgeLine({ line, cells }: SheetLine, places: ColumnPlaces<RiderImportColumn>): JudgedLine {
  const read = (column: RiderImportColumn): string => {
    const place = places[column]
    return place === null ? '' : visibleText((cells[place] ?? '').replaceAll('\0', ''))
  }
  const phone = read('phone')
    .replaceAll(/[\s-]/g, '')
    .replace(/^\+?86(?=1\d{10}$)/, '')
  const name = read('name')
  const balance = read('balance').replaceAll(/[,，\s¥]/g, '')
  const cents = centsOfYuan(balance === '' ? '0' : balance)
  const problems: RiderImportProblem[] = []
  if (!phonePattern.test(phone)) problems.push('phone_format')
  if (name.length > riderNameMax) problems.push('name_long')
  if (cents === null) problems.push('balance_format')
  else if (cents > openingMaxCents) problems.push('balance_high')
  return { line, phone, name: name === '' ? null : name.slice(0, riderNameMax), cents: cents ?? 0, problems }
}

/** The lines with what is wrong between them: a phone number that stands in several. */
export function judgeDoubles(lines: readonly JudgedLine[]): JudgedLine[] {
  const times = new Map<string, number>()
  for (const { phone } of lines) times.set(phone, (times.get(phone) ?? 0) + 1)
  return lines.map((line) =>
    (times.get(line.phone) ?? 0) > 1 && !line.problems.includes('phone_format')
      ? { ...line, problems: [...line.problems, 'phone_double'] }
      : line,
  )
}

/** What the platform knows of a rider already. */
export interface KnownRider {
  readonly isClosed: boolean
  /** An opening balance was booked for the rider. */
  readonly isOpened: boolean
}

/** Why a rider whom the company has cannot be taken; null: nothing is in the way. */
export function problemOf({ isClosed, isOpened }: KnownRider, cents: number): RiderImportProblem | null {
  if (isClosed) return 'rider_closed'
  return isOpened && cents > 0 ? 'opened_before' : null
}
