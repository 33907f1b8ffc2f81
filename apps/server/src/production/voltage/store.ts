import { sql } from 'kysely'
import type { CurvePoint } from '@saddle/contract/fleet/batteryCurve.ts'
import { deviceProtocols } from '@saddle/contract/fleet/protocols.ts'
import {
  differenceBands,
  replayStates,
  voltageLimits,
  type VoltageTerms,
} from '@saddle/contract/production/voltageWords.ts'
import { lowBatteryBelow, schemeColumns } from '#fleet/public.ts'
import type { Tx } from '#kit/db/pool.ts'
import { builtJson, computed, rowOf, rowOfValues, rowsOf, type RowOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import { tenantFilter } from '#kit/db/tenantFilter.ts'

type Models = VoltageTerms['models']

const schemeRow = rowOf('voltage_scheme', 's', ['id', 'name', 'cells', 'note', 'created_at'])
export type SchemeRow = RowOf<typeof schemeRow>

export const versionRow = rowsOf(
  rowOf('voltage_version', 'v', [
    ...schemeColumns,
    'scheme_id',
    'number',
    'revision',
    'changed_at',
    'changed_by',
    'decided_by',
  ]).json<{ points: CurvePoint[]; models: Models }>(),
)
export type VersionRow = RowOf<typeof versionRow>

export const selectSchemes = () => schemeRow.select`from voltage_scheme s order by s.id limit ${voltageLimits.schemes}`
/** Versions of all schemes that have not ended, and the last of each scheme. */
export const selectPresentVersions = (nowMs: number) => versionRow.select`
  from voltage_version v
  where v.in_force_from is null or v.in_force_until is null or v.in_force_until > ${new Date(nowMs)}::timestamptz
    or v.number = (select max(l.number) from voltage_version l where l.scheme_id = v.scheme_id)
  order by v.scheme_id, v.number desc`
export const selectVersions = (schemeId: number) => versionRow.select`
  from voltage_version v where v.scheme_id = ${schemeId} order by v.number desc limit ${voltageLimits.versions}`
export const selectVersion = (id: number) => versionRow.select`from voltage_version v where v.id = ${id}`

const modelRow = rowsOf(
  rowOf('vehicle', 'v', ['model', 'protocol']).codes({ protocol: deviceProtocols }),
  rowOfValues({ vehicles: computed('integer', sql`count(*)`) }),
)
export type CountedModel = RowOf<typeof modelRow>
const modelsShown = 1_000

/** Models of the scope's vehicles. */
export const selectModels = (scope: Scope) => modelRow.select`
  from vehicle v where ${tenantFilter('v', scope)} group by v.model, v.protocol
  order by count(*) desc, v.model, v.protocol limit ${modelsShown}`

const usedRow = rowsOf(
  rowOf('vehicle_status', 's', ['battery_version']).filled('battery_version'),
  rowOfValues({ vehicles: computed('integer', sql`count(*)`) }),
)

/** Vehicles of the scope by the version that made their percentage last. */
export const selectUse = (scope: Scope, versionIds: readonly number[]) => usedRow.select`
  from vehicle_status s where ${tenantFilter('s', scope)} and s.battery_version = any (${versionIds}::bigint[])
  group by s.battery_version`

const rootRow = rowOf('agent', 'a', ['parent_id'])
export const selectParent = (agentId: number) => rootRow.select`from agent a where a.id = ${agentId}`

/** One change of schemes at a time: who counts for a model is a matter of all of them. */
export const lockSchemes = (tx: Tx): Promise<unknown> =>
  sql`select pg_advisory_xact_lock(hashtextextended('voltage_scheme', 0))`.execute(tx)

const replayRow = rowOf('voltage_replay', 'r', [
  'version_id',
  'revision',
  'state',
  'from_at',
  'until_at',
  'vehicles',
  'done',
  'after_id',
  'started_at',
]).codes({ state: replayStates })
export type ReplayRow = RowOf<typeof replayRow>

export const selectReplays = (versionIds: readonly number[]) => replayRow.select`
  from voltage_replay r where r.version_id = any (${versionIds}::bigint[])`

/** The oldest replay that is not over, for one worker. */
export async function lockNextReplay(tx: Tx): Promise<ReplayRow | undefined> {
  const { rows } = await replayRow.select`
    from voltage_replay r where r.state in ('waiting', 'running')
    order by r.started_at, r.version_id limit 1 for update skip locked`.execute(tx)
  return rows[0]
}

const followers = (models: Models) => sql`
  (v.model, v.protocol) in (select * from unnest(${models.map(({ model }) => model)}::text[],
    ${models.map(({ protocol }) => protocol)}::text[]))`

const countRow = rowOfValues({ count: computed('integer', sql`count(*)`) })
export const countFollowers = (models: Models) => countRow.select`from vehicle v where ${followers(models)}`

const followerRow = rowOf('vehicle', 'v', ['id', 'agent_id', 'area_id'])
/** Vehicles of the models, of every company: those behind an id. */
export const selectFollowers = (models: Models, { afterId, limit }: { afterId: number; limit: number }) =>
  followerRow.select`
    from vehicle v where ${followers(models)} and v.id > ${afterId} order by v.id limit ${limit}`

const readingRow = rowOf('device_report', 'd', [
  'occurred_at',
  'received_at',
  'voltage_v',
  'battery_percent',
  'battery_version',
  'said_percent',
  'locked',
  'charging',
  'alarms',
])
export type ReadingRow = RowOf<typeof readingRow>

/** As many reports of one vehicle as a replay reads. */
const readingsMax = 300_000

/** What a vehicle said of its battery, in the order in which the platform heard it. */
export const selectReadings = ({ vehicleId, from, until }: { vehicleId: number; from: Date; until: Date }) =>
  readingRow.select`
    from device_report d
    where d.vehicle_id = ${vehicleId} and d.occurred_at >= ${from}::timestamptz
      and d.occurred_at < ${until}::timestamptz and d.received_at < ${until}::timestamptz
      and (d.voltage_v is not null or d.battery_percent is not null or d.said_percent is not null
        or d.locked is not null or d.charging is not null or d.alarms <> '{}')
    order by d.received_at, d.occurred_at, d.frame_crc limit ${readingsMax}`

const sum = (text: string) => sql`coalesce(sum(${sql.raw(text)}), 0)`
const totalsRow = rowOfValues({
  vehicles: computed('integer', sql`count(*)`),
  readings: computed('bigint', sum('r.readings')),
  changed: computed('bigint', sum('r.changed')),
  vehicles_changed: computed('integer', sql`count(*) filter (where r.changed > 0)`),
  alarms_shown: computed('integer', sum('r.alarms_shown')),
  alarms_replayed: computed('integer', sum('r.alarms_replayed')),
  low_shown: computed('integer', sql`count(*) filter (where r.last_shown < ${lowBatteryBelow(sql`r.agent_id`)})`),
  low_replayed: computed('integer', sql`count(*) filter (where r.last_replayed < ${lowBatteryBelow(sql`r.agent_id`)})`),
})

/** What the vehicles of the scope come to in a replay. */
export const selectTotals = (scope: Scope, versionId: number) => totalsRow.select`
  from voltage_replay_vehicle r where r.version_id = ${versionId} and ${tenantFilter('r', scope)}`
export const presentTotals = totalsRow.present

const bandRow = rowOfValues({
  band: computed('integer', sql`b.band`),
  vehicles: computed('integer', sql`count(*)`),
})
export const selectBands = (scope: Scope, versionId: number) => bandRow.select`
  from (select width_bucket(r.mean_difference::double precision, ${[...differenceBands]}::double precision[]) as band
    from voltage_replay_vehicle r where r.version_id = ${versionId} and ${tenantFilter('r', scope)}) b
  group by b.band order by b.band`

const exampleRow = rowsOf(
  rowOf('voltage_replay_vehicle', 'r', [
    'vehicle_id',
    'readings',
    'changed',
    'mean_difference',
    'max_difference',
    'alarms_shown',
    'alarms_replayed',
    'last_shown',
    'last_replayed',
  ]),
  rowOf('vehicle', 'v', ['number', 'model']),
)
export const presentExample = exampleRow.present

/** The vehicles of the scope that a version changes most. */
export const selectExamples = (scope: Scope, versionId: number) => exampleRow.select`
  from voltage_replay_vehicle r join vehicle v on v.id = r.vehicle_id
  where r.version_id = ${versionId} and ${tenantFilter('r', scope)}
  order by abs(r.alarms_replayed - r.alarms_shown) desc, abs(r.mean_difference) desc, r.vehicle_id
  limit ${voltageLimits.examples}`

const numberRow = rowsOf(
  rowOf('vehicle', 'v', ['id', 'number']),
  rowOfValues({ low_battery_below: computed('integer', lowBatteryBelow()) }),
)
export const selectVehicle = (scope: Scope, vehicleId: number) => numberRow.select`
  from vehicle v where v.id = ${vehicleId} and ${tenantFilter('v', scope)}`

const takenRow = rowsOf(
  rowOf('voltage_scheme', 's', ['name']),
  rowOfValues({ model: builtJson<string>(sql`m.value ->> 'model'`) }),
)

/** A model of a version that another scheme has at that time or later. */
export async function findTaken(
  tx: Tx,
  { version, from }: { readonly version: VersionRow; readonly from: Date },
): Promise<RowOf<typeof takenRow> | undefined> {
  const { rows } = await takenRow.select`
    from voltage_version v join voltage_scheme s on s.id = v.scheme_id
      cross join jsonb_array_elements(v.models) m (value)
    where v.scheme_id <> ${version.scheme_id} and v.in_force_from is not null
      and (v.in_force_until is null or v.in_force_until > greatest(${from}::timestamptz, v.in_force_from))
      and m.value in (select o.value from jsonb_array_elements(${JSON.stringify(version.models)}::jsonb) o (value))
    order by v.id limit 1`.execute(tx)
  return rows[0]
}
