import type { RawBuilder } from 'kysely'
import { riderCountMax, riderExportPartRows } from '@saddle/contract/rider/riders.ts'
import { exportPart, type Audit, type CsvColumns } from '#audit/public.ts'
import type { SessionCall } from '#kit/call.ts'
import { plannedAnew } from '#kit/db/plannedAnew.ts'
import type { Kit } from '#kit/kit.ts'
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

/** One part of a file: the rows of a reading from a place on, as they are shown. */
export async function readPart<Row, Shown>(
  parts: { readonly kit: Pick<Kit, 'db' | 'clock' | 'random'>; readonly audit: Audit },
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
  const { reading, present, cursor, ...others } = file
  const after = readPlace(cursor)
  const rows = await reading.rows({ after, limit: riderExportPartRows + 1 })
  const list = rows.slice(0, riderExportPartRows)
  const last = rows.length > riderExportPartRows ? list.at(-1) : undefined
  const nextCursor = last === undefined ? null : writePlace(reading.place(last))
  return exportPart(parts, call, { ...others, rows: list.map(present), isFirst: after === null, nextCursor })
}
