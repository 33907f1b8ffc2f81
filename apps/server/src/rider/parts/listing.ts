import type { RawBuilder } from 'kysely'
import { riderCountMax, riderExportPartRows } from '@saddle/contract/rider/riders.ts'
import type { Audit } from '#audit/public.ts'
import type { SessionCall } from '#kit/call.ts'
import { businessTime, csvHead, csvLine } from '#kit/csv.ts'
import { plannedAnew } from '#kit/db/plannedAnew.ts'
import type { Kit } from '#kit/kit.ts'
import { randomUuid } from '#kit/random.ts'
import type { RiderParts } from './parts.ts'
import { readPlace, writePlace, type Place } from './place.ts'
import type { Asked } from './runs.ts'

/** How one thing is listed: its rows after a place, their number, and where each stands. */
export type Reading<Row> = {
  readonly rows: (at: { readonly after: Place | null; readonly limit: number }) => Promise<readonly Row[]>
  readonly count: () => Promise<number>
  readonly place: (row: Row) => Place
}

/** One page and, with the first, how many there are. */
export async function readPage<Row>(
  reading: Reading<Row>,
  { cursor, pageSize }: { readonly cursor?: string | undefined; readonly pageSize: number },
) {
  const after = readPlace(cursor)
  // One more than is shown: whether there is a next page.
  const [rows, total] = await Promise.all([
    reading.rows({ after, limit: pageSize + 1 }),
    after === null ? reading.count() : null,
  ])
  const list = rows.slice(0, pageSize)
  const last = rows.length > pageSize ? list.at(-1) : undefined
  const isCountCut = total !== null && total > riderCountMax
  return {
    list,
    nextCursor: last === undefined ? null : writePlace(reading.place(last)),
    count: isCountCut ? riderCountMax : total,
    isCountCut,
  }
}

type CommonFilter = {
  readonly phone?: string | undefined
  readonly riderId?: number | undefined
  readonly from?: number | undefined
  readonly to?: number | undefined
}

/** The reading of riders' things by time, with the conditions that all their lists share: whose they are, and when. */
export async function timedReading<F extends CommonFilter, Row extends { readonly id: number }>(
  { kit, riders }: Pick<RiderParts, 'kit' | 'riders'>,
  { scope }: SessionCall,
  thing: {
    readonly filter: F
    readonly direction: 'asc' | 'desc'
    readonly select: (filter: F, asked: Asked) => RawBuilder<Row>
    readonly count: (filter: F, asked: Asked) => RawBuilder<{ count: number }>
    readonly at: (row: Row) => Date
  },
): Promise<Reading<Row>> {
  const { filter, direction } = thing
  const { phone, riderId, from, to } = filter
  const own = riderId === undefined ? undefined : [riderId]
  const named = phone === undefined ? undefined : await riders.idsByPhone(scope, phone)
  const riderIds = own === undefined || named === undefined ? (own ?? named) : own.filter((id) => named.includes(id))
  const asked = { from, to, riderIds, direction, agentIds: scope.agentIds }
  return {
    rows: (at) => kit.db.read(scope, (k) => plannedAnew(thing.select(filter, { ...asked, ...at }).compile(k))),
    count: async () => {
      const query = thing.count(filter, { ...asked, after: null, limit: 0 })
      const [row] = await kit.db.read(scope, (k) => plannedAnew(query.compile(k)))
      return row?.count ?? 0
    },
    place: (row) => ({ id: row.id, at: thing.at(row).getTime() }),
  }
}

export type CsvColumns<Row> = readonly (readonly [title: string, value: (row: Row) => string | number | null])[]

/** One part of a file. With the first goes a line in the log: what leaves the house is written down. */
export async function readPart<Row, Shown>(
  { kit, audit }: { readonly kit: Pick<Kit, 'db' | 'clock' | 'random'>; readonly audit: Audit },
  call: SessionCall,
  file: {
    readonly name: 'riders' | 'blacklist' | 'certificates' | 'rebinds'
    readonly action: string
    readonly filter: Readonly<Record<string, unknown>>
    readonly present: (row: Row) => Shown
    readonly columns: CsvColumns<Shown>
    readonly reading: Reading<Row>
    readonly cursor?: string | undefined
    readonly exportId?: string | undefined
  },
) {
  const after = readPlace(file.cursor)
  const exportId = file.exportId ?? randomUuid(kit.random)
  const rows = await file.reading.rows({ after, limit: riderExportPartRows + 1 })
  const list = rows.slice(0, riderExportPartRows)
  const last = rows.length > riderExportPartRows ? list.at(-1) : undefined
  const atMs = kit.clock.now()
  const titles = file.columns.map(([title]) => title)
  if (after === null) await noteExport({ kit, audit }, call, { ...file, exportId })
  const head = after === null ? csvHead({ exportId, operatorName: call.caller.name, atMs, titles }) : ''
  return {
    exportId,
    fileName: `${file.name}-${businessTime(atMs).slice(0, 10)}-${exportId.slice(0, 8)}.csv`,
    text:
      head +
      list
        .map(file.present)
        .map((row) => csvLine(file.columns.map(([, value]) => value(row))))
        .join(''),
    rows: list.length,
    nextCursor: last === undefined ? null : writePlace(file.reading.place(last)),
  }
}

async function noteExport(
  { kit, audit }: { readonly kit: Pick<Kit, 'db'>; readonly audit: Audit },
  call: SessionCall,
  file: { readonly exportId: string; readonly action: string; readonly filter: Readonly<Record<string, unknown>> },
): Promise<void> {
  const { agentId, operatorId } = call.caller
  // Who was looked for is in nobody's log.
  const { phone, name, certNumber, ...others } = file.filter
  const byPhone = [phone, name, certNumber].some((value) => value !== undefined)
  // With the caller's own company: a file spans several.
  await kit.db.withScope({ agentIds: [agentId], areaIds: [], operatorId }, (tx) =>
    audit.write(tx, {
      agentId,
      operatorId,
      action: file.action,
      subjectKind: 'export',
      subjectId: file.exportId,
      after: { filter: others, byPhone },
      address: call.address,
      requestId: call.requestId,
    }),
  )
}
