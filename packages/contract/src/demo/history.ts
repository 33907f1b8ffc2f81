import { z } from 'zod'

/**
 * The past of the demo city, as the simulator writes it and the server reads it: a folder with one file for every day
 * (UTC), one with the state at the end, and `manifest.json`, which is written last: without it there is no history.
 *
 * A file is a line of JSON (`historyHeadSchema`) and behind it, one after the other, the tables that the line names.
 * Each of them is a complete stream of PostgreSQL's binary COPY format, with the columns below in their order, so that
 * the server hands the bytes to the database as they are. Rows stand in the order of time. A row belongs to the day on
 * which what it tells was over; what goes on is in the file of the last day. Stretches never cross midnight.
 */
type ColumnType = 'int2' | 'int4' | 'float4' | 'timestamptz' | 'text' | 'bytea' | 'bool'

/** `vehicle` is the index of the demo vehicle. Degrees are WGS-84, times 1e6. */
export const historyTables = {
  segment: {
    vehicle: 'int4',
    /** True: moved; false: a stay. */
    moved: 'bool',
    started_at: 'timestamptz',
    ended_at: 'timestamptz',
    start_lat: 'int4',
    start_lng: 'int4',
    end_lat: 'int4',
    end_lng: 'int4',
    distance_m: 'float4',
    battery_start: 'float4',
    battery_end: 'float4',
    point_count: 'int4',
    /** As telemetry/track.ts encodes them; empty for a stay. */
    points: 'bytea',
  },
  trip: {
    vehicle: 'int4',
    started_at: 'timestamptz',
    /** Null, like all that is known only then, while it lasts. */
    ended_at: 'timestamptz',
    start_lat: 'int4',
    start_lng: 'int4',
    end_lat: 'int4',
    end_lng: 'int4',
    distance_m: 'float4',
    battery_start: 'float4',
    battery_end: 'float4',
    /** As demo/riders.ts counts them within the franchisee. */
    rider: 'int4',
  },
  /** Events and states are MDS 2.0's. */
  event: {
    vehicle: 'int4',
    event: 'text',
    from_state: 'text',
    to_state: 'text',
    cause: 'text',
    occurred_at: 'timestamptz',
  },
  alarm: { vehicle: 'int4', kind: 'text', opened_at: 'timestamptz', closed_at: 'timestamptz' },
  task: {
    vehicle: 'int4',
    kind: 'text',
    state: 'text',
    source: 'text',
    opened_at: 'timestamptz',
    claimed_at: 'timestamptz',
    done_at: 'timestamptz',
    person_name: 'text',
  },
  /** Riders who found no vehicle near; `vehicle` is any of that area. */
  missed: { vehicle: 'int4', at: 'timestamptz', lat: 'int4', lng: 'int4' },
  /** Only in the file of the end: what is known of every vehicle then. */
  status: {
    vehicle: 'int4',
    state: 'text',
    lat: 'int4',
    lng: 'int4',
    battery_percent: 'float4',
    odometer_m: 'int4',
    locked: 'bool',
    at: 'timestamptz',
    last_ride_at: 'timestamptz',
  },
} as const satisfies Record<string, Readonly<Record<string, ColumnType>>>

export type HistoryTable = keyof typeof historyTables
export const historyTableNames = Object.keys(historyTables) as HistoryTable[]

/** No longer past is written or read. */
export const historyDaysMax = 62

const nameSchema = z.enum(historyTableNames as [HistoryTable, ...HistoryTable[]])
const rowsSchema = z.partialRecord(nameSchema, z.int().min(0))

export const historyHeadSchema = z.object({
  version: z.literal(1),
  tables: z.array(z.object({ name: nameSchema, rows: z.int().min(0), bytes: z.int().min(0) })),
})
export type HistoryHead = z.infer<typeof historyHeadSchema>

const fileSchema = z.string().regex(/^[a-z0-9.-]{1,40}$/)

export const historyManifestSchema = z.object({
  version: z.literal(1),
  seed: z.int(),
  vehicles: z.int().min(1),
  startedAt: z.int(),
  endedAt: z.int(),
  /** Oldest first. */
  days: z.array(z.object({ day: z.iso.date(), file: fileSchema, rows: rowsSchema })).max(historyDaysMax + 1),
  state: fileSchema,
})
export type HistoryManifest = z.infer<typeof historyManifestSchema>

export const historyManifestFile = 'manifest.json'
/** Longest first line of a file. */
export const historyHeadMaxBytes = 4_096
