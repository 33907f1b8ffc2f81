import type { SessionCall } from '#kit/call.ts'
import { businessTime, csvHead, csvLine } from '#kit/csv.ts'
import type { Kit } from '#kit/kit.ts'
import { randomUuid } from '#kit/random.ts'
import type { Audit } from '../public.ts'

export type CsvColumns<Row> = readonly (readonly [title: string, value: (row: Row) => string | number | null])[]

type Parts = { readonly kit: Pick<Kit, 'db' | 'clock' | 'random'>; readonly audit: Audit }

/** One part of a file. With the first goes a line in the log: what leaves the house is written down. */
export async function exportPart<Row>(
  { kit, audit }: Parts,
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
  if (isFirst) await noteExport({ kit, audit }, call, { ...file, exportId })
  const titles = columns.map(([title]) => title)
  const head = isFirst ? csvHead({ exportId, operatorName: call.caller.name, atMs, titles }) : ''
  const lines = rows.map((row) => csvLine(columns.map(([, value]) => value(row))))
  const fileName = `${file.name}-${businessTime(atMs).slice(0, 10)}-${exportId.slice(0, 8)}.csv`
  return { exportId, fileName, text: head + lines.join(''), rows: rows.length, nextCursor }
}

async function noteExport(
  { kit, audit }: Parts,
  call: SessionCall,
  file: { readonly exportId: string; readonly action: string; readonly filter: Readonly<Record<string, unknown>> },
): Promise<void> {
  const { agentId, operatorId } = call.caller
  // Who was looked for is in nobody's log.
  const { phone, name, certNumber, ...filter } = file.filter
  const byPhone = [phone, name, certNumber].some((value) => value !== undefined)
  // With the caller's own company: a file spans several.
  await kit.db.withScope({ agentIds: [agentId], areaIds: [], operatorId }, (tx) =>
    audit.write(tx, {
      agentId,
      operatorId,
      action: file.action,
      subjectKind: 'export',
      subjectId: file.exportId,
      after: { filter, byPhone },
      address: call.address,
      requestId: call.requestId,
    }),
  )
}
