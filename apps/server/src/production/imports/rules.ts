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
import type { SheetLine } from '#kit/files/sheet.ts'
import type { ColumnPlaces } from '#kit/files/sheetColumns.ts'
import { lostDigits } from '#kit/files/sheetMarks.ts'

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

const otherTitles: Readonly<Record<ImportColumn, readonly string[]>> = {
  number: ['number', 'vehicle', 'vehiclenumber', 'vehicleno', '编号', '车号'],
  imei: ['imei号'],
  serial: ['serial', 'serialnumber', 'serialno', '序列号', 'sn号'],
  mac: ['macaddress', '蓝牙mac', 'mac地址', 'bluetoothmac'],
  iccid: ['iccid号', 'sim'],
  model: ['model', '车型'],
  area: ['area', 'servicearea', '区域'],
}
const namesOf = (column: ImportColumn): [string, ...string[]] => [importColumnTitles[column], ...otherTitles[column]]

/** The columns of a file of vehicles. */
export const vehicleColumns = {
  columns: importColumns,
  names: Object.fromEntries(importColumns.map((column) => [column, namesOf(column)])) as Readonly<
    Record<ImportColumn, [string, ...string[]]>
  >,
  needed: ['number', 'imei', 'model'] satisfies ImportColumn[],
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
  {
    places,
    isImeiUnchecked,
    areaName,
  }: { places: ColumnPlaces<ImportColumn>; isImeiUnchecked: boolean; areaName: string },
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
