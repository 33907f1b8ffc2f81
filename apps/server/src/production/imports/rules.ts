import {
  iccidOf,
  iccidPattern,
  importColumns,
  importColumnTitles,
  macOf,
  macPattern,
  serialPattern,
  type ImportColumn,
  type ImportProblem,
} from '@saddle/contract/production/importWords.ts'
import { visibleText } from '@saddle/contract/answers.ts'
import { isImei } from '#fleet/public.ts'
import { lostDigits } from './sheetMarks.ts'

/** A line of a file: its cells as texts by the columns that the file has. */
export interface SheetLine {
  readonly line: number
  readonly cells: readonly string[]
}

/** A line as it is kept, with what can be said of it without looking at others. */
export interface JudgedLine {
  readonly line: number
  readonly number: string
  readonly imei: string
  readonly serial: string
  readonly mac: string
  readonly iccid: string
  readonly model: string
  readonly problems: readonly ImportProblem[]
}

/** Where each column stands in the file. */
export type ColumnPlaces = Readonly<Record<ImportColumn, number | null>>

const otherTitles: Readonly<Record<ImportColumn, readonly string[]>> = {
  number: ['number', 'vehicle', 'vehiclenumber', 'vehicleno', '编号', '车号'],
  imei: ['imei号'],
  serial: ['serial', 'serialnumber', 'serialno', '序列号', 'sn号'],
  mac: ['macaddress', '蓝牙mac', 'mac地址', 'bluetoothmac'],
  iccid: ['iccid号', 'sim'],
  model: ['model', '车型'],
  area: ['area', 'servicearea', '区域'],
}
const needed: readonly ImportColumn[] = ['number', 'imei', 'model']
const plain = (title: string): string =>
  visibleText(title)
    .replaceAll(/[\s_()（）-]/g, '')
    .toLowerCase()

/** The columns by the titles of the first line; those that every file must have and this one lacks. */
export function placesOf(titles: readonly string[]): { places: ColumnPlaces; missing: string[] } {
  const known = titles.map(plain)
  const placeOf = (column: ImportColumn): number | null => {
    const names = new Set([plain(importColumnTitles[column]), ...otherTitles[column]])
    const place = known.findIndex((title) => names.has(title))
    return place === -1 ? null : place
  }
  const places = Object.fromEntries(importColumns.map((column) => [column, placeOf(column)])) as ColumnPlaces
  const missing = needed.filter((column) => places[column] === null).map((column) => importColumnTitles[column])
  return { places, missing }
}

const textMax = 64
const formats = {
  number: [/^[A-Z0-9]{4,20}$/, 'number_format'],
  serial: [serialPattern, 'serial_format'],
  mac: [macPattern, 'mac_format'],
  iccid: [iccidPattern, 'iccid_format'],
} as const satisfies Partial<Record<ImportColumn, readonly [RegExp, ImportProblem]>>

/** Puts the cells of a line in order and names what is wrong with them by themselves. */
export function judgeLine(
  { line, cells }: SheetLine,
  { places, isImeiUnchecked, areaName }: { places: ColumnPlaces; isImeiUnchecked: boolean; areaName: string },
): JudgedLine {
  const read = (column: ImportColumn): string => {
    const place = places[column]
    return place === null ? '' : visibleText((cells[place] ?? '').replaceAll('\0', '')).slice(0, textMax)
  }
  const row = {
    number: read('number').toUpperCase(),
    imei: read('imei').replaceAll(/\s/g, ''),
    serial: read('serial'),
    mac: macOf(read('mac')).slice(0, textMax),
    iccid: iccidOf(read('iccid')),
    model: read('model'),
  }
  const problems: ImportProblem[] = []
  for (const column of ['number', 'serial', 'mac', 'iccid'] as const) {
    const [pattern, problem] = formats[column]
    const isNeeded = column === 'number'
    if ((isNeeded || row[column] !== '') && !row[column].startsWith(lostDigits) && !pattern.test(row[column])) {
      problems.push(problem)
    }
  }
  if (Object.values(row).some((text) => text.startsWith(lostDigits))) problems.push('digits_lost')
  else if (!/^\d{15}$/.test(row.imei)) problems.push('imei_format')
  else if (!isImeiUnchecked && !isImei(row.imei)) problems.push('imei_digit')
  if (row.model === '' || row.model.length > 40) problems.push('model_unknown')
  const area = read('area')
  if (area !== '' && area !== areaName) problems.push('area_other')
  return { line, ...row, problems }
}
