import type { SessionCall } from '#kit/call.ts'
import { businessTime, csvLine, csvPart } from '#kit/csv.ts'
import type { Kit } from '#kit/kit.ts'
import { randomUuid } from '#kit/random.ts'
import type { Audit } from '../audit.ts'

export type CsvColumns<Row> = readonly (readonly [title: string, value: (row: Row) => string | number | null])[]

type Deps = { readonly kit: Pick<Kit, 'db' | 'clock' | 'random'>; readonly audit: Audit }

/** One part of an exported file. The first part also writes an audit record. */
export async function exportPart<Row>(
  { kit, audit }: Deps,
  call: SessionCall,
  file: {
    readonly name: string
    readonly action: string
    readonly filter: Readonly<Record<string, unknown>>
    readonly columns: CsvColumns<Row>
    readonly rows: readonly Row[]
    readonly isFirst: boolean
    readonly nextCursor: string | null
    readonly exportId?: string | undefined
  },
) {
  const { columns, rows, isFirst, nextCursor } = file
  const exportId = file.exportId ?? randomUuid(kit.random)
  const atMs = kit.clock.now()
  await audit.noteExport(call, { exportId, action: file.action, detail: detailOf(file.filter), isFirst })
  const titles = columns.map(([title]) => title)
  const origin = { exportId, operatorName: call.caller.name }
  const lines = rows.map((row) => csvLine(columns.map(([, value]) => value(row))))
  const fileName = `${file.name}-${businessTime(atMs).slice(0, 10)}-${exportId.slice(0, 8)}.csv`
  return { exportId, fileName, text: csvPart({ origin, titles, isFirst, lines }), rows: rows.length, nextCursor }
}

/** Personal data that was searched for is not logged. */
function detailOf({ phone, name, certNumber, ...filter }: Readonly<Record<string, unknown>>) {
  return { filter, byPhone: [phone, name, certNumber].some((value) => value !== undefined) }
}
