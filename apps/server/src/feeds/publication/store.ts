import { gbfsFeedNames, gbfsVehiclesMax, type GbfsFeedName } from '@saddle/contract/feeds/gbfs.ts'
import { publishedAreasMax, vehicleFormSchema, type VehicleForm } from '@saddle/contract/feeds/publication.ts'
import { sql } from 'kysely'
import type { Tx } from '#kit/db/pool.ts'
import { computed, rowOf, rowOfValues, rowsOf, type RowOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import { tenantFilter } from '#kit/db/tenantFilter.ts'
import { unnest } from '#kit/db/unnest.ts'

const publicAreaRow = rowsOf(
  rowOf('service_area', 'sa', ['id as area_id', 'agent_id', 'name as area_name']),
  rowOf('agent', 'a', ['company']),
  rowOf('gbfs_setting', 's', ['contact_email', 'forms', 'id_key_sealed']),
)
export type PublicArea = RowOf<typeof publicAreaRow>

/** The areas whose companies publish them. */
export const selectPublicAreas = () => publicAreaRow.select`
  from gbfs_setting s
  join agent a on a.id = s.agent_id and a.state = 'enabled'
  join service_area sa on sa.agent_id = s.agent_id and sa.state = 'enabled'
  where s.is_public order by sa.id limit ${publishedAreasMax}`

/** What a company has said of its models; what no longer fits is left out. */
export function formsOf(stored: unknown): Map<string, VehicleForm> {
  const entries = Object.entries(typeof stored === 'object' && stored !== null ? stored : {})
  return new Map(
    entries.flatMap(([model, form]) => {
      const parsed = vehicleFormSchema.safeParse(form)
      return parsed.success ? [[model, parsed.data] as const] : []
    }),
  )
}

const shownStates = ['available', 'reserved', 'non_operational'] as const
const vehicleRow = rowsOf(
  rowOf('vehicle', 'v', ['id', 'model', 'state']).codes({ state: shownStates }),
  rowOf('vehicle_status', 's', ['lat', 'lng', 'battery_percent', 'heard_at']).filled('lat', 'lng'),
  rowOfValues({ trip_id: computed('bigint?', sql`t.id`) }),
)
export type VehicleRow = RowOf<typeof vehicleRow>

/** The vehicles of the scope that a feed shows, with their last trips: of one statement, so that both are of one moment. */
export const selectVehicles = (scope: Scope) => vehicleRow.select`
  from vehicle v
  join vehicle_status s on s.vehicle_id = v.id and s.lat is not null
  left join lateral (
    select id from trip where vehicle_id = v.id order by started_at desc, id desc limit 1
  ) t on true
  where ${tenantFilter('v', scope)} and v.state = any (${[...shownStates]}::text[])
  order by v.id limit ${gbfsVehiclesMax}`

/** What one try at a feed has come to. */
export interface TriedFeed {
  readonly name: GbfsFeedName
  /** Null: it did not fit, and what was published stays. */
  readonly made: { readonly body: Buffer; readonly bytes: number; readonly etag: string } | null
  readonly findings: readonly string[]
}

export async function saveFeeds(
  tx: Tx,
  { areaId, agentId }: { readonly areaId: number; readonly agentId: number },
  { feeds, at }: { readonly feeds: readonly TriedFeed[]; readonly at: Date },
): Promise<void> {
  for (const { name, made, findings } of feeds) {
    await sql`
      insert into gbfs_feed (area_id, agent_id, name, body, bytes, etag, published_at, tried_at, findings)
      values (${areaId}, ${agentId}, ${name}, ${made?.body ?? null}, ${made?.bytes ?? 0}, ${made?.etag ?? null},
        ${made === null ? null : at}, ${at}, ${[...findings]}::text[])
      on conflict (area_id, name) do update set
        body = coalesce(excluded.body, gbfs_feed.body),
        bytes = case when excluded.body is null then gbfs_feed.bytes else excluded.bytes end,
        etag = coalesce(excluded.etag, gbfs_feed.etag),
        published_at = coalesce(excluded.published_at, gbfs_feed.published_at),
        tried_at = excluded.tried_at, findings = excluded.findings, agent_id = excluded.agent_id`.execute(tx)
  }
}

const bodyRow = rowOf('gbfs_feed', 'f', ['body', 'etag', 'published_at']).filled('body', 'etag', 'published_at')
export type StoredFeed = RowOf<typeof bodyRow>

/** A published feed; none where the company publishes nothing any more. */
export const selectBody = (areaId: number, name: GbfsFeedName) => bodyRow.select`
  from gbfs_feed f
  join gbfs_setting s on s.agent_id = f.agent_id and s.is_public
  join agent a on a.id = f.agent_id and a.state = 'enabled'
  join service_area sa on sa.id = f.area_id and sa.state = 'enabled'
  where f.area_id = ${areaId} and f.name = ${name} and f.body is not null`

const publishedAreaRow = rowOf('gbfs_feed', 'f', ['area_id', 'published_at']).filled('published_at')

/** The areas whose gbfs.json is published, for the manifest. */
export const selectPublished = () => publishedAreaRow.select`
  from gbfs_feed f
  join gbfs_setting s on s.agent_id = f.agent_id and s.is_public
  join agent a on a.id = f.agent_id and a.state = 'enabled'
  join service_area sa on sa.id = f.area_id and sa.state = 'enabled'
  where f.name = 'gbfs' and f.body is not null order by f.area_id limit ${publishedAreasMax}`

export interface Reading {
  readonly areaId: number
  readonly day: string
  readonly reader: string
  readonly reads: number
  readonly lastAt: number
}

/** Adds readings to those of the day; those of an area that is gone by now are dropped. */
export const addReadings = (readings: readonly Reading[]) => sql`
  insert into gbfs_reader (area_id, agent_id, day, reader, reads, last_at)
  select r.area_id, sa.agent_id, r.day::date, r.reader, r.reads, r.last_at
  from ${unnest<Reading>({
    rows: readings,
    alias: 'r',
    columns: {
      area_id: ['bigint', ({ areaId }) => areaId],
      day: ['text', ({ day }) => day],
      reader: ['text', ({ reader }) => reader],
      reads: ['bigint', ({ reads }) => reads],
      last_at: ['timestamptz', ({ lastAt }) => lastAt],
    },
  })}
  join service_area sa on sa.id = r.area_id
  on conflict (area_id, day, reader) do update set
    reads = gbfs_reader.reads + excluded.reads, last_at = greatest(gbfs_reader.last_at, excluded.last_at)`

export const deleteReadingsBefore = (day: string) => sql`delete from gbfs_reader where day < ${day}::date`

const settingRow = rowOf('gbfs_setting', 's', [
  'is_public',
  'contact_email',
  'forms',
  'version',
  'changed_at',
  'changed_by',
])

export const selectSetting = (agentId: number) => settingRow.select`from gbfs_setting s where s.agent_id = ${agentId}`

const modelRow = rowOfValues({ model: computed('text', sql`v.model`), vehicles: computed('bigint', sql`count(*)`) })

export const selectModels = (scope: Scope, agentId: number, max: number) => modelRow.select`
  from vehicle v where ${tenantFilter('v', { ...scope, agentIds: [agentId] })}
  group by v.model order by v.model limit ${max}`

const feedRow = rowsOf(
  rowOf('service_area', 'sa', ['id as area_id', 'agent_id', 'name as area_name']),
  rowOf('gbfs_feed', 'f', ['name', 'published_at', 'tried_at', 'findings', 'bytes']).codes({ name: gbfsFeedNames }),
)

/** The feeds of a company's areas within the scope. */
export const selectFeeds = (scope: Scope, agentId: number) => feedRow.select`
  from service_area sa
  join gbfs_feed f on f.area_id = sa.id
  where ${tenantFilter('f', { ...scope, agentIds: [agentId] })} and sa.state = 'enabled'
  order by sa.name, sa.id limit ${publishedAreasMax * gbfsFeedNames.length}`

const readerRow = rowOfValues({
  reader: computed('text', sql`r.reader`),
  area_count: computed('integer', sql`count(distinct r.area_id)`),
  reads: computed('bigint', sql`sum(r.reads)`),
  last_at: computed('timestamptz', sql`max(r.last_at)`),
})

/** Who has read a company's feeds since a day, the busiest first. */
export const selectReaders = (
  scope: Scope,
  { agentId, since, max }: { readonly agentId: number; readonly since: string; readonly max: number },
) => readerRow.select`
  from gbfs_reader r
  where ${tenantFilter('r', { ...scope, agentIds: [agentId] })} and r.day >= ${since}::date
  group by r.reader order by sum(r.reads) desc, r.reader limit ${max}`
