import { mdsAgencyLimits, mdsAgencyStates, mdsPushKinds, type MdsPushKind } from '@saddle/contract/feeds/agency.ts'
import type { Boundary } from '@saddle/contract/feeds/mds.ts'
import { sql } from 'kysely'
import { computed, rowOf, rowOfValues, rowsOf, type RowOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import { tenantFilter } from '#kit/db/tenantFilter.ts'
import { unnest } from '#kit/db/unnest.ts'

const agencyRow = rowOf('mds_agency', 'a', [
  'jurisdiction_id',
  'agent_id',
  'url',
  'token_sealed',
  'state',
  'version',
]).codes({ state: mdsAgencyStates })

/** Where a jurisdiction of the scope is sent, held until the transaction ends. */
export const lockAgency = ({ agentIds }: Pick<Scope, 'agentIds'>, jurisdictionId: number) => agencyRow.select`
  from mds_agency a where a.jurisdiction_id = ${jurisdictionId} and a.agent_id = any (${agentIds}::bigint[]) for update`

const healthRow = rowsOf(
  rowOf('mds_agency', 'a', [
    'jurisdiction_id',
    'url',
    'state',
    'is_paused_for_failure',
    'failing_since',
    'failures',
    'fault',
    'last_sent_at',
    'telemetry_from',
    'changed_at',
    'changed_by',
    'version',
  ]).codes({ state: mdsAgencyStates }),
  rowOfValues({
    vehicles: computed(
      'bigint',
      sql`(select count(*) from mds_agency_vehicle v where v.jurisdiction_id = a.jurisdiction_id and v.agent_id = a.agent_id)`,
    ),
    waiting: computed('bigint', sql`w.count`),
    waiting_since: computed('timestamptz?', sql`w.since`),
    failed: computed(
      'bigint',
      sql`(select count(*) from mds_push p
        where p.jurisdiction_id = a.jurisdiction_id and p.agent_id = a.agent_id and p.state = 'failed')`,
    ),
  }),
)
export type HealthRow = RowOf<typeof healthRow>

export const selectHealth = (agentId: number) => healthRow.select`
  from mds_agency a
  cross join lateral (
    select count(*) as count, min(p.created_at) as since from mds_push p
    where p.jurisdiction_id = a.jurisdiction_id and p.agent_id = ${agentId} and p.state = 'queued'
  ) w
  where a.agent_id = ${agentId}`

const sentRow = rowsOf(
  rowOf('mds_agency_day', 'd', ['jurisdiction_id', 'kind']).codes({ kind: mdsPushKinds }),
  rowOfValues({ sent: computed('bigint', sql`sum(d.sent)`), refused: computed('bigint', sql`sum(d.refused)`) }),
)
export type SentRow = RowOf<typeof sentRow>

export const selectSent = ({ agentId, since }: { readonly agentId: number; readonly since: string }) => sentRow.select`
  from mds_agency_day d where d.agent_id = ${agentId} and d.day >= ${since}::date
  group by d.jurisdiction_id, d.kind order by d.jurisdiction_id, d.kind`

const failedRow = rowOf('mds_push', 'p', ['jurisdiction_id', 'kind', 'created_at', 'fault'])
  .codes({ kind: mdsPushKinds })
  .filled('fault')
export type FailedRow = RowOf<typeof failedRow>

/** The latest records that each city of a company has refused for good. */
export const selectFailed = (agentId: number) => failedRow.select`
  from mds_agency a
  join lateral (
    select * from mds_push
    where jurisdiction_id = a.jurisdiction_id and agent_id = ${agentId} and state = 'failed'
    order by id desc limit ${mdsAgencyLimits.failuresShown}
  ) p on true
  where a.agent_id = ${agentId}`

/** Queues what a city has refused for good once more. */
export const requeue = ({ agentIds }: Pick<Scope, 'agentIds'>, jurisdictionId: number) => sql`
  update mds_push set state = 'queued', attempts = 0, first_tried_at = null, next_at = null
  where jurisdiction_id = ${jurisdictionId} and agent_id = any (${agentIds}::bigint[]) and state = 'failed'`

/** Nothing of the same vehicle and kind waits before it. */
const isHead = sql<boolean>`not exists (select from mds_push e
  where e.jurisdiction_id = p.jurisdiction_id and e.kind = p.kind and e.vehicle_id = p.vehicle_id
    and e.state = 'queued' and e.id < p.id)`

const takenRow = rowOf('mds_agency', 'a', ['jurisdiction_id'])

/** Takes cities that something is due for, one server each. */
export const takeDue = (due: {
  readonly now: Date
  readonly leaseUntil: Date
  readonly telemetryBefore: Date
  readonly limit: number
}) => takenRow.returning`
    update mds_agency a set lease_until = ${due.leaseUntil}
    where a.jurisdiction_id in (
      select o.jurisdiction_id from mds_agency o
      where o.state = 'on' and (o.held_until is null or o.held_until <= ${due.now})
        and (o.lease_until is null or o.lease_until <= ${due.now})
        and (o.vehicles_at <= ${due.now} or o.telemetry_from <= ${due.telemetryBefore}
          or exists (select from mds_push p
            where p.jurisdiction_id = o.jurisdiction_id and p.state = 'queued'
              and (p.next_at is null or p.next_at <= ${due.now}) and ${isHead}))
      order by o.lease_until nulls first, o.jurisdiction_id limit ${due.limit} for update skip locked)`

const targetRow = rowsOf(
  rowOf('mds_agency', 'a', [
    'jurisdiction_id',
    'agent_id',
    'url',
    'token_sealed',
    'failures',
    'failing_since',
    'vehicles_at',
    'telemetry_from',
    'telemetry_after',
  ]),
  rowOf('mds_jurisdiction', 'j', ['name', 'boundary']),
  rowOf('mds_provider', 'p', ['provider_id']),
  rowOfValues({
    area_ids: computed('bigint[]', sql`array(select sa.id from service_area sa where sa.agent_id = a.agent_id)`),
  }),
).json<{ boundary: Boundary }>()
export type Target = RowOf<typeof targetRow>

/** Those of companies that are enabled. */
export const selectTargets = (jurisdictionIds: readonly number[]) => targetRow.select`
  from mds_agency a
  join mds_jurisdiction j on j.id = a.jurisdiction_id and j.ended_at is null
  join mds_provider p on p.agent_id = a.agent_id
  join agent g on g.id = a.agent_id and g.state = 'enabled'
  where a.jurisdiction_id = any (${jurisdictionIds}::bigint[])`

const headRow = rowOf('mds_push', 'p', ['id', 'vehicle_id', 'record_id', 'attempts', 'first_tried_at'])
export type Head = RowOf<typeof headRow>

/** The first event, or trip, of each vehicle, where its time has come: what is behind it waits. */
export const selectHeads = (of: {
  readonly jurisdictionId: number
  readonly kind: 'event' | 'trip'
  readonly now: Date
  readonly limit: number
}) => headRow.select`
  from mds_push p
  where p.jurisdiction_id = ${of.jurisdictionId} and p.kind = ${of.kind} and p.state = 'queued'
    and (p.next_at is null or p.next_at <= ${of.now}) and ${isHead}
  order by p.id limit ${of.limit}`

export const removeTaken = (ids: readonly number[]) => sql`delete from mds_push where id = any (${ids}::bigint[])`

export interface Refused {
  readonly id: number
  readonly fault: string
  /** Null: its day is over. */
  readonly nextAt: number | null
  readonly firstTriedAt: number
}

export const saveRefused = (rows: readonly Refused[]) => sql`
  update mds_push p set state = case when r.next_at is null then 'failed' else 'queued' end, attempts = p.attempts + 1,
    next_at = r.next_at, first_tried_at = r.first_tried_at, fault = r.fault
  from ${unnest<Refused>({
    rows,
    alias: 'r',
    columns: {
      id: ['bigint', ({ id }) => id],
      fault: ['text', ({ fault }) => fault],
      next_at: ['timestamptz', ({ nextAt }) => nextAt],
      first_tried_at: ['timestamptz', ({ firstTriedAt }) => firstTriedAt],
    },
  })}
  where p.id = r.id and p.state = 'queued'`

const openTripRow = rowOf('trip', 't', ['id'])

/** Trips that are not complete yet. */
export const selectOpenTrips = (scope: Scope, ids: readonly number[]) => openTripRow.select`
  from trip t
  where t.id = any (${ids}::bigint[]) and ${tenantFilter('t', scope)} and (t.ended_at is null or t.distance_m is null)`

const knownRow = rowOf('mds_agency_vehicle', 'k', ['vehicle_id', 'record']).json<{ record: unknown }>()

/** What a city knows of some vehicles. */
export const selectKnown = (jurisdictionId: number, vehicleIds: readonly number[]) => knownRow.select`
  from mds_agency_vehicle k
  where k.jurisdiction_id = ${jurisdictionId} and k.vehicle_id = any (${vehicleIds}::bigint[])`

export interface KnownVehicle {
  readonly vehicleId: number
  readonly record: unknown
}

export const saveKnown = (
  { jurisdiction_id: jurisdictionId, agent_id: agentId }: Pick<Target, 'jurisdiction_id' | 'agent_id'>,
  rows: readonly KnownVehicle[],
  at: Date,
) => sql`
  insert into mds_agency_vehicle (jurisdiction_id, vehicle_id, agent_id, record, told_at)
  select ${jurisdictionId}, v.vehicle_id, ${agentId}, v.record, ${at}
  from ${unnest<KnownVehicle>({
    rows,
    alias: 'v',
    columns: {
      vehicle_id: ['bigint', ({ vehicleId }) => vehicleId],
      record: ['jsonb', ({ record }) => JSON.stringify(record)],
    },
  })}
  on conflict (jurisdiction_id, vehicle_id) do update set record = excluded.record, told_at = excluded.told_at`

export const forgetVehicles = (jurisdictionId: number, vehicleIds: readonly number[]) => sql`
  delete from mds_agency_vehicle where jurisdiction_id = ${jurisdictionId} and vehicle_id = any (${vehicleIds}::bigint[])`

export interface Count {
  readonly kind: MdsPushKind
  readonly day: string
  readonly sent: number
  readonly refused: number
}

export const addCount = (
  { jurisdiction_id: jurisdictionId, agent_id: agentId }: Pick<Target, 'jurisdiction_id' | 'agent_id'>,
  { kind, day, sent, refused }: Count,
) => sql`
  insert into mds_agency_day (jurisdiction_id, agent_id, day, kind, sent, refused)
  values (${jurisdictionId}, ${agentId}, ${day}, ${kind}, ${sent}, ${refused})
  on conflict (jurisdiction_id, day, kind) do update set
    sent = mds_agency_day.sent + excluded.sent, refused = mds_agency_day.refused + excluded.refused`
